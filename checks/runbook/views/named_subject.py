"""A subject that somebody named, there or not: gates ask for one, and a name that is mistyped must open none."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class NamedSubject(Row):
    """The subject."""

    subject: Annotated[str, Cell("Its name.", key=True, entity="subject")]
    there: Annotated[bool | None, Cell("Whether it has a version; unknown where none is seen and some may be.")]
    newest: Annotated[
        int | None, Cell("Number of its newest version; 0 where there is none, unknown if a newer one may be hidden.")
    ]


VIEW = View(
    help="One row for the subject that is named, seen or not.",
    row=NamedSubject,
    leaves_out="subjects that are not named",
    inputs={
        "version": Input("schema_version", columns=("subject", "version")),
    },
    parameters={"subject": Parameter(type="string", default="", help="its name, as in orders-value; none without")},
)


def compute(*, version: Fact, subject: str = "") -> Observed:
    """Find its newest version in schema_version."""
    if not subject:
        return Observed([])
    numbers = [row["version"] for row in version.rows("subject", "version") if row["subject"] == subject]
    whole = version.complete
    there = bool(numbers) or (False if whole else None)
    newest = max(numbers, default=0) if whole else None
    return Observed([NamedSubject(subject=subject, there=there, newest=newest)])
