"""What the broker at one address tells of its cluster, where librdkafka alone can ask.

As soon as librdkafka knows several brokers it asks whichever it likes, and takes what any of them says for true: an
answer of it proves nothing about an address. What it heard there first, before it knew of any other, it tells only to
who debugs it. So each address is asked through a handle of its own, whose words are read.
"""

import logging
import re
import socket
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Final

from msgspec import Struct

from runbook.answers.kafka.errors import SAYS_ALL, would_recur
from runbook.connections.kafka.errors import NO_CONNECTION, TELLS_THE_CAUSE, from_librdkafka, from_words, silence
from runbook.connections.kafka.identity import strangers, together
from runbook.connections.kafka.listener_protocol import none_answers, others_than_ours
from runbook.connections.kafka.properties import SERVERS
from runbook.formats.addresses import host_port, split
from runbook.model.errors import CannotLook
from runbook.model.probe import Deadline

_GLANCE: Final = 0.25
_GLIMPSE: Final = 0.05
_AT_ONCE: Final = 32  # handles of librdkafka, which begins a thread for each broker that it knows
_ASKING: Final = threading.Lock()
_DEBUGGING: Final = 7  # of syslog
_RECEIVED: Final = re.compile(r"===== Received metadata")
_CLUSTER: Final = re.compile(r"(?:^|\s)(?:\w+://)?([^/\s]+)/\S+: ClusterId: (\S+), ControllerId: ")
_BROKER: Final = re.compile(r"/\S+:\s+Broker #\d+/\d+: (\S+):(\d+) NodeId (-?\d+)")


class Neighbour(Struct, frozen=True):
    """A broker of the same cluster, as the one that was asked knows it."""

    id: int
    host: str
    port: int


class Introduction(Struct, frozen=True):
    """What a broker tells of its cluster: the id, and the brokers with their addresses."""

    cluster_id: str
    brokers: Mapping[int, Neighbour]

    @property
    def addresses(self) -> dict[int, str]:
        """Broker → host:port."""
        return {broker.id: host_port(broker.host, broker.port) for broker in self.brokers.values()}


class Introductions:
    """What is told at addresses, each of which is asked once."""

    def __init__(self, config: Mapping[str, Any], clock: Deadline) -> None:
        """Ask with these settings of librdkafka."""
        self._config = config
        self._clock = clock
        self._asked: dict[str, Future[Introduction]] = {}

    def of_servers(self, servers: Sequence[str]) -> dict[str, Introduction]:
        """What bootstrap servers tell, of those that do so in time: one may lead to another cluster than the others."""
        asked = {future: server for server, future in self._ask(servers).items()}
        introductions: dict[str, Introduction] = {}
        began = time.monotonic()
        rest, end = set(asked), began + self._clock.request() + _GLANCE
        while rest and (left := end - time.monotonic()) > 0:
            done, rest = wait(rest, timeout=left, return_when=FIRST_COMPLETED)
            introductions |= {asked[future]: future.result() for future in done if future.exception() is None}
            if introductions:
                brokers = next(iter(introductions.values())).brokers.values()
                late = strangers([asked[future] for future in rest], brokers)
                patience = self._clock.request() / 2 if late else 0.0
                end = min(end, max(began + patience, time.monotonic() + together(time.monotonic() - began)))
        return introductions

    def why_none(self, servers: Sequence[str], protocol: str) -> CannotLook | None:
        """Why none of these bootstrap servers told anything; None where that may be so by chance.

        Args:
            servers: host:port of each.
            protocol: our `security.protocol`.
        """
        failures = {server: future.exception() for server, future in self._ask(servers).items() if future.done()}
        told = {at: why for at, why in failures.items() if isinstance(why, CannotLook) and would_recur(why)}
        rest = [server for server in servers if not isinstance(told.get(server), SAYS_ALL)]
        others = others_than_ours(rest, protocol, self._clock.left())
        if not others and len(told) < len(servers):
            return None
        reasons = told | others
        return none_answers({at: reasons.get(at) or silence(at, self._clock.request()) for at in servers})

    def soon(self, servers: Sequence[str]) -> dict[str, Introduction]:
        """What is told at addresses, of those that need not much longer than the first."""
        asked, began = self._ask(servers), time.monotonic()
        wait(asked.values(), timeout=self._clock.request(), return_when=FIRST_COMPLETED)
        done, _ = wait(asked.values(), timeout=together(time.monotonic() - began))
        return {
            server: future.result() for server, future in asked.items() if future in done and not future.exception()
        }

    def at(self, server: str, seconds: float) -> Introduction | None:
        """What is told at an address within so many seconds; None where nothing is."""
        asked = self._ask([server])[server]
        wait([asked], timeout=seconds + _GLANCE)
        return asked.result() if asked.done() and not asked.exception() else None

    def _ask(self, servers: Sequence[str]) -> dict[str, "Future[Introduction]"]:
        with _ASKING:
            new = [server for server in servers if server not in self._asked]
            pool = ThreadPoolExecutor(min(_AT_ONCE, len(new)) or 1, thread_name_prefix="kafka-introduction")
            seconds = self._clock.request()
            self._asked |= {server: pool.submit(introduce, self._config, server, seconds) for server in new}
            pool.shutdown(wait=False)
        return {server: self._asked[server] for server in servers}


