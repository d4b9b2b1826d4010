"""kafka-python, asked node by node: what librdkafka lacks, and whatever must go to a broker that is alive.

kafka-python's own admin client picks its nodes at random, tries one bootstrap server at a time and asks all
brokers or none. So its connection manager is used here directly: all addresses are tried at once, every request
names its node and has its own time.
"""

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import count
from typing import Any, Self

from runbook.answers.kafka import KnownCluster
from runbook.answers.kafka.errors import BY_CHANCE, SAYS_ALL, BrokerLabel
from runbook.connections.kafka import identity, wire
from runbook.connections.kafka.broker_liveness import TRIES, BrokerConnection, BrokerLiveness
from runbook.connections.kafka.errors import none_after_bootstrap, reason_of, silence
from runbook.connections.kafka.listener_protocol import none_answers, others_than_ours
from runbook.connections.kafka.lookup import once_found, quiet
from runbook.formats.addresses import host_port
from runbook.model.errors import CannotLook, Garbled, NotServing, TimedOut, Unreachable
from runbook.model.gap_kind import GapKind
from runbook.model.probe import Deadline
from runbook.model.tape import LIVE
from runbook.recording.question import question

_THROTTLED = 0.05
_GLANCE = 0.05  # seconds between looks whether a later try is due
_STOP_WITHIN_MS = 500
_SOON = 0.5  # seconds until the first broker is recognised, where no more is waited: our judgement
_ASIDE = "bootstrap-0"  # how kafka-python names the first address it was given
_LONG = 1.0  # seconds until it is looked whether a silent bootstrap server is a broker at all. Our judgement


