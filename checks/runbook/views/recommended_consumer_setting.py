"""Settings that follow from what consumers measure: fetch.min.bytes, fetch.max.wait.ms, max.partition.fetch.bytes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell
from runbook.model.view import Input, View
from runbook.views import _client_defaults
from runbook.views._client_defaults import LIBRARIES
from runbook.views._recommendations import (
    LATENCY,
    OBJECTIVES,
    Advice,
    ClientFiles,
    InForceHere,
    Recommendation,
    rounded,
    told,
)

_FULL: Final = 0.9  # as in throughput-latency/fetches-stay-below-their-limit
_BEHIND: Final = 1000.0  # records, as there: our judgement
_FLIGHT: Final = 0.5  # share of time that a fetch is in flight, as there: otherwise the application is the limit
_DOCS: Final = "Apache Kafka documentation, consumer configs"
_UNFETCHED: Final = "fetch-rate, fetch-size-avg or the partitions of its member: not shown"


class RecommendedConsumerSetting(Recommendation):
    """A setting of a consumer whose own metrics are known."""

    application: Annotated[str, Cell("The application's name in the inventory.", key=True)]
    client: Annotated[str, Cell("client.id.", key=True)]


_FETCH: Final = ("application", "client", "limit", "room", "size", "fill", "rate")
_LAG: Final = ("application", "client", "max_lag", "fetch_latency")
VIEW = View(
    help="Three rows per Java consumer and objective: what it waits for, how long, and how much a partition may bring.",
    row=RecommendedConsumerSetting,
    leaves_out="consumers that show no metrics",
    inputs={
        "fetch": Input("consumer_fetch", columns=_FETCH),
        "consumer": Input("client_consumer", columns=_LAG, tells=True),
        "config": Input("client_config", columns=("client", "kind", "setting", "value", "file", "line"), tells=True),
    },
    parameters={
        "delay": Parameter("int", 100, min=1, help="the most milliseconds that a fetch may wait for more records"),
        "libraries": LIBRARIES,
    },
)


def compute(
    *, fetch: Fact, consumer: Fact, config: Fact, delay: int = 100, libraries: Sequence[str] | None = None
) -> Observed:
    """Compute them from consumer_fetch and client_consumer, beside client_config."""
    own = {(row["application"], row["client"]): row for row in consumer.rows(*_LAG)}
    files = ClientFiles(config, "consumer", libraries, _client_defaults.possible)
    rows: list[RecommendedConsumerSetting] = []
    for row in fetch.rows(*_FETCH):
        name = (row["application"], row["client"])
        here = files.of(*name)
        least, longest, most = map(here.of, ("fetch.min.bytes", "fetch.max.wait.ms", "max.partition.fetch.bytes"))
        rows.extend(
            RecommendedConsumerSetting(application=name[0], client=name[1], **cells)
            for objective in OBJECTIVES
            for cells in _cells(dict.fromkeys(_LAG) | own.get(name, {}) | row, least, longest, most, objective, delay)
        )
    return Observed(rows=rows)


def _cells(
    seen: Mapping[str, Any], least: InForceHere, longest: InForceHere, most: InForceHere, objective: str, delay: int
) -> Iterator[dict[str, Any]]:
    wants = _least_for_latency(least) if objective == LATENCY else _least_for_throughput(seen, least, delay)
    yield told("fetch.min.bytes", objective, least, wants, f"{_DOCS}: fetch.min.bytes, fetch.max.wait.ms")
    yield told("fetch.max.wait.ms", objective, longest, _longest(wants, longest, delay), f"{_DOCS}: fetch.max.wait.ms")
    yield told("max.partition.fetch.bytes", objective, most, _most(seen), f"{_DOCS}: max.partition.fetch.bytes")


def _least_for_latency(least: InForceHere) -> Advice:
    """fetch.min.bytes where latency comes first: a fetch is answered as soon as there is a record."""
    formula = "fetch.min.bytes=1: a fetch is answered at the first record"
    if least.number is not None and least.number <= 1:
        return Advice(formula, "it waits for no more than one record")
    return Advice(formula, f"fetch.min.bytes={least.value}", "1", "more fetches, which take CPU time on brokers")


def _least_for_throughput(seen: Mapping[str, Any], least: InForceHere, delay: int) -> Advice:
    """fetch.min.bytes where throughput comes first: what one broker gets for it within what may be waited."""
    formula = f"fetch.min.bytes = fetches/s from a broker x fetch-size-avg x {delay} ms (`delay`)"
    rate, size = seen["rate"], seen["size"]
    if rate is None or size is None:
        return Advice(formula, lacking=_UNFETCHED)
    inputs = f"{rounded(rate)} fetches/s from each broker, {rounded(size)} bytes each"
    if seen["fill"] is not None and seen["fill"] >= _FULL:
        return Advice(formula, f"{inputs}: fetches are full, so it waits for nothing")
    in_time = rate * delay / 1000
    want = int(in_time * size)
    if in_time <= 1 or want <= 1 or (least.number is not None and least.number * 2 > want):
        return Advice(formula, inputs)
    trade = f"up to {delay} ms more for each record; about {rounded(1000 / delay)} fetches/s instead of {rounded(rate)}"
    return Advice(formula, inputs, str(want), trade)


def _longest(least: Advice, longest: InForceHere, delay: int) -> Advice:
    """fetch.max.wait.ms: bounds the wait for fetch.min.bytes, and is of no effect where that is 1."""
    formula = f"fetch.max.wait.ms = {delay} ms (`delay`) where fetch.min.bytes is raised"
    if least.lacking:
        return Advice(formula, lacking=least.lacking)
    if least.value in (None, "1"):
        return Advice(formula, "fetch.min.bytes is not raised")
    if longest.number is not None and longest.number <= delay:
        return Advice(formula, f"fetch.min.bytes={least.value}")
    trade = "a consumer that has nothing to read asks more often"
    return Advice(formula, f"fetch.min.bytes={least.value}", str(delay), trade)


def _most(seen: Mapping[str, Any]) -> Advice:
    """max.partition.fetch.bytes: the share of a partition in a full fetch, where fetches are full and it is behind."""
    formula = (
        "max.partition.fetch.bytes = fetch.max.bytes / partitions of a fetch, where fetches are full, "
        "one after the other, and it is behind"
    )
    fill, lag, room, rate, latency = (seen[name] for name in ("fill", "max_lag", "room", "rate", "fetch_latency"))
    if fill is None:
        return Advice(formula, lacking=_UNFETCHED)
    inputs = f"a fetch brings {rounded(seen['size'])} of at most {seen['limit']} bytes"
    if fill < _FULL:
        return Advice(formula, inputs)
    if lag is None or room is None or rate is None or latency is None:
        lacking = "records-lag-max, fetch-rate, fetch-latency-avg or the partitions of its member: not shown"
        return Advice(formula, inputs, lacking=lacking)
    inputs += f"; it is {rounded(lag)} records behind"
    if lag < _BEHIND or room <= seen["limit"]:
        return Advice(formula, inputs)
    inputs += f"; {rounded(rate)} fetches/s from each broker, {rounded(latency)} ms each"
    if rate * latency < _FLIGHT * 1000:
        return Advice(formula, f"{inputs}: its application is the limit, not the fetches")
    trade = "up to fetch.max.bytes of heap for each broker that it reads from"
    warning = "fetched records are processed by max.poll.records a time: max.poll.interval.ms stays as it is"
    return Advice(formula, inputs, str(room), trade, warning)
