"""For how long brokers keep the records of topics that say nothing, whichever setting says it."""

from collections import defaultdict
from typing import Annotated, Final

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
_HIDDEN: Final = (
    "the file's own {name} is not visible behind the dynamic value, and the file sets no other retention; compare the "
    "file, or the synonyms that kafka-configs.sh --describe --all --entity-type brokers --entity-name {broker} shows"
)


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
        Cell("What the file sets for retention, where a dynamic setting overrides it with another time.", why="untold"),
    ]
    longer: Annotated[
        bool | None, Cell("Whether that dynamic setting keeps records longer than what is visible of the file.")
    ]
    untold: Annotated[
        str, Cell("Why it is not known what is overridden; empty if it is, or if a setting could not be read.")
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
    version=3,
)


def compute(*, setting: Fact) -> Observed:
    """Work it out from kafka_broker_setting."""
    rows = []
    sources = _sources(setting)
    for broker, values in by_broker(setting).items():
        size, segment = values.get("log.retention.bytes"), values.get("log.segment.bytes")
        kept, dynamic = _first(values, _RETENTION), _dynamic(values, sources[broker])
        of_file = _of_file(values, sources[broker])
        rows.append(
            BrokerRetention(
                broker=broker,
                retention_ms=kept,
                retention_bytes=Bytes(int(size)) if size else None,
                segment_bytes=Bytes(int(segment)) if segment else None,
                roll_ms=_first(values, _ROLL),
                given=_given(values, sources[broker]),
                overridden=_overridden(dynamic, kept, of_file),
                dynamic=dynamic,
                longer=_is_longer(kept, next(iter(of_file.values()))) if dynamic and of_file else None,
                untold=_HIDDEN.format(name=dynamic.partition("=")[0], broker=broker)
                if dynamic and of_file == {}
                else "",
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


def _of_file(values: dict[str, str | None], sources: dict[str, str | None]) -> dict[str, Milliseconds] | None:
    """What is visible of the file, by setting and value, the one that counts first; unknown if any is not readable."""
    found: dict[str, Milliseconds] = {}
    for name, unit in _RETENTION:
        value, source = values.get(name), sources.get(name)
        if value is None or source is None:
            return None
        if value and source == _OF_THE_FILE:
            found[f"{name}={value}"] = _time(value, unit)
    return found


def _overridden(
    dynamic: str | None, kept: Milliseconds | None, of_file: dict[str, Milliseconds] | None
) -> list[str] | None:
    """What the file says otherwise; unknown where all that it may say is hidden behind the dynamic setting."""
    if dynamic == "":
        return []
    return [said for said, time in of_file.items() if time != kept] if dynamic and of_file else None


def _is_longer(kept: Milliseconds | None, of_file: Milliseconds) -> bool | None:
    return None if kept is None else of_file >= 0 and (kept < 0 or kept > of_file)


def _first(values: dict[str, str | None], names: tuple[tuple[str, int], ...]) -> Milliseconds | None:
    """The first of several settings that is set; unknown if one before it can't be seen."""
    for name, unit in names:
        value = values.get(name)
        if value is None:
            return None
        if value:
            return _time(value, unit)
    return None


def _time(value: str, unit: int) -> Milliseconds:
    return Milliseconds(_FOR_EVER if int(value) < 0 else int(value) * unit)
