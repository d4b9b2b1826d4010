"""What is in force in each consumer: as its files say, or else by default of its library."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final

from runbook.formats.setting_names import is_of_java
from runbook.model.fact import Fact, Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import Milliseconds
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._client_defaults import LIBRARIES, Library, libraries, possible

# ConsumerConfig, CONSUMER_PROTOCOL_UNSUPPORTED_CONFIGS (Kafka 4.3); librdkafka refuses the same (2.12, CHANGELOG).
_OF_CLASSIC: Final = ("heartbeat.interval.ms", "partition.assignment.strategy", "session.timeout.ms")
# KIP-1071: StreamsConfig 4.3 refuses group.instance.id with group.protocol=streams, 4.4 takes it; the others are the
# group's: streams.heartbeat.interval.ms and so on.
_STATIC: Final = "group.instance.id"
_STATIC_SINCE: Final = (4, 4)
_NO_STANDBY: Final = ("num.standby.replicas", "0")
_OF_STREAMS_GROUP: Final = ("heartbeat.interval.ms", "num.standby.replicas", "session.timeout.ms")
# What a Connect worker gives the consumers of its sinks (Worker.baseConsumerConfigs).
_OF_CONNECT: Final = {"auto.offset.reset": "earliest", "enable.auto.commit": "false"}
# librdkafka's other words for the same.
_RESETS: Final = {"smallest": "earliest", "beginning": "earliest", "largest": "latest", "end": "latest"}


class ConsumerConfig(Row):
    """A consumer, or a Streams application with its consumers."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    kind: Annotated[str, Cell("consumer or streams.")]
    library: Annotated[str, Cell("java, librdkafka or spring, with its release if reported; empty if not known.")]
    group: Annotated[
        str | None, Cell("group.id, of Streams application.id; empty if its files have none.", entity="group")
    ]
    protocol: Annotated[str | None, Cell("group.protocol: classic, consumer (KIP-848) or streams (KIP-1071).")]
    session_timeout: Annotated[Milliseconds | None, Cell("session.timeout.ms; unknown if the library decides.")]
    session_timeouts: Annotated[
        list[int] | None, Cell("What it may be: one value, or the defaults of the libraries that may be.", unit="ms")
    ]
    heartbeat_interval: Annotated[Milliseconds | None, Cell("heartbeat.interval.ms.")]
    max_poll_interval: Annotated[Milliseconds | None, Cell("max.poll.interval.ms.")]
    auto_commit: Annotated[bool | None, Cell("enable.auto.commit.")]
    isolation_level: Annotated[str | None, Cell("isolation.level.")]
    offset_reset: Annotated[str | None, Cell("auto.offset.reset, in the words of Java's clients.")]
    assignors: Annotated[
        list[str] | None, Cell("partition.assignment.strategy, by the names that groups show: range, sticky, …")
    ]
    instance_id: Annotated[str | None, Cell("group.instance.id; empty if it is a dynamic member.")]
    static: Annotated[bool | None, Cell("Whether its files make it a static member, also by a variable.")]
    said: Annotated[list[str], Cell("The settings that its files have.")]
    refused: Annotated[
        list[str] | None, Cell("Those that its files have and a client of the new protocol does not start with.")
    ]
    ignored: Annotated[
        list[str] | None, Cell("Those that its files have and a Streams group takes from itself or from brokers.")
    ]


VIEW = View(
    help="One row per consumer whose files are known: what is in force, defaults of its library included.",
    row=ConsumerConfig,
    version=2,
    inputs={
        "config": Input("client_config", columns=("client", "kind", "setting", "value")),
    },
    parameters={
        "libraries": LIBRARIES,
        "named": Parameter(type="list[string]", help="clients whose files must be known, as in [billing]"),
    },
)


class InForce:
    """The settings of one client's consumers."""

    def __init__(self, said: Mapping[str, str | None], library: Library | None, *, streams: bool) -> None:
        """Know what its files say, and its library."""
        self.said = said
        self.library = library
        self.streams = streams

    def may_be(self, setting: str) -> list[str] | None:
        """The values that a setting may have; None where a file leaves it to a variable."""
        if setting in self.said:
            value = self.said[setting]
            return None if value is None else [value]
        return self.default(setting)

    def default(self, setting: str) -> list[str]:
        """The values that a setting may have where no file says it."""
        return possible(setting, self.library, streams=self.streams)

    def value(self, setting: str) -> str | None:
        """The one value that a setting has; None if it is not known."""
        found = self.may_be(setting)
        return found[0] if found is not None and len(found) == 1 else None

    def number(self, setting: str) -> int | None:
        """The same as a number; None also for what is none."""
        value = self.value(setting)
        return int(value) if value is not None and value.strip().isdecimal() else None

    def ms(self, setting: str) -> Milliseconds | None:
        """The same as milliseconds."""
        number = self.number(setting)
        return None if number is None else Milliseconds(number)


def by_client(config: Fact) -> dict[str, dict[str, dict[str, str | None]]]:
    """The values of client_config by client, kind of client and setting, without what reaches no client."""
    kinds: dict[str, dict[str, dict[str, str | None]]] = {}
    for row in config.rows():
        if row.get("ignored_because"):
            continue
        settings = kinds.setdefault(row["client"], {}).setdefault(row["kind"], {})
        settings[row["setting"]] = row["value"]
    return kinds


