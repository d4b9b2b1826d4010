"""What is in force in each producer: as its files say, or else by default of its library."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, NamedTuple

from runbook.formats.setting_names import is_of_java
from runbook.model.errors import Misconfigured
from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import Bytes, Milliseconds
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._client_defaults import LIBRARIES, Library, libraries
from runbook.views._producer_defaults import possible
from runbook.views.consumer_config import InForce, by_client, library_shown

_IN_FLIGHT: Final = "max.in.flight.requests.per.connection"
_MOST_IN_FLIGHT: Final = 5
"""Of an idempotent producer: brokers remember five batches of each (ProducerStateEntry.NUM_BATCHES_TO_RETAIN)."""
_ENDLESS: Final = 2147483647
_OF_SOURCES: Final = "exactly.once.source.support"
"""Of a Connect worker: enabled, its sources write in transactions (Worker.exactlyOnceSourceTaskProducerConfigs)."""
_MOST_RECORDS: Final = "queue.buffering.max.messages"  # of librdkafka; 0 is no limit, from 2.0 on
_HASHES: Final = {
    "consistent": "crc32",
    "consistent_random": "crc32",
    "murmur2": "murmur2",
    "murmur2_random": "murmur2",
    "fnv1a": "fnv1a",
    "fnv1a_random": "fnv1a",
    "random": "none",
    "DefaultPartitioner": "murmur2",
    "RoundRobinPartitioner": "none",
    "UniformStickyPartitioner": "none",
}
"""Partitioners of librdkafka (CONFIGURATION.md) and of Java's clients → how they hash a key; none: they ignore it."""


class ProducerConfig(Row):
    """A producer, or those of a Streams application or a Connect worker."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    kind: Annotated[str, Cell("producer, streams or connect.")]
    library: Annotated[str, Cell("java, librdkafka or spring, with its release if reported; empty if not known.")]
    acks: Annotated[str | None, Cell("acks: all, 1 or 0; unknown if the library decides.")]
    idempotent: Annotated[bool | None, Cell("Whether it is idempotent: enable.idempotence, and nothing turns it off.")]
    why: Annotated[str, Cell("What keeps it from being idempotent; empty if nothing does, or it is not known.")]
    retries: Annotated[int | None, Cell("retries.", unit="retries")]
    resends: Annotated[bool | None, Cell("Whether it may send a batch again: never with acks=0 or retries=0.")]
    in_flight: Annotated[int | None, Cell(f"{_IN_FLIGHT}.", unit="requests")]
    linger: Annotated[Milliseconds | None, Cell("linger.ms.")]
    request_timeout: Annotated[Milliseconds | None, Cell("request.timeout.ms.")]
    delivery_timeout: Annotated[
        Milliseconds | None, Cell("delivery.timeout.ms; 2147483647 where librdkafka's 0 leaves it without an end.")
    ]
    batch_size: Annotated[Bytes | None, Cell("batch.size.")]
    max_request_size: Annotated[Bytes | None, Cell("max.request.size, of librdkafka message.max.bytes.")]
    buffer_memory: Annotated[Bytes | None, Cell("buffer.memory, of librdkafka queue.buffering.max.kbytes.")]
    buffered_seconds: Annotated[
        float | None,
        Cell(
            "How long the buffer takes what it writes; unknown if its rate was not told.",
            unit="s",
            untold="no rate was told; of librdkafka, which counts records too, say both: billing=2000000/2000",
        ),
    ]
    compression: Annotated[str | None, Cell("compression.type.")]
    fixed_id: Annotated[
        str, Cell("transactional.id as its files write it out; empty if they have none, or leave it to a variable.")
    ]
    twins: Annotated[list[str], Cell("Other clients whose files write out the same transactional.id.")]
    transactional: Annotated[bool | None, Cell("Whether it writes in transactions.")]
    transaction_timeout: Annotated[Milliseconds | None, Cell("transaction.timeout.ms.")]
    hash: Annotated[str | None, Cell("How keys become partitions: murmur2, crc32, fnv1a, none, or a class of its own.")]
    said: Annotated[list[str], Cell("The settings that its files have.")]


VIEW = View(
    help="One row per producer whose files are known: what is in force, defaults of its library included.",
    row=ProducerConfig,
    inputs={"config": Input("client_config", columns=("client", "kind", "setting", "value"))},
    parameters={
        "libraries": LIBRARIES,
        "rates": Parameter(
            type="list[string]",
            help="bytes, and records, that a producer writes a second at its peak, as in [billing=2000000/2000]",
        ),
    },
)


class OfProducer(InForce):
    """The settings of one client's producers."""

    def __init__(self, said: Mapping[str, str | None], library: Library | None, within: str) -> None:
        """Know what its files say, its library, and the framework around it."""
        super().__init__(said, library, streams=within == "streams")
        self.within = within

    def default(self, setting: str) -> list[str]:
        """The values that a setting may have where no file says it."""
        return possible(setting, self.library, self.within)

    @property
    def of_librdkafka(self) -> bool | None:
        """Whether its library is librdkafka; None if it is not known."""
        return None if self.library is None else self.library.name == "librdkafka"

    def either(self, of_java: str, of_librdkafka: str) -> int | None:
        """A setting that librdkafka calls otherwise and counts alike."""
        if of_librdkafka in self.said or self.of_librdkafka:
            return self.number(of_librdkafka)
        return self.number(of_java) if of_java in self.said or self.of_librdkafka is False else None


