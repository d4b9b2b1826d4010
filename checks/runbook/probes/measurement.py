"""What `runbook measure --keep` last found out about an environment, by setting."""

from statistics import median
from typing import TYPE_CHECKING, Annotated

from runbook.answers.records import READS
from runbook.incident.measurement_ranking import client_bounds, named
from runbook.model.fact import Gap, Observed
from runbook.model.measurement import Measurement, Repetition
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.quantity import Moment
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.records import Records


class KeptMeasurement(Row):
    """The last measurement of a setting."""

    environment: Annotated[str, Cell("Environment that was measured.", key=True)]
    setting: Annotated[str, Cell("Producer settings, record size and partitions: acks=all linger.ms=5.", key=True)]
    steady: Annotated[bool, Cell("Whether it was --while: all records count, and gaps are known.", key=True)]
    cluster: Annotated[str, Cell("Id of its cluster then.", key=True, entity="cluster")]
    measured: Annotated[Moment, Cell("When the measurement began.")]
    complete: Annotated[bool, Cell("Whether everything asked for was measured.")]
    asked: Annotated[float, Cell("Records a second that were asked for.")]
    rate: Annotated[float, Cell("Records a second that were acknowledged; median of repetitions.")]
    records: Annotated[int, Cell("Records that were sent.", unit="records")]
    unacknowledged: Annotated[int, Cell("Of these, not acknowledged.", unit="records")]
    lost: Annotated[int | None, Cell("Acknowledged, and not there.", unit="records")]
    duplicates: Annotated[int, Cell("Read more than once.", unit="records")]
    disorder: Annotated[int, Cell("Read after one with a higher number of the same partition.", unit="records")]
    elections: Annotated[int, Cell("Changes of leader epochs between records: usually leader changes.")]
    write_gap: Annotated[float | None, Cell("Longest time without an acknowledgement of one partition.", unit="s")]
    read_gap: Annotated[float | None, Cell("Longest time without a record of one partition.", unit="s")]
    write_p99: Annotated[float | None, Cell("Until acknowledged; median of repetitions.", unit="ms")]
    read_p99: Annotated[float | None, Cell("End to end, until read; median of repetitions.", unit="ms")]
    bounds: Annotated[list[str], Cell("Why figures may be the client's limit, and not the cluster's; empty: nothing.")]


PROBE = Probe(
    connections=("records",),
    help="One row per setting that runbook measure --keep has measured: its last measurement.",
    row=KeptMeasurement,
    requests=(READS[3],),
    rights=("read the records of measurements",),
    parameters={"environment": Parameter("string", "", help="only measurements of this environment, as env.name")},
    proof="drilled",
)


def observe(connection: "Records", environment: str = "") -> Observed:
    """Observe the last measurements. Without any, nothing is known: a gap."""
    found, gaps = connection.measurements()
    last: dict[tuple[str, str, str, bool], KeptMeasurement] = {}
    for one in sorted(found, key=lambda measurement: measurement.at):
        if environment in ("", one.environment):
            for row in _rows(one):
                last[row.environment, row.cluster, row.setting, row.steady] = row
    if not last and not gaps:
        gaps.append(Gap(f"nothing was measured of {environment or 'any environment'}, or kept: runbook measure --keep"))
    return Observed(rows=list(last.values()), gaps=gaps)


def _rows(one: Measurement) -> list[KeptMeasurement]:
    groups: dict[tuple[str, bool], list[Repetition]] = {}
    for repetition in one.repetitions:
        if repetition.written and repetition.read:
            trial = repetition.trial
            groups.setdefault((named(trial.setting), trial.spread), []).append(repetition)
    return [_row(one, setting, repetitions) for (setting, _), repetitions in groups.items()]


def _row(one: Measurement, setting: str, repetitions: list[Repetition]) -> KeptMeasurement:
    sides = [(rep.written, rep.read) for rep in repetitions if rep.written and rep.read]
    losses = [rep.lost() for rep in repetitions]
    writes = [written.latency.p99 for written, _ in sides if written.latency]
    reads = [read.latency.p99 for _, read in sides if read.latency]
    return KeptMeasurement(
        environment=one.environment,
        setting=setting,
        steady=repetitions[0].trial.spread,
        cluster=one.cluster,
        measured=Moment(one.at),
        complete=not one.interrupted,
        asked=repetitions[0].trial.rate,
        rate=median(written.rate for written, _ in sides),
        records=sum(written.sent for written, _ in sides),
        unacknowledged=sum(len(written.failed) for written, _ in sides),
        lost=None if None in losses else sum(len(lost or []) for lost in losses),
        duplicates=sum(read.duplicates for _, read in sides),
        disorder=sum(read.disorder for _, read in sides),
        elections=sum(read.elections for _, read in sides),
        write_gap=max((gap.seconds for written, _ in sides for gap in written.gaps), default=None),
        read_gap=max((gap.seconds for _, read in sides for gap in read.gaps), default=None),
        write_p99=median(writes) if writes else None,
        read_p99=median(reads) if reads else None,
        bounds=list(dict.fromkeys(bound for rep in repetitions for bound in client_bounds(rep))),
    )
