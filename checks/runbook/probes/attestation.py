"""What people signed off because no machine can see it."""

import datetime as dt
from typing import TYPE_CHECKING, Annotated

from runbook.answers.records import READS
from runbook.formats.attestations import Attestation
from runbook.model import moment
from runbook.model.fact import Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.quantity import Moment
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.records import Records


class AttestationRow(Row):
    """What somebody has signed off."""

    id: Annotated[str, Cell("Id of the statement, as checks ask for it.", key=True)]
    statement: Annotated[str, Cell("What was seen to be so.")]
    by: Annotated[str, Cell("Who signed it off.")]
    at: Annotated[Moment, Cell("Beginning of the day on which.")]
    evidence: Annotated[str, Cell("Link or text that shows it to others.")]
    expires: Annotated[Moment, Cell("When it holds no more: the end of its last day.")]


PROBE = Probe(
    connections=("records",),
    help="One row per statement that was signed off and has not expired; others are not known.",
    row=AttestationRow,
    requests=(READS[0],),
    rights=("read the file of attestations",),
    parameters={
        "ids": Parameter(
            "list[string]", [], help="those to tell of, each of which is missing if it is not there; else all"
        )
    },
    proof="attested",
)


def observe(connection: "Records", ids: list[str] | None = None) -> Observed:
    """Observe what is signed off. What is missing, has expired, or is dated in the future is a gap: nobody knows."""
    attestations = {attestation.id: attestation for attestation in connection.attestations()}
    now = dt.datetime.fromtimestamp(connection.clock.now("attestations"), dt.UTC)
    rows, gaps = [], []
    for name in ids or sorted(attestations):
        one = attestations.get(name)
        if one is None:
            gaps.append(Gap(f"{name} was never signed off: there is no entry of that id in {connection.place}"))
        elif now >= one.ends():
            gaps.append(Gap(f"{name}, signed off by {one.by} on {one.at}, expired after {one.expires}: look again"))
        elif now < one.begins():
            gaps.append(Gap(f"{name} is dated {one.at}, which is yet to come: write the day on which it was seen"))
        else:
            rows.append(_row(one))
    if not rows and not gaps:
        gaps.append(Gap(f"nothing is signed off in {connection.place}"))
    return Observed(rows=rows, gaps=gaps)


def _row(one: Attestation) -> AttestationRow:
    return AttestationRow(
        id=one.id,
        statement=one.statement,
        by=one.by,
        at=Moment(moment.written(one.begins())),
        evidence=one.evidence,
        expires=Moment(moment.written(one.ends())),
    )
