"""Whether Kafka takes the values that brokers and controllers are given in their files."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Annotated, Any

from runbook.formats.kafka_settings.by_release import known, verdict
from runbook.model.fact import Fact, Gap, Observed
from runbook.model.quantity import BrokerId, ProcessId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class BrokerSettingTaken(Row):
    """A broker or controller whose properties file was read."""

    host: Annotated[str, Cell("Name of the host in the inventory.", key=True, entity="host")]
    pid: Annotated[ProcessId, Cell("Process id.", key=True)]
    broker: Annotated[BrokerId | None, Cell("Node id; unknown if it can't be read.")]
    file: Annotated[str, Cell("Its properties file.")]
    refused: Annotated[
        list[str] | None, Cell("Why Kafka refuses it, in its words, with the line; unknown where a reference decides.")
    ]


VIEW = View(
    help="One row per broker or controller: whether its release of Kafka takes its settings, but for listeners.",
    row=BrokerSettingTaken,
    inputs={
        "setting": Input("host_broker_setting", columns=("host", "pid", "broker", "setting", "value", "file", "line")),
        "release": Input("host_kafka_release", columns=("host", "pid", "kafka_version"), tells=True),
    },
)

Settings = Mapping[str, Mapping[str, Any]]


def compute(*, setting: Fact, release: Fact) -> Observed:
    """Work it out; a process whose release is not known is judged by all: where they disagree is a gap."""
    releases = {(row["host"], row["pid"]): row["kafka_version"] for row in release.rows()}
    by_process: dict[tuple[str, ProcessId], dict[str, Mapping[str, Any]]] = defaultdict(dict)
    for row in setting.rows():
        by_process[row["host"], row["pid"]][row["setting"]] = row
    rows: list[BrokerSettingTaken] = []
    gaps: list[Gap] = []
    for (host, pid), settings in by_process.items():
        found, lacking = _refused(settings, releases.get((host, pid)))
        one = next(iter(settings.values()))
        gaps += [Gap(f"{one['file']} of {host}: {said}", {"host": host, "pid": pid}) for said in lacking]
        if found or not lacking:
            rows.append(
                BrokerSettingTaken(host=host, pid=pid, broker=one["broker"], file=one["file"], refused=found or [])
            )
    return Observed(rows=rows, gaps=gaps)


def _refused(settings: Settings, release: str | None) -> tuple[list[str], list[str]]:
    """What is refused, and what can't be said."""
    by = known("broker", [release] if release else [])
    if not by:
        return [], [f"what Kafka {release} takes is not known here"]
    given = {name: row["value"] for name, row in settings.items()}
    found = verdict("broker", given, by, whole=True)
    refused = [f"{_line(name, settings)}{'; '.join(says)}" for name, says in sorted(found.refused.items()) if name]
    undecided = [f"{_line(name, settings)}{said}" for name, said in sorted(found.undecided.items()) if name]
    if found.unknown:
        undecided.append(f"{', '.join(sorted(found.unknown))}: left to a reference or to further lines")
    return refused, undecided


def _line(name: str, settings: Settings) -> str:
    line = settings[name]["line"] if name in settings else None
    return "" if line is None else f"line {line}: "