def producers(config: Fact, entries: Sequence[str] | None) -> dict[str, OfProducer]:
    """The producers among the clients of client_config, by name; of Streams and Connect those that they have inside."""
    library = libraries(entries or ())
    return {
        client: _in_force(of, library(client))
        for client, of in sorted(by_client(config).items())
        if ({"producer", "streams"} & {*of} or _is_worker(of)) and "mirrormaker" not in of
    }


def _is_worker(of: Mapping[str, Mapping[str, str | None]]) -> bool:
    """Whether it is a worker of Connect, which has producers whatever its file says; a connector's file is none."""
    return "connect" in of and "connector.class" not in of["connect"]


def _in_force(of: Mapping[str, Mapping[str, str | None]], library: Library | None) -> OfProducer:
    within = next((name for name in ("streams", "connect") if name in of), "")
    said = {**(of["streams"] if within == "streams" else {}), **of.get("producer", {})}
    if library is None and (within or any(map(is_of_java, said))):
        library = Library("java", ())
    if within == "streams":
        said |= _exactly_once(said.get("processing.guarantee", ""))
    if within == "connect" and (support := of["connect"].get(_OF_SOURCES, "disabled")) != "disabled":
        said = {"enable.idempotence": "true" if support == "enabled" else None, **said}
    return OfProducer(said, library, within)


def _exactly_once(guarantee: str | None) -> dict[str, str | None]:
    """What Streams gives its producers, whatever files say, if it promises exactly once (PRODUCER_EOS_OVERRIDES)."""
    forced = {"enable.idempotence": "true", "delivery.timeout.ms": str(_ENDLESS), "transaction.timeout.ms": "10000"}
    if guarantee is None:
        return dict.fromkeys((*forced, "transactional.id"))
    return {**forced, "transactional.id": None} if guarantee.startswith("exactly_once") else {}


def compute(*, config: Fact, libraries: Sequence[str] | None = None, rates: Sequence[str] | None = None) -> Observed:
    """Work it out from client_config."""
    of = dict(_rate(entry) for entry in rates or ())
    there = producers(config, libraries)
    sharing: dict[str, list[str]] = {}
    for client, one in there.items():
        sharing.setdefault(_fixed_id(one), []).append(client)
    return Observed(
        rows=[
            _row(client, one, of.get(client), [other for other in sharing[_fixed_id(one)] if other != client])
            for client, one in there.items()
        ]
    )


def _fixed_id(one: OfProducer) -> str:
    return (one.said.get("transactional.id") or "").strip()


class _Rate(NamedTuple):
    """What a producer writes a second; no number of records if none was told."""

    bytes: float
    records: float | None


def _rate(entry: str) -> tuple[str, _Rate]:
    client, _, rate = entry.partition("=")
    size, _, records = rate.partition("/")
    try:
        return client.strip(), _Rate(float(size), float(records) if records else None)
    except ValueError:
        raise Misconfigured(f"rates: {entry!r} is no rate of a client; write billing=2000000/2000") from None


def _buffered(one: OfProducer, buffer: int | None, rate: _Rate | None) -> float | None:
    """Seconds until the buffer is full: librdkafka's is at its records or its bytes (rd_kafka_curr_msgs_add)."""
    if buffer is None or rate is None or not rate.bytes:
        return None
    by_bytes = buffer / rate.bytes
    if not one.of_librdkafka and _MOST_RECORDS not in one.said:
        return by_bytes
    most = one.number(_MOST_RECORDS)
    if most == 0:
        return by_bytes
    return None if most is None or not rate.records else min(by_bytes, most / rate.records)