def introduce(config: Mapping[str, Any], server: str, seconds: float) -> Introduction:
    """Ask the broker at an address of which cluster it is.

    Raises:
        CannotLook: it did not tell.
    """
    from confluent_kafka import KafkaException
    from confluent_kafka.admin import AdminClient

    heard: list[str] = []
    refusals: list[CannotLook] = []

    def hear(error: Any) -> None:
        if tell := config.get("error_cb"):
            tell(error)
        if error.name() in TELLS_THE_CAUSE and would_recur(reason := from_words(str(error.str()), server)):
            refusals.append(reason)

    settings: dict[str, Any] = {SERVERS: server, "debug": "metadata", "log_level": _DEBUGGING, "error_cb": hear}
    client = AdminClient({**config, **settings}, logger=listener(heard.append))
    end, patience = time.monotonic() + seconds, _GLANCE
    while True:
        failure = None
        try:  # of a topic that can't be there, and so of none
            client.list_topics(topic=uuid.uuid4().hex, timeout=max(_GLIMPSE, min(patience, end - time.monotonic())))
        except KafkaException as error:
            failure = error.args[0]
        client.poll(0)  # which hands over what it said
        if found := first_introduction(heard, server):
            return found
        if refusals and len(refusals) >= _ways_to(server):
            raise refusals[0]
        if failure is None or failure.name() not in NO_CONNECTION or time.monotonic() >= end:
            raise silence(server, seconds) if failure is None else from_librdkafka(failure, server)
        patience *= 2  # it holds out for all of it, also where it knows better: so not for long at first


def _ways_to(server: str) -> int:
    """How many addresses a server's name has: librdkafka goes to one after the other, and one may lead further."""
    try:
        return len({found[4][0] for found in socket.getaddrinfo(*split(server), type=socket.SOCK_STREAM)})
    except OSError:
        return 1


def first_introduction(heard: Sequence[str], server: str) -> Introduction | None:
    """Read what was told first, if the server of this address told it."""
    cluster = ""
    brokers: dict[int, Neighbour] = {}
    for line in heard:
        if said := _CLUSTER.search(line):
            if cluster or said[1] != server:
                break
            cluster = said[2]
        elif cluster and (said := _BROKER.search(line)):
            brokers[int(said[3])] = Neighbour(int(said[3]), said[1].strip("[]"), int(said[2]))
        elif cluster and _RECEIVED.search(line):
            break
    return Introduction(cluster, brokers) if cluster else None


def listener(note: Callable[[str], None]) -> logging.Logger:
    """A logger of librdkafka that hands what it says to `note`, and writes nothing."""
    logger = logging.Logger("runbook.librdkafka", logging.DEBUG)  # noqa: LOG001 - each client has its own, and no other
    logger.addHandler(logging.NullHandler())

    def hand_over(record: logging.LogRecord) -> bool:
        note(record.getMessage())
        return True

    logger.addFilter(hand_over)
    return logger
