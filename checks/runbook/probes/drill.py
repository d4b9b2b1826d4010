"""When a procedure was last drilled, by whom, and what was reached."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

from runbook.answers.records import READS
from runbook.model.fact import Observed
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.quantity import Moment
from runbook.model.row import Cell, Row
from runbook.procedure.walk_record import Ended, Measured, Overruled, Record, Skipped

if TYPE_CHECKING:
    from runbook.connections.records import Records


class Drill(Row):
    """The drills of a procedure."""

    procedure: Annotated[str, Cell("Global name, as in dr/failover.", key=True)]
    source: Annotated[
        str,
        Cell(
            "Environment that was left; empty if the drill was of one, or never was and none was asked for.", key=True
        ),
    ]
    target: Annotated[str, Cell("Environment that took over, or the one; empty if there was none.", key=True)]
    rehearsal: Annotated[
        bool,
        Cell("Whether gates looked at kept facts only; the last real one has a row of its own.", key=True),
    ]
    drills: Annotated[int | None, Cell("How many have ended; 0: none, and all else is not known.", unit="drills")]
    walk: Annotated[str | None, Cell("Id of the last one: runbook procedure show ID.")]
    started: Annotated[Moment | None, Cell("When it began.")]
    ended: Annotated[Moment | None, Cell("When it ended.")]
    completed: Annotated[bool | None, Cell("Whether it came to its end; otherwise it was given up.")]
    by: Annotated[str | None, Cell("Who began it.")]
    overruled: Annotated[int | None, Cell("Gates that were gone through closed.", unit="gates")]
    skipped: Annotated[int | None, Cell("Steps that were left out.", unit="steps")]
    rpo_records: Annotated[
        int | None,
        Cell(
            "Canary's records that the source acknowledged and the target lacked; or the one, of its own.",
            unit="records",
        ),
    ]
    rpo_seconds: Annotated[
        float | None, Cell("How far the target was behind by these: 0 if none was lacking.", unit="s")
    ]
    duplicates: Annotated[int | None, Cell("Canary's records that the target had more than once.", unit="records")]
    rto_write: Annotated[
        float | None,
        Cell(
            "From the last record acknowledged at the source to the first at the target; in one environment the "
            "longest time between two acknowledgements of a partition.",
            unit="s",
        ),
    ]
    rto_read: Annotated[
        float | None,
        Cell(
            "From the last record read before clients moved to the first written after; in one environment the "
            "longest time between two new records of a partition.",
            unit="s",
        ),
    ]
    caveats: Annotated[
        list[str] | None,
        Cell("What the figures do not show, as the canary or its topic was weaker than it could be; empty: nothing."),
    ]


PROBE = Probe(
    connections=("records",),
    help="One row per procedure and link, or one environment: its last drill that ended, and the figures of it.",
    row=Drill,
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


def observe(connection: "Records", procedures: list[str] | None = None, source: str = "", target: str = "") -> Observed:
    """Observe the last drills. A record that is not as it was written, or can't be read, is a gap."""
    found, gaps = connection.drills()
    groups: dict[_Of, list[Record]] = {}
    for record in found:
        begun = record.begun
        wanted = (not procedures or begun.procedure in procedures) and source in ("", begun.source)
        if begun.drill and wanted and target in ("", begun.target) and isinstance(record.entries[-1], Ended):
            of = _Of(begun.procedure, begun.source, begun.target, begun.rehearsal)
            groups.setdefault(of, []).append(record)
    rows = [_row(of, records) for of, records in sorted(groups.items())]
    real = {of.procedure for of in groups if not of.rehearsal}
    never = [name for name in dict.fromkeys(procedures or []) if name not in real]
    rows += [_never(_Of(name, source, target, rehearsal=False), None if gaps else 0) for name in never]
    return Observed(rows=rows, gaps=gaps)


class _Of(NamedTuple):
    """What drills are counted together."""

    procedure: str
    source: str
    target: str
    rehearsal: bool


def _never(of: _Of, count: int | None) -> Drill:
    """The row of a procedure that was asked for and of which there is no real drill, as far as is known."""
    return Drill(
        **of._asdict(),
        drills=count,
        walk=None,
        started=None,
        ended=None,
        completed=None,
        by=None,
        overruled=None,
        skipped=None,
        rpo_records=None,
        rpo_seconds=None,
        duplicates=None,
        rto_write=None,
        rto_read=None,
        caveats=None,
    )


def _row(of: _Of, records: Sequence[Record]) -> Drill:
    last = max(records, key=lambda record: (record.begun.at, record.begun.walk))
    begun, ended = last.begun, last.entries[-1]
    assert isinstance(ended, Ended)  # those that have not ended are left out
    measured = [entry for entry in last.entries if isinstance(entry, Measured)]
    figures = measured[-1] if measured else Measured(at=ended.at)
    return Drill(
        **of._asdict(),
        drills=len(records),
        walk=begun.walk,
        started=Moment(begun.at),
        ended=Moment(ended.at),
        completed=ended.outcome == "completed",
        by=begun.by,
        overruled=sum(isinstance(entry, Overruled) for entry in last.entries),
        skipped=sum(isinstance(entry, Skipped) for entry in last.entries),
        rpo_records=figures.rpo_records,
        rpo_seconds=figures.rpo_seconds,
        duplicates=figures.duplicates,
        rto_write=figures.rto_write,
        rto_read=figures.rto_read,
        caveats=figures.caveats if measured else None,
    )