def consumers(config: Fact, entries: Sequence[str] | None) -> dict[str, InForce]:
    """The consumers among the clients of client_config, by name; of Streams those that it has inside."""
    library = libraries(entries or ())
    return {
        client: _in_force(of, library(client))
        for client, of in sorted(by_client(config).items())
        if {"consumer", "streams"} & {*of}
    }


def _in_force(of: Mapping[str, Mapping[str, str | None]], library: Library | None) -> InForce:
    said = {**of.get("streams", {}), **(_OF_CONNECT if "connect" in of else {}), **of.get("consumer", {})}
    if library is None and ("connect" in of or any(map(is_of_java, said))):
        library = Library("java", ())
    return InForce(said, library, streams="streams" in of)


def compute(*, config: Fact, libraries: Sequence[str] | None = None, named: Sequence[str] | None = None) -> Observed:
    """Work it out from client_config; a client that is named and has no file is a gap."""
    there = consumers(config, libraries)
    lacking = [name for name in dict.fromkeys(named or ()) if name not in there]
    return Observed(
        rows=[_row(client, consumer) for client, consumer in there.items()],
        gaps=[Gap(f"no file of consumer {name} is known", {"client": name}) for name in lacking],
    )


def _row(client: str, one: InForce) -> ConsumerConfig:
    protocol = one.value("group.protocol")
    timeouts = one.may_be("session.timeout.ms")
    instance = one.said.get("group.instance.id", "")
    return ConsumerConfig(
        client=client,
        kind="streams" if one.streams else "consumer",
        library=library_shown(one.library),
        group=one.said.get("application.id" if one.streams else "group.id", ""),
        protocol=None if protocol is None else protocol.lower(),
        session_timeout=one.ms("session.timeout.ms"),
        session_timeouts=_numbers(timeouts),
        heartbeat_interval=one.ms("heartbeat.interval.ms"),
        max_poll_interval=one.ms("max.poll.interval.ms"),
        auto_commit=_switch(one.value("enable.auto.commit")),
        isolation_level=_isolation(one),
        offset_reset=offset_reset(one.value("auto.offset.reset")),
        assignors=assignors(one.value("partition.assignment.strategy")),
        instance_id=instance,
        static=instance != "",
        said=sorted(one.said),
        refused=_refused(one, protocol),
        ignored=_ignored(one, protocol),
    )


def library_shown(library: Library | None) -> str:
    """A library with its release, as `java 4.3`; "" for one that is not known."""
    return "" if library is None else " ".join([library.name, ".".join(map(str, library.release))]).strip()


def _numbers(values: Iterable[str] | None) -> list[int] | None:
    texts = None if values is None else [*values]
    return (
        sorted(int(value) for value in texts) if texts and all(value.strip().isdecimal() for value in texts) else None
    )


def _switch(value: str | None) -> bool | None:
    return None if value is None else {"true": True, "false": False}.get(value.strip().lower())


def _isolation(one: InForce) -> str | None:
    """Streams reads what is committed if it promises exactly once, whatever its files say of its consumers."""
    guarantee = one.said.get("processing.guarantee", "")
    if one.streams and guarantee is None:
        return None
    if one.streams and str(guarantee).startswith("exactly_once"):
        return "read_committed"
    value = one.value("isolation.level")
    return "read_uncommitted" if one.streams and "isolation.level" not in one.said else value


def offset_reset(value: str | None) -> str | None:
    """A value of auto.offset.reset, in the words of Java's clients."""
    return None if value is None else _RESETS.get(value.strip().lower(), value.strip())


def assignors(value: str | None) -> list[str] | None:
    """Assignors by the names that groups show; a class that is none of Kafka's own keeps its name."""
    if value is None:
        return None
    names = (part.strip().rpartition(".")[2] for part in value.split(",") if part.strip())
    return [_ASSIGNORS.get(name, name) for name in names]


_ASSIGNORS: Final = {
    "RangeAssignor": "range",
    "RoundRobinAssignor": "roundrobin",
    "StickyAssignor": "sticky",
    "CooperativeStickyAssignor": "cooperative-sticky",
}


def _refused(one: InForce, protocol: str | None) -> list[str] | None:
    if protocol is None:
        return None
    if _is_streams_group(one, protocol):
        return _refused_by_streams(one)
    there: list[Any] = [name for name in _OF_CLASSIC if name in one.said]
    return there if protocol.lower() == "consumer" else []


def _refused_by_streams(one: InForce) -> list[str] | None:
    """Unknown if the release decides, and is not known."""
    if one.said.get(_STATIC, "") == "":
        return []
    release = one.library.release if one.library else ()
    if not release:
        return None
    return [] if release >= _STATIC_SINCE else [_STATIC]


def _ignored(one: InForce, protocol: str | None) -> list[str] | None:
    """What a Streams group ignores; no standby replica is what it has anyway."""
    if protocol is None:
        return None
    if not _is_streams_group(one, protocol):
        return []
    return [name for name in _OF_STREAMS_GROUP if name in one.said and (name, one.said[name]) != _NO_STANDBY]


def _is_streams_group(one: InForce, protocol: str) -> bool:
    return one.streams and protocol.lower() == "streams"
