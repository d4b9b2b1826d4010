"""For how long brokers keep the records of topics that say nothing, whichever setting says it."""

from collections import defaultdict
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
# org.apache.kafka.clients.admin.ConfigEntry.ConfigSource
_UNSET, _OF_THE_FILE = "DEFAULT_CONFIG", "STATIC_BROKER_CONFIG"
_DYNAMIC = ("DYNAMIC_BROKER_CONFIG", "DYNAMIC_DEFAULT_BROKER_CONFIG")


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
    given: Annotated[
        list[str] | None, Cell("Which of the settings of time are set explicitly, the one that counts first.")
    ]
    overridden: Annotated[
        list[str] | None,
        Cell("What the file sets for retention, where a dynamic setting overrides it with another time."),
    ]
    dynamic: Annotated[
        str | None, Cell("That dynamic setting with its value and source; empty where the file's values hold.")
    ]


VIEW = View(
    help="One row per broker: what holds for topics that set no retention or segments of their own.",
    row=BrokerRetention,
    inputs={
        "setting": Input("kafka_broker_setting", columns=("broker", "setting", "value", "source")),
    },
    version=2,
)


def compute(*, setting: Fact) -> Observed:
    """Work it out from kafka_broker_setting."""
    rows = []
    sources = _sources(setting)
    for broker, values in by_broker(setting).items():
        size, segment = values.get("log.retention.bytes"), values.get("log.segment.bytes")
        rows.append(
            BrokerRetention(
                broker=broker,
                retention_ms=_first(values, _RETENTION),
                retention_bytes=Bytes(int(size)) if size else None,
                segment_bytes=Bytes(int(segment)) if segment else None,
                roll_ms=_first(values, _ROLL),
                given=_given(values, sources[broker]),
                overridden=_overridden(values, sources[broker]),
                dynamic=_dynamic(values, sources[broker]),
            )
        )
    return Observed(rows=rows)


def _sources(setting: Fact) -> dict[BrokerId, dict[str, str | None]]:
    found: dict[BrokerId, dict[str, str | None]] = defaultdict(dict)
    for row in setting.rows():
        found[row["broker"]][row["setting"]] = row["source"]
    return found


def _given(values: dict[str, str | None], sources: dict[str, str | None]) -> list[str] | None:
    names = [name for name, _ in (*_RETENTION, *_ROLL)]
    if any(values.get(name) is None or sources.get(name) is None for name in names):
        return None
    return [name for name in names if values[name] and sources[name] != _UNSET]


def _dynamic(values: dict[str, str | None], sources: dict[str, str | None]) -> str | None:
    for name, _ in _RETENTION:
        value, source = values.get(name), sources.get(name)
        if value is None or source is None:
            return None
        if value:
            return f"{name}={value} ({source})" if source in _DYNAMIC else ""
    return None


def _overridden(values: dict[str, str | None], sources: dict[str, str | None]) -> list[str] | None:
    """What comes after the dynamic setting that counts; a value of the file under the same name can't be seen."""
    dynamic = _dynamic(values, sources)
    if not dynamic:
        return None if dynamic is None else []
    kept, found = _first(values, _RETENTION), []
    for name, unit in _RETENTION:
        value, source = values.get(name), sources.get(name)
        if value is None or source is None:
            return None
        other = value and source == _OF_THE_FILE and _first({name: value}, ((name, unit),)) != kept
        if other:
            found.append(f"{name}={value}")
    return found


def _first(values: dict[str, str | None], names: tuple[tuple[str, int], ...]) -> Milliseconds | None:
    """The first of several settings that is set; unknown if one before it can't be seen."""
    for name, unit in names:
        value = values.get(name)
        if value is None:
            return None
        if value:
            return Milliseconds(_FOR_EVER if int(value) < 0 else int(value) * unit)
    return None
