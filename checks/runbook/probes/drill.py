"""When a procedure was last drilled, by whom, and what was reached."""

from collections.abc import Iterator, Sequence
from typing import Any

from runbook.connections.records import READS, Records
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.parameter import Parameter
from runbook.engine.probe import Probe
from runbook.engine.walk_record import Ended, Measured, Overruled, Record, Skipped

PROBE = Probe(
    connections=("records",),
    help="One row per procedure and link, or one environment: its last drill that ended, and the figures of it.",
    columns=(
        Column("procedure", "string", "Global name, as in dr/failover.", key=True),
        Column(
            "source",
            "string",
            "Environment that was left; empty if the drill was of one, or never was and none was asked for.",
            key=True,
        ),
        Column("target", "string", "Environment that took over, or the one; empty likewise.", key=True),
        Column(
            "rehearsal",
            "bool",
            "Whether gates looked at kept facts only; the last real one has a row of its own.",
            key=True,
        ),
        Column("drills", "int", "How many have ended; 0: none, and all else is not known.", unit="drills"),
        Column("walk", "string", "Id of the last one: runbook procedure show ID."),
        Column("started", "timestamp", "When it began."),
        Column("ended", "timestamp", "When it ended."),
        Column("completed", "bool", "Whether it came to its end; otherwise it was given up."),
        Column("by", "string", "Who began it."),
        Column("overruled", "int", "Gates that were gone through closed.", unit="gates"),
        Column("skipped", "int", "Steps that were left out.", unit="steps"),
        Column(
            "rpo_records",
            "int",
            "Canary's records that the source acknowledged and the target lacked; or the one, of its own.",
            unit="records",
        ),
        Column("rpo_seconds", "float", "How far the target was behind by these: 0 if none was lacking.", unit="s"),
        Column("duplicates", "int", "Canary's records that the target had more than once.", unit="records"),
        Column(
            "rto_write",
            "float",
            "From the last record acknowledged at the source to the first at the target; in one environment the "
            "longest time between two acknowledgements of a partition.",
            unit="s",
        ),
        Column(
            "rto_read",
            "float",
            "From the last record read before clients moved to the first written after; in one environment the "
            "longest time between two new records of a partition.",
            unit="s",
        ),
        Column(
            "caveats",
            "list[string]",
            "What the figures do not show, as the canary or its topic was weaker than it could be; empty: nothing.",
        ),
    ),
    requests=(READS[1],),
    rights=("read the records of drills",),
    parameters={
        "procedures": Parameter(
            "list[string]", [], help="global names, each of which has a row even if never drilled; else all"
        ),
        "source": Parameter("string", "", help="only drills from this environment, as link.source"),
        "target": Parameter("string", "", help="only drills to this environment, as link.target or env.name"),
    },
    proof="drilled",
)

_NOTHING = (None,) * 13  # columns that follow `drills`


def observe(connection: Records, procedures: list[str] | None = None, source: str = "", target: str = "") -> Observed:
    """Observe the last drills. A record that is not as it was written, or can't be read, is a gap."""
    found, gaps = connection.drills()
    groups: dict[tuple[str, str, str, bool], list[Record]] = {}
    for record in found:
        begun = record.begun
        wanted = (not procedures or begun.procedure in procedures) and source in ("", begun.source)
        if begun.drill and wanted and target in ("", begun.target) and isinstance(record.entries[-1], Ended):
            key = (begun.procedure, begun.source, begun.target, begun.rehearsal)
            groups.setdefault(key, []).append(record)
    rows = [_row(key, records) for key, records in sorted(groups.items())]
    rows += _never(procedures or [], (source, target), list(groups), None if gaps else 0)
    return Observed(rows=rows, gaps=gaps)


def _never(
    procedures: Sequence[str], link: tuple[str, str], drilled: Sequence[tuple[str, str, str, bool]], count: int | None
) -> Iterator[tuple[Any, ...]]:
    """A row for each procedure that was asked for and of which there is no real drill, as far as is known."""
    real = {key[0] for key in drilled if not key[3]}
    for name in dict.fromkeys(procedures):
        if name not in real:
            yield (name, *link, False, count, *_NOTHING)


def _row(key: tuple[str, str, str, bool], records: Sequence[Record]) -> tuple[Any, ...]:
    last = max(records, key=lambda record: (record.begun.at, record.begun.walk))
    begun, ended = last.begun, last.entries[-1]
    assert isinstance(ended, Ended)  # those that have not ended are left out
    told = [entry for entry in last.entries if isinstance(entry, Measured)]
    figures = told[-1] if told else Measured(at=ended.at)
    return (
        *key,
        len(records),
        begun.walk,
        begun.at,
        ended.at,
        ended.outcome == "completed",
        begun.by,
        sum(isinstance(entry, Overruled) for entry in last.entries),
        sum(isinstance(entry, Skipped) for entry in last.entries),
        figures.rpo_records,
        figures.rpo_seconds,
        figures.duplicates,
        figures.rto_write,
        figures.rto_read,
        figures.caveats if told else None,
    )
