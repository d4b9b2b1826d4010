"""Settings that follow from what producers measure: linger.ms, batch.size and compression.type, by objective."""

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Annotated, Any, Final

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell
from runbook.model.view import Input, View
from runbook.views import _producer_defaults
from runbook.views._client_defaults import LIBRARIES
from runbook.views._producer_formulas import (
    BatchBounds,
    Batches,
    batch_size,
    codec,
    linger_for_latency,
    linger_for_throughput,
)
from runbook.views._recommendations import (
    LATENCY,
    OBJECTIVES,
    ClientFiles,
    ClientSettings,
    Recommendation,
    rounded,
    told,
)

_ALONE: Final = 76
"""What record-size-avg counts for a record and batches do not hold: it is the upper bound of a batch with that record
alone, with 61 bytes of the batch, and 21 for fields of the record (MAX_RECORD_OVERHEAD) that take about 6."""
_JOINED: Final = 1.25  # records in a batch from which the pace at which they join it is measurable: our judgement
_DOCS: Final = "Apache Kafka documentation, producer configs"
_LINGER: Final = f"{_DOCS}: linger.ms, batch.size; KIP-1030: 5 ms by default from 4.0"
_SIZE: Final = f"{_DOCS}: batch.size, max.request.size, buffer.memory"
_CODEC: Final = f"{_DOCS}: compression.type, of full batches"


class RecommendedProducerSetting(Recommendation):
    """A setting of a producer whose own metrics are known."""

    application: Annotated[str, Cell("The application's name in the inventory.", key=True)]
    client: Annotated[str, Cell("client.id.", key=True)]


_SENT: Final = ("application", "client", "sent", "record_size", "queue_time")
_BATCHES: Final = ("application", "client", "batch_size", "compression_ratio", "latency")
VIEW = View(
    help="Three rows per Java producer and objective: linger.ms, batch.size, compression.type, each with its formula.",
    row=RecommendedProducerSetting,
    leaves_out="producers that show no metrics",
    inputs={
        "send": Input("client_send", columns=_SENT),
        "producer": Input("client_producer", columns=_BATCHES, tells=True),
        "config": Input("client_config", columns=("client", "kind", "setting", "value", "file", "line"), tells=True),
        "topic": Input("kafka_topic", columns=("name", "partitions", "max_message_bytes"), tells=True),
    },
    parameters={
        "delay": Parameter("int", 100, min=0, help="the most milliseconds that a record may wait for others"),
        "writes": Parameter("list[string]", help="who writes what, by patterns of topics, as in [billing=orders*]"),
        "libraries": LIBRARIES,
    },
)


def compute(  # noqa: PLR0913 - each is an input or a parameter of the view
    *,
    send: Fact,
    producer: Fact,
    config: Fact,
    topic: Fact,
    delay: int = 100,
    writes: Sequence[str] | None = None,
    libraries: Sequence[str] | None = None,
) -> Observed:
    """Compute them from what client_send and client_producer show, beside client_config."""
    shown = {(row["application"], row["client"]): row for row in producer.rows(*_BATCHES)}
    files = ClientFiles(config, "producer", libraries, _producer_defaults.possible)
    rows: list[RecommendedProducerSetting] = []
    for row in send.rows(*_SENT):
        name = (row["application"], row["client"])
        here = files.of(*name)
        bounds = _bounds(topic, writes or (), name, here.of("buffer.memory").number)
        batches = _batches(row, shown.get(name, {}), bounds.partitions)
        rows.extend(
            RecommendedProducerSetting(application=name[0], client=name[1], **cells)
            for objective in OBJECTIVES
            for cells in _cells(batches, here, bounds, objective, delay)
        )
    return Observed(rows=rows)


def _bounds(topic: Fact, writes: Sequence[str], name: tuple[str, str], buffer: int | None) -> BatchBounds:
    """What is known of the topics that a producer was said to write; of all topics where none was said."""
    said = (entry.partition("=") for entry in writes)
    patterns = [pattern.strip() for client, _, pattern in said if client.strip() in name]
    there = list(topic.rows("name", "partitions", "max_message_bytes"))
    mine = [row for row in there if any(fnmatchcase(row["name"], pattern) for pattern in patterns)]
    counts, sizes = (
        [row[column] for row in of] for column, of in (("partitions", mine), ("max_message_bytes", mine or there))
    )
    return BatchBounds(
        largest=min(sizes) if sizes and None not in sizes and topic.complete else None,
        partitions=sum(counts) if counts and None not in counts and topic.complete else None,
        buffer=buffer,
    )


def _batches(send: Mapping[str, Any], shown: Mapping[str, Any], partitions: int | None) -> Batches:
    ratio, queued = shown.get("compression_ratio"), send["queue_time"]
    record = None if send["record_size"] is None or ratio is None else max(1.0, send["record_size"] - _ALONE) * ratio
    rate = None if send["sent"] is None else send["sent"] / 1000
    seen = Batches(record, rate, shown.get("batch_size"), latency=shown.get("latency"), ratio=ratio)
    if seen.records is not None and seen.records >= _JOINED and queued is not None and queued >= 1:
        how = f"{rounded(seen.records - 1)} join a batch in {rounded(queued)} ms (record-queue-time-avg)"
        return seen._replace(joining=(seen.records - 1) / queued, how=how)
    if rate is not None and partitions:
        how = f"{rounded(rate * 1000)} records/s over {partitions} partitions, if keys spread them evenly"
        return seen._replace(joining=rate / partitions, how=how)
    return seen


def _cells(
    batches: Batches, here: ClientSettings, bounds: BatchBounds, objective: str, delay: int
) -> Iterator[dict[str, Any]]:
    linger, size, compression = (here.of(setting) for setting in ("linger.ms", "batch.size", "compression.type"))
    if objective == LATENCY:
        advice = linger_for_latency(batches, linger)
    else:
        advice = linger_for_throughput(batches, linger, size, delay)
    yield told("linger.ms", objective, linger, advice, _LINGER)
    wait = linger.number if advice.value is None else int(advice.value)
    yield told("batch.size", objective, size, batch_size(batches, size, wait, bounds), _SIZE)
    yield told("compression.type", objective, compression, codec(batches, compression, objective), _CODEC)
