"""The SCRAM passwords of one user, one for each mechanism; a user who has none is not known, rather than fine."""

from collections.abc import Iterator
from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class ScramPassword(Row):
    """A password of the user that was asked about."""

    user: Annotated[str, Cell("Name of the user, as it was asked.", key=True)]
    mechanism: Annotated[str | None, Cell("SCRAM-SHA-256 or SCRAM-SHA-512; empty if it has none.", key=True)]
    iterations: Annotated[int | None, Cell("How often the password is hashed.", unit="hashes", why="trouble")]
    trouble: Annotated[str, Cell("Why that is not known; empty if it is.")]


VIEW = View(
    help="One row per SCRAM password of the user that was asked about; one that says why not, if none is seen.",
    row=ScramPassword,
    inputs={
        "login": Input("kafka_scram_user", columns=("user", "mechanism", "iterations")),
    },
    parameters={"user": Parameter("string", None, help="name of the user, without User:")},
)


def compute(*, login: Fact, user: str | None = None) -> Observed:
    """Work it out from kafka_scram_user."""
    asked = user or ""
    rows = list(_rows(login, asked)) if asked else []
    trouble = "no user of this name has a SCRAM password" if asked else "no user was named"
    return Observed(rows=rows or [ScramPassword(user=asked, mechanism="", iterations=None, trouble=trouble)])


def _rows(login: Fact, asked: str) -> Iterator[ScramPassword]:
    for row in login.rows("user", "mechanism", "iterations"):
        mechanism = row["mechanism"]
        if row["user"] is None:
            yield ScramPassword(user=asked, mechanism=mechanism, iterations=None, trouble="a user's name is not known")
        elif row["user"] == asked:
            yield ScramPassword(user=asked, mechanism=mechanism, iterations=row["iterations"], trouble="")