def _row(client: str, one: OfProducer, rate: _Rate | None, sharing: list[str]) -> ProducerConfig:
    idempotent, why = _idempotent(one)
    timeout = one.number("delivery.timeout.ms")
    buffer = _buffer(one)
    fixed = _fixed_id(one)
    return ProducerConfig(
        client=client,
        kind=one.within or "producer",
        library=library_shown(one.library),
        acks=acks(one),
        idempotent=idempotent,
        why=why,
        retries=one.number("retries"),
        resends=_resends(one),
        in_flight=one.number(_IN_FLIGHT),
        linger=_ms(one.number("linger.ms")),
        request_timeout=_ms(one.number("request.timeout.ms")),
        delivery_timeout=_ms(_ENDLESS if timeout == 0 and one.of_librdkafka else timeout),
        batch_size=_bytes(one.number("batch.size")),
        max_request_size=_bytes(one.either("max.request.size", "message.max.bytes")),
        buffer_memory=_bytes(buffer),
        buffered_seconds=_buffered(one, buffer, rate),
        compression=one.value("compression.type"),
        fixed_id=fixed,
        twins=sharing if fixed else [],
        transactional=_transactional(one),
        transaction_timeout=_ms(one.number("transaction.timeout.ms")),
        hash=key_hash(one),
        said=sorted(one.said),
    )


def acks(one: OfProducer) -> str | None:
    """What it waits for: all, 1 or 0."""
    value = one.value("acks")
    several = one.may_be("acks") or []
    if value is None and several and all(_plain(each) == "all" for each in several):
        return "all"
    return None if value is None else _plain(value)


def _plain(value: str) -> str:
    return "all" if value.strip().lower() in ("all", "-1") else value.strip()


def _idempotent(one: OfProducer) -> tuple[bool | None, str]:
    """Whether it is, and what keeps it from it (ProducerConfig.postProcessAndValidateIdempotenceConfigs)."""
    if "enable.idempotence" in one.said:
        value = (one.said["enable.idempotence"] or "").strip().lower()
        return {"true": (True, ""), "false": (False, "enable.idempotence=false")}.get(value, (None, ""))
    if one.of_librdkafka and one.said.get("transactional.id"):
        return True, ""
    retries, in_flight = one.number("retries"), one.number(_IN_FLIGHT)
    for setting, off in (
        ("acks", acks(one) in ("0", "1")),
        ("retries", retries == 0),
        (_IN_FLIGHT, in_flight is not None and in_flight > _MOST_IN_FLIGHT),
    ):
        if off and setting in one.said:
            return False, f"{setting}={one.said[setting]}"
    default = one.value("enable.idempotence")
    if default == "false":
        return False, "the default of Connect" if one.within == "connect" else "the default of its library"
    known = default == "true" and None not in (acks(one), retries, in_flight)
    return (True, "") if known else (None, "")


def _resends(one: OfProducer) -> bool | None:
    """Whether it may send a batch again; known without its release where all releases agree."""
    zero = [{value.strip() == "0" for value in one.may_be(setting) or ()} for setting in ("acks", "retries")]
    if {True} in zero:
        return False
    return True if all(each == {False} for each in zero) else None


def _transactional(one: OfProducer) -> bool | None:
    if one.within == "streams":
        guarantee = one.said.get("processing.guarantee", "")
        return None if guarantee is None else guarantee.startswith("exactly_once")
    return one.said.get("transactional.id", "") != ""


def _buffer(one: OfProducer) -> int | None:
    if "queue.buffering.max.kbytes" in one.said or one.of_librdkafka:
        kilobytes = one.number("queue.buffering.max.kbytes")
        return None if kilobytes is None else kilobytes * 1024
    return one.number("buffer.memory") if "buffer.memory" in one.said or one.of_librdkafka is False else None


def key_hash(one: OfProducer) -> str | None:
    """How it turns a key into a partition."""
    if "partitioner" in one.said or one.of_librdkafka:
        value = one.value("partitioner")
        return None if value is None else _HASHES.get(value.strip(), value.strip())
    if value := one.said.get("partitioner.class", ""):
        name = value.strip().rpartition(".")[2]
        return _HASHES.get(name, name)
    if one.of_librdkafka is None or {None} & {one.said.get(name, "") for name in ("partitioner.class", _IGNORES)}:
        return None
    return "none" if (one.said.get(_IGNORES) or "").strip().lower() == "true" else "murmur2"


_IGNORES: Final = "partitioner.ignore.keys"


def _ms(value: int | None) -> Milliseconds | None:
    return None if value is None else Milliseconds(value)


def _bytes(value: int | None) -> Bytes | None:
    return None if value is None else Bytes(value)
