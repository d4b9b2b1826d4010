"""For how long brokers keep the records of topics that say nothing, whichever setting says it."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId, Bytes, Milliseconds
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._broker_settings import by_broker

_MINUTE, _HOUR = 60_000, 3_600_000
_RETENTION = (("log.retention.ms", 1), ("log.retention.minutes", _MINUTE), ("log.retention.hours", _HOUR))
_ROLL = (("log.roll.ms", 1), ("log.roll.hours", _HOUR))
_FOR_EVER = -1


class BrokerRetention(Row):
    """A broker."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    retention_ms: Annotated[
        Milliseconds | None,
        Cell("log.retention.ms, else .minutes, else .hours, in milliseconds; -1 keeps records forever."),
    ]
    retention_bytes: Annotated[Bytes | None, Cell("log.retention.bytes per partition; -1 is no bound.")]
    segment_bytes: Annotated[Bytes | None, Cell("log.segment.bytes.")]
    roll_ms: Annotated[Milliseconds | None, Cell("log.roll.ms, else log.roll.hours, in milliseconds.")]
    given: Annotated[list[str] | None, Cell("Which of the settings of time are set, the one that counts first.")]


VIEW = View(
    help="One row per broker: what holds for topics that set no retention or segments of their own.",
    row=BrokerRetention,
    inputs={
        "setting": Input("kafka_broker_setting", columns=("broker", "setting", "value")),
    },
)


def compute(*, setting: Fact) -> Observed:
    """Work it out from kafka_broker_setting."""
    rows = []
    for broker, values in by_broker(setting).items():
        size, segment = values.get("log.retention.bytes"), values.get("log.segment.bytes")
        rows.append(
            BrokerRetention(
                broker=broker,
                retention_ms=_first(values, _RETENTION),
                retention_bytes=Bytes(int(size)) if size else None,
                segment_bytes=Bytes(int(segment)) if segment else None,
                roll_ms=_first(values, _ROLL),
                given=_given(values),
            )
        )
    return Observed(rows=rows)


def _given(values: dict[str, str | None]) -> list[str] | None:
    names = [name for name, _ in (*_RETENTION, *_ROLL)]
    return None if any(values.get(name) is None for name in names) else [name for name in names if values[name]]


def _first(values: dict[str, str | None], names: tuple[tuple[str, int], ...]) -> Milliseconds | None:
    """The first of several settings that is set; unknown if one before it can't be seen."""
    for name, unit in names:
        value = values.get(name)
        if value is None:
            return None
        if value:
            return Milliseconds(_FOR_EVER if int(value) < 0 else int(value) * unit)
    return None
