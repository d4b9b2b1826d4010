"""How many versions a registry has, told of an empty one too: one that lost all of them must open no gate."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class SchemaCount(Row):
    """The count."""

    of: Annotated[str, Cell("What is counted: versions of all subjects.", key=True)]
    versions: Annotated[int | None, Cell("How many there are; unknown if some may be hidden.")]


VIEW = View(
    help="One row: how many versions the subjects of the registry have together.",
    row=SchemaCount,
    inputs={
        "version": Input("schema_version", columns=("subject", "version")),
    },
)


def compute(*, version: Fact) -> Observed:
    """Count the rows of schema_version."""
    count = sum(1 for _ in version.rows("subject", "version"))
    return Observed([SchemaCount(of="versions of all subjects", versions=count if version.complete else None)])
