"""kafka-python, asked node by node: what librdkafka lacks, and whatever must go to a broker that is alive.

kafka-python's own admin client picks its nodes at random, tries one bootstrap server at a time and asks all
brokers or none. So its connection manager is used here directly: all addresses are tried at once, every request
names its node and has its own time.
"""

import logging
import socket
import threading
from collections.abc import Callable, Iterable, Sized
from functools import partial
from ipaddress import ip_address
from typing import Any

from runbook.connections.kafka.errors import from_kafka_python, silence
from runbook.engine.errors import CannotLook, TimedOut, Unreachable
from runbook.engine.probe import Clock

_THROTTLED = 0.05
_STOP_WITHIN_MS = 500
_ASIDE = "bootstrap-0"  # how kafka-python names the first address it was given


class KafkaPythonClient:
    """Connections to the brokers, driven by one thread: one each, and one more for what the controller answers."""

    def __init__(self, options: dict[str, Any], clock: Clock) -> None:
        from kafka.net.manager import KafkaConnectionManager

        from runbook.connections.kafka.loop import ClosingLoop

        quiet("kafka")
        self._clock = clock
        self._options = options
        self._net = ClosingLoop(**options)
        self._manager = KafkaConnectionManager(self._net, **options)
        self._asides: dict[int, Any] = {}
        self._changed = threading.Condition()
        self._awake: list[int] = []
        self._silent: dict[int, CannotLook] = {}
        self._expected = 0
        self._net.start()

    def start(self) -> None:
        """Find the cluster through the first bootstrap server that answers, and greet every broker it lists.

        Raises:
            CannotLook: no bootstrap server answers; the reason of each is told.
        """
        seconds = self._clock.request()
        servers = {
            server.node_id: f"{server.host}:{server.port}" for server in self._manager.cluster.bootstrap_brokers()
        }
        found: list[str] = []
        failed: dict[str, CannotLook] = {}
        for server in self._manager.cluster.bootstrap_brokers():
            label = servers[server.node_id]
            self._greet(server, seconds, found, partial(self._note_failure, failed, label, label, seconds))
        attempt = 0
        while node := self._found(found, failed, attempt, len(servers), seconds):
            try:
                self._wait(self._manager.cluster.refresh_metadata(node), seconds, servers[node])
            except CannotLook as error:
                failed[servers[node]] = error
            else:
                self._greet_all(seconds)
                self._leave(servers)
                return
            attempt += 1
        raise _nobody(servers.values(), failed, seconds)

    def _found(self, found: list[str], failed: Sized, place: int, asked: int, seconds: float) -> str | None:
        """Return the bootstrap server that was the n-th to answer, waiting for it if need be."""
        with self._changed:
            self._changed.wait_for(lambda: len(found) > place or len(found) + len(failed) >= asked, seconds)
            return found[place] if len(found) > place else None

    @property
    def plain(self) -> bool:
        """Whether the connection has neither TLS nor a login."""
        return bool(self._options["security_protocol"] == "PLAINTEXT")

    @property
    def release(self) -> tuple[int, ...] | None:
        """Kafka's release, as far as the requests that a broker knows tell it: (4, 1)."""
        data = self._manager.broker_version_data
        return None if data is None else tuple(data.broker_version)

    def knows(self, request: type[Any]) -> bool:
        """Say whether the brokers know a request."""
        data = self._manager.broker_version_data
        return data is not None and request.API_KEY in data.api_versions

    def greet(self, node: int, host: str, port: int) -> None:
        """Make sure that a broker answers, also one that the cluster keeps from clients.

        Raises:
            CannotLook: it does not.
        """
        label = f"broker {node} ({host}:{port})"
        seconds = self._clock.request()
        if self._manager.cluster.broker_metadata(node) is not None:
            with self._changed:
                self._changed.wait_for(lambda: node in self._awake or node in self._silent, seconds + 0.1)
            if node in self._awake:
                return
            raise self._silent.get(node) or silence(label, seconds)
        self._wait(self._open(self._aside(node, host, port), _ASIDE, seconds), seconds, label)

    def ask(self, node: int, label: str, request: Any) -> Any:
        """Put a request to one broker.

        Raises:
            CannotLook: no answer.
        """
        seconds = self._clock.request()
        return self._wait(self._send(self._manager, node, request, seconds), seconds, label)

    def ask_any(self, build: Callable[[], Any], *, forwarded: bool = False) -> Any:
        """Put a request to a broker that answers, and to the next ones if it fails.

        Args:
            build: makes the request, anew for each try.
            forwarded: the broker will pass it on to the active controller. A broker answers the requests of one
                connection in order, so a controller that hangs would hold up all that is asked after it: such
                requests have a connection of their own.

        Raises:
            CannotLook: none answered.
        """
        error: CannotLook | None = None
        place = 0
        while (node := self._node(place)) is not None and (error is None or self._clock.left() > 0):
            broker = self._manager.cluster.broker_metadata(node)
            label = f"broker {node} ({broker.host}:{broker.port})"
            seconds = self._clock.request()
            if forwarded:
                label += ", for the controller,"
                work = self._send(self._aside(node, broker.host, broker.port), _ASIDE, build(), seconds)
            else:
                work = self._send(self._manager, node, build(), seconds)
            try:
                return self._wait(work, seconds, label)
            except (TimedOut, Unreachable) as failure:
                error = failure
            place += 1
        raise error or Unreachable("no broker answers")

    def close(self) -> None:
        """Close every connection and stop the thread."""
        for manager in (self._manager, *self._asides.values()):
            self._net.call_soon_with_future(manager.close)
        self._net.stop(timeout_ms=_STOP_WITHIN_MS)

    def _greet_all(self, seconds: float) -> None:
        brokers = self._manager.cluster.brokers()
        self._expected = len(brokers)
        for broker in brokers:
            label = f"broker {broker.node_id} ({broker.host}:{broker.port})"
            failed = partial(self._note_failure, self._silent, broker.node_id, label, seconds)
            self._greet(broker, seconds, self._awake, failed)

    def _greet(self, server: Any, seconds: float, awake: list[Any], failed: Callable[[BaseException], None]) -> None:
        """Open a connection, noting whether that went well.

        kafka-python looks names up on its only thread, where one slow name would stop everybody; so a name is
        looked up on a thread of its own first.
        """

        def spawn() -> None:
            future = self._net.call_soon_with_future(self._open(self._manager, server.node_id, seconds))
            future.add_callback(partial(self._note_answer, awake, server.node_id))
            future.add_errback(failed)

        def look_up() -> None:
            try:
                socket.getaddrinfo(server.host, server.port, type=socket.SOCK_STREAM)
            except OSError as error:
                failed(error)
            else:
                spawn()

        if _is_address(server.host):
            spawn()
        else:
            threading.Thread(target=look_up, daemon=True).start()

    def _leave(self, nodes: Iterable[str]) -> None:
        """Close the connections to bootstrap servers; the brokers among them have been greeted by their own ids."""
        for node in nodes:
            self._net.call_soon_with_future(self._manager.close, node)

    def _node(self, place: int) -> int | None:
        """Return the node that was the n-th to answer, waiting for it if need be."""
        with self._changed:
            self._changed.wait_for(
                lambda: len(self._awake) > place or len(self._awake) + len(self._silent) >= self._expected,
                self._clock.request(),
            )
            return self._awake[place] if len(self._awake) > place else None

    def _aside(self, node: int, host: str, port: int) -> Any:
        """Return a manager for a second connection to a broker, or for one that the cluster does not list."""
        from kafka.net.manager import KafkaConnectionManager

        with self._changed:
            if node not in self._asides:
                options = {**self._options, "bootstrap_servers": [f"{host}:{port}"]}
                self._asides[node] = KafkaConnectionManager(self._net, **options)
            return self._asides[node]

    async def _open(self, manager: Any, node: int | str, seconds: float) -> Any:
        if delay := manager.connection_delay(node):
            await self._net.sleep(delay)
        connection = manager.get_connection(node, timeout_ms=seconds * 1000, refresh_metadata_on_err=False)
        await manager.wait_for(connection.init_future, seconds * 1000)
        return connection

    async def _send(self, manager: Any, node: int | str, request: Any, seconds: float) -> Any:
        connection = await self._open(manager, node, seconds)
        while connection.paused and not connection.closed:  # the broker throttles us
            await self._net.sleep(_THROTTLED)
        future = connection.send_request(request, request_timeout_ms=seconds * 1000)
        return await manager.wait_for(future, seconds * 1000)

    def _note_answer(self, awake: list[Any], node: Any, _: Any) -> None:
        with self._changed:
            awake.append(node)
            self._changed.notify_all()

    def _note_failure(self, failed: dict[Any, CannotLook], key: Any, label: str, seconds: float, error: Any) -> None:
        with self._changed:
            failed[key] = _reason(error, label, seconds)
            self._changed.notify_all()

    def _wait(self, work: Any, seconds: float, label: str) -> Any:
        """Run a coroutine on the client's thread; a thread that hangs (in a name look-up) does not hold us."""
        ended = threading.Event()
        future = self._net.call_soon_with_future(work)
        future.add_both(lambda _: ended.set())
        if not ended.wait(seconds + 0.1):
            raise silence(label, seconds)
        if future.exception is not None:
            raise _reason(future.exception, label, seconds)
        return future.value


def quiet(name: str) -> logging.Logger:
    """Return a library's logger, silenced: what matters comes as errors."""
    logger = logging.getLogger(name)
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    logger.setLevel(logging.CRITICAL + 1)
    return logger


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _reason(error: BaseException, label: str, seconds: float) -> CannotLook:
    reason = from_kafka_python(error, label)
    return silence(label, seconds) if isinstance(reason, TimedOut) else reason


def _nobody(servers: Iterable[str], failed: dict[str, CannotLook], seconds: float) -> CannotLook:
    reasons = [failed.get(server) or silence(server, seconds) for server in sorted(servers)]
    if len(reasons) == 1:
        return reasons[0]
    kinds = {type(reason) for reason in reasons}
    kind = kinds.pop() if len(kinds) == 1 else Unreachable
    return kind("no bootstrap server answers: " + "; ".join(str(reason) for reason in reasons))