class KafkaPythonClient:
    """Connections to the brokers, driven by one thread: one each, and one more for what it waits for itself."""

    @classmethod
    def of_recording(cls, protocol: str, clock: Deadline) -> Self:
        """A client that is connected to nobody, as the clock's tape has all answers."""
        client = cls.__new__(cls)
        client.clock, client.protocol, client._known = clock, protocol, KnownCluster()  # noqa: SLF001 - its own
        return client

    def __init__(self, options: dict[str, Any], clock: Deadline) -> None:
        from kafka.net.manager import KafkaConnectionManager

        from runbook.connections.kafka.loop import ClosingLoop

        quiet("kafka")
        self.clock = clock
        self._options = options
        self.protocol: str = options["security_protocol"]
        self._net = ClosingLoop(**options)
        self._manager = KafkaConnectionManager(self._net, **options)
        self._asides: dict[tuple[int, str], Any] = {}
        self._changed = threading.Condition()
        self._greetings = BrokerLiveness()
        self._introduced: dict[str, Any] = {}
        self._late: dict[str, float] = {}
        self._known = KnownCluster()
        self._held = False
        self._net.start()

    def start(self) -> None:
        """Find the cluster, and greet its brokers; see `_start`."""
        self._known = self._start()

    @question("kafka-python start")
    def _start(self) -> KnownCluster:
        """Find the cluster through the first bootstrap server that tells it, and greet every broker it lists.

        Raises:
            CannotLook: no bootstrap server does; the reason of each is told.
            Misconfigured: they are of several clusters.
        """
        seconds, began = self.clock.request(), time.monotonic()
        beginning = self._manager.cluster.bootstrap_brokers()
        servers = {server.node_id: host_port(server.host, server.port) for server in beginning}
        failed: dict[str, CannotLook] = {}
        for server in beginning:
            label = servers[server.node_id]
            introduce = partial(self._introduce, server.node_id, label, seconds)
            fail = partial(self._note_failure, failed, label, seconds)
            once_found(server, partial(self._spawn, introduce, partial(self._note_introduced, label), fail), fail)
        first = self._first_introduced([*servers.values()], failed, seconds)
        self._manager.cluster.update_metadata(first)
        self._greet_all(seconds)  # meanwhile the other bootstrap servers answer
        with self._changed:
            rest = identity.together(time.monotonic() - began)
            self._changed.wait_for(lambda: len(self._introduced) + len(failed) >= len(servers), rest)
            strange = set(identity.strangers(servers.values(), first.brokers))
            rest = began + seconds / 2 - time.monotonic()
            self._changed.wait_for(lambda: strange <= self._introduced.keys() | failed.keys(), max(0.0, rest))
            introduced = dict(self._introduced)
            self._late = {
                server: began for server in servers.values() if server not in introduced and server not in failed
            }
        identity.refuse_several_clusters(introduced)
        self._leave(servers)
        cluster, data = self._manager.cluster.cluster_id, self._manager.broker_version_data
        if data is None:
            return KnownCluster(servers=tuple(introduced), cluster_id=cluster)
        versions = {int(request): tuple(numbers) for request, numbers in data.api_versions.items()}
        return KnownCluster(tuple(introduced), cluster, tuple(data.broker_version), versions)

    def _first_introduced(self, servers: Sequence[str], failed: dict[str, CannotLook], seconds: float) -> Any:
        """The first answer of a bootstrap server, or why none tells; one that is long silent may be no broker."""
        end = time.monotonic() + 2 * seconds + 0.1
        looked: dict[str, CannotLook] = {}

        def wait_until(moment: float) -> Any:
            with self._changed:
                left = max(0.0, moment - time.monotonic())
                self._changed.wait_for(lambda: self._introduced or len(failed | looked) >= len(servers), left)
                return next(iter(self._introduced.values()), None)

        first = wait_until(min(end, time.monotonic() + _LONG))
        silent = [server for server in servers if server not in failed]
        if first is None and silent:
            looked |= others_than_ours(silent, self.protocol, self.clock.left())
            first = wait_until(end)
        if first is None:
            raise self._nobody(servers, failed | looked, seconds, asked=silent)
        return first

    @property
    def cluster_id(self) -> str | None:
        """The id of the cluster that was found."""
        return self._known.cluster_id

    @property
    def servers(self) -> tuple[str, ...]:
        """The bootstrap servers that told their cluster."""
        return self._known.servers

    @property
    def release(self) -> tuple[int, ...] | None:
        """Kafka's release, as far as the requests that a broker knows tell it: (4, 1)."""
        return self._known.release

    def knows(self, request: type[Any], version: int = 0) -> bool:
        """Say whether the brokers know a request, in this version of it or a later one."""
        return self._known.versions.get(request.API_KEY, (0, -1))[1] >= version

    @question("kafka-python greet")
    def greet(self, node: int, host: str, port: int) -> None:
        """Make sure that a broker answers as itself, also one that the cluster keeps from clients.

        Raises:
            CannotLook: it does not, or another one answers at its address.
        """
        label = BrokerLabel(node, f"{host}:{port}")
        seconds = self.clock.request()
        if self._manager.cluster.broker_metadata(node) is not None:
            reason = self._greetings.wait_for(node, 2 * seconds + 0.1)
            if self._greetings.line(node) is not None:
                return
            self._greetings.end(node)
            reason = reason or silence(label, 2 * seconds, held=self._held)
            if isinstance(reason, BY_CHANCE):
                self._greetings.wait_for_all(seconds)  # what others' tries come to may show that requests are lost
            raise self._greetings.proved(node, reason, answered=host_port(host, port) in self._introduced)
        # A fenced broker may be a bootstrap server that has kept us waiting already.
        began = self._late.get(host_port(host, port), time.monotonic())
        self._greetings.begin(node, began)
        seconds = max(0.05, seconds - (time.monotonic() - began))
        line = self._aside(node, host, port)
        try:
            self._wait(self._recognise(line, node, label, seconds), 2 * seconds, label)
        finally:
            self._greetings.end(node)

    @question("kafka-python stranger")
    def stranger(self) -> CannotLook | None:
        """Return that another cluster answers at a broker's address, if one does as soon as the others answer."""
        self._greetings.wait_for_most(min(_SOON, self.clock.request()))
        return self._greetings.stranger()

    @question("kafka-python waited")
    def waited(self, node: int) -> float | None:
        """Seconds from the first try until a broker had answered, failed or been given up; None if not tried."""
        return self._greetings.waited(node)

    @question("kafka-python greeted in")
    def greeted_in(self, node: int) -> float | None:
        """Seconds until a broker was connected and recognised; None if it was not."""
        return self._greetings.seconds(node)

    def ask(self, node: int, label: str, request: Any) -> Any:
        """Put a request to one broker; one that was slow to greet has more time.

        Raises:
            CannotLook: no answer.
        """
        return self._recorded(node, request, lambda: self._ask(node, label, request))

    def _ask(self, node: int, label: str, request: Any) -> Any:
        seconds = self._patience(node)
        return self._wait(self._send(self._line(node), request, seconds), seconds, label)

    def ask_any(self, build: Callable[[], Any], *, waits_for: str = "") -> Any:
        """Put a request to a broker that answers, and to the next ones if it fails.

        Args:
            build: makes the request, anew for each try.
            waits_for: what the broker itself has to ask for the answer, such as the active controller. A broker answers
                the requests of one connection in order, so one that hangs would hold up all that is asked after it:
                those that wait for something have a connection of their own, by what they wait for.

        Raises:
            CannotLook: none answered.
        """
        return self._recorded("any", build(), lambda: self._ask_any(build, waits_for))

    def _recorded(self, node: int | str, request: Any, ask: Callable[[], Any]) -> Any:
        tape = self.clock.tape
        if tape is LIVE:
            return ask()
        return tape.answer("kafka-python", {"node": node, **wire.described(request)}, ask, wire.ANSWER)

    def _ask_any(self, build: Callable[[], Any], waits_for: str) -> Any:
        error: CannotLook | None = None
        for place in count():
            node = self._greetings.place(place, self.clock.request())
            if node is None or (error is not None and not self.clock.left()):
                break
            broker = self._manager.cluster.broker_metadata(node)
            label: str = BrokerLabel(node, f"{broker.host}:{broker.port}")
            seconds = self._patience(node)
            line = self._line(node)
            if waits_for:
                label += f", for {waits_for},"
                line = self._aside(node, broker.host, broker.port, waits_for)
            try:
                return self._wait(self._send(line, build(), seconds), seconds, label)
            except (TimedOut, Unreachable, NotServing) as failure:
                if waits_for and failure.kind is GapKind.TIMED_OUT:
                    failure.kind = GapKind.CONTROLLER_SILENT
                error = failure
        raise error or none_after_bootstrap()

    def topic_errors(self, names: list[str]) -> dict[str, str]:
        """Return the name of the error that asking about each topic gives, "" for none (Metadata).

        Raises:
            CannotLook: no broker answered.
        """
        from kafka import errors

        topics = self.ask_any(partial(identity.metadata_request, names)).topics
        return {
            topic.name: str(errors.for_code(topic.error_code).message) if topic.error_code else "" for topic in topics
        }

    def close(self) -> None:
        """Close every connection and stop the thread."""
        if self.clock.tape.replays:
            return
        for manager in (self._manager, *self._asides.values()):
            self._net.call_soon_with_future(manager.close)
        self._net.stop(timeout_ms=_STOP_WITHIN_MS)

    def _greet_all(self, seconds: float) -> None:
        brokers = self._manager.cluster.brokers()
        self._greetings.expect(broker.node_id for broker in brokers)
        for broker in brokers:
            label = BrokerLabel(broker.node_id, f"{broker.host}:{broker.port}")
            fail = partial(self._note_try_failed, broker.node_id, label, seconds, 0)
            once_found(broker, partial(self._try_all, broker, label, seconds), fail)

    def _try_all(self, broker: Any, label: str, seconds: float) -> None:
        for number in range(len(TRIES)):
            fail = partial(self._note_try_failed, broker.node_id, label, seconds, number)
            self._spawn(partial(self._try, broker, label, seconds, number), lambda _: None, fail)

    async def _try(self, broker: Any, label: str, seconds: float, number: int) -> None:
        """Greet a broker for the n-th time, unless that is settled; each later try ends when the first one does."""
        node, line = broker.node_id, BrokerConnection(self._manager, broker.node_id)
        delay = TRIES[number] * seconds
        if number:
            delay = await self._wait_for_turn(node, number, delay)
            if self._greetings.is_settled(node):
                return
            line = self._aside(node, broker.host, broker.port, f"try {number}")
        self._greetings.begin_try(node, number)
        await self._recognise(line, node, label, seconds - delay)
        self._greetings.answered(node, line, number)

    async def _wait_for_turn(self, node: int, number: int, delay: float) -> float:
        """Wait until the n-th try to greet a broker is due, or none is needed, and return the seconds that took."""
        start = time.monotonic()
        while time.monotonic() < start + delay and not self._greetings.is_settled(node):
            if self._greetings.is_due(node, number):
                break
            await self._net.sleep(_GLANCE)
        return time.monotonic() - start

    def _spawn(
        self, work: Callable[[], Any], done: Callable[[Any], None], failed: Callable[[BaseException], None]
    ) -> None:
        self._net.call_soon_with_future(work()).add_callback(done).add_errback(failed)

    def _leave(self, nodes: Iterable[str]) -> None:
        """Close the connections to bootstrap servers; the brokers among them have been greeted by their own ids."""
        for node in nodes:
            self._net.call_soon_with_future(self._manager.close, node)

    def _patience(self, node: int) -> float:
        """Seconds that a broker has for one request: more where it was slow to be greeted."""
        # not made up: time that a request gets beyond its own; no cell
        return self.clock.request(self._greetings.seconds(node) or 0.0)

    def _line(self, node: int) -> BrokerConnection:
        """The connection over which a broker answered; where it did not, the one that was tried first."""
        return self._greetings.line(node) or BrokerConnection(self._manager, node)

    def _aside(self, node: int, host: str, port: int, purpose: str = "") -> BrokerConnection:
        """Return one more connection to a broker, or one to a broker that the cluster does not list."""
        from kafka.net.manager import KafkaConnectionManager

        with self._changed:
            if (node, purpose) not in self._asides:
                options = {**self._options, "bootstrap_servers": [host_port(host, port)]}
                self._asides[node, purpose] = KafkaConnectionManager(self._net, **options)
            return BrokerConnection(self._asides[node, purpose], _ASIDE)

    async def _open(self, line: BrokerConnection, seconds: float) -> Any:
        manager = line.manager
        if delay := manager.connection_delay(line.node):
            await self._net.sleep(delay)
        connection = manager.get_connection(line.node, timeout_ms=seconds * 1000, refresh_metadata_on_err=False)
        await manager.wait_for(connection.init_future, seconds * 1000)
        return connection

    async def _introduce(self, node: str, label: str, seconds: float) -> Any:
        """Ask a bootstrap server of which cluster it is; gives its answer to Metadata."""
        answer = await self._send(BrokerConnection(self._manager, node), identity.metadata_request(), seconds)
        if not answer.brokers:
            raise Garbled(f"{label} knows of no broker, itself included")
        return answer

    async def _recognise(self, line: BrokerConnection, broker: int, label: str, seconds: float) -> None:
        """Make sure that this broker, of this cluster, answers there; both requests go out before either answer.

        Who takes the connection has as many seconds again for them.
        """
        connection = await self._open(line, seconds)
        requests = (identity.metadata_request(), identity.own_settings_request(broker))
        sent = [connection.send_request(request, request_timeout_ms=seconds * 1000) for request in requests]
        metadata, settings = [await line.manager.wait_for(future, seconds * 1000) for future in sent]
        identity.refuse_another_cluster(metadata, self._manager.cluster.cluster_id, label)
        if not identity.refuse_another_broker(settings, label):
            identity.refuse_shared_address(label, self._at_the_address_of(broker))

    def _at_the_address_of(self, broker: int) -> list[int]:
        brokers = {broker.node_id: (broker.host, broker.port) for broker in self._manager.cluster.brokers()}
        return [node for node, address in brokers.items() if node != broker and address == brokers.get(broker)]

    async def _send(self, line: BrokerConnection, request: Any, seconds: float) -> Any:
        connection = await self._open(line, seconds)
        while connection.paused and not connection.closed:  # the broker throttles us
            self._held |= "throttle" in connection.paused
            await self._net.sleep(_THROTTLED)
        future = connection.send_request(request, request_timeout_ms=seconds * 1000)
        return await line.manager.wait_for(future, seconds * 1000)

    def _nobody(
        self, servers: Iterable[str], failed: dict[str, CannotLook], seconds: float, *, asked: Sequence[str]
    ) -> CannotLook:
        """Why none of them tells its cluster; of those that were `asked` it is known what answers there."""
        reasons = {at: failed.get(at) or silence(at, seconds, held=self._held) for at in sorted(servers)}
        rest = [server for server, why in reasons.items() if server not in asked and not isinstance(why, SAYS_ALL)]
        return none_answers(reasons | others_than_ours(rest, self.protocol, self.clock.left()))

    def _note_introduced(self, server: str, answer: Any) -> None:
        with self._changed:
            self._introduced[server] = answer
            self._changed.notify_all()

    def _note_failure(self, failed: dict[str, CannotLook], label: str, seconds: float, error: BaseException) -> None:
        with self._changed:
            failed[label] = reason_of(error, label, seconds, held=self._held)
            self._changed.notify_all()

    def _note_try_failed(self, broker: int, label: str, seconds: float, number: int, error: BaseException) -> None:
        self._greetings.failed(broker, reason_of(error, label, seconds, held=self._held), number)

    def _wait(self, work: Any, seconds: float, label: str) -> Any:
        """Run a coroutine on the client's thread; a thread that hangs (in a name look-up) does not hold us."""
        ended = threading.Event()
        future = self._net.call_soon_with_future(work)
        future.add_both(lambda _: ended.set())
        if not ended.wait(seconds + 0.1):
            raise silence(label, seconds, held=self._held)
        if future.exception is not None:
            raise reason_of(future.exception, label, seconds, held=self._held)
        return future.value
