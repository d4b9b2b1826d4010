"""The compatibility level in force for each subject, beside the level that the registry gives the others."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class SubjectLevel(Row):
    """A subject that is not deleted."""

    subject: Annotated[str, Cell("Its name, with its context unless that is the default.", key=True, entity="subject")]
    compatibility: Annotated[str | None, Cell("Level in force.")]
    default: Annotated[
        str | None,
        Cell("Level of a subject without one of its own; unknown where instances tell several, or one does not tell."),
    ]


VIEW = View(
    help="One row per subject that is not deleted.",
    row=SubjectLevel,
    leaves_out="deleted subjects",
    inputs={
        "subject": Input("schema_subject", columns=("subject", "deleted", "compatibility"), needs=("deleted",)),
        "registry": Input("schema_registry", columns=("instance", "answers", "compatibility")),
    },
    version=1,
)


def compute(*, subject: Fact, registry: Fact) -> Observed:
    """Work it out from schema_subject and schema_registry."""
    told = {row["compatibility"] for row in registry.rows("answers", "compatibility") if row["answers"] is not False}
    default = told.pop() if len(told) == 1 else None
    rows = [
        SubjectLevel(subject=row["subject"], compatibility=row["compatibility"], default=default)
        for row in subject.rows("subject", "deleted", "compatibility")
        if not row["deleted"]
    ]
    return Observed(rows=rows)
