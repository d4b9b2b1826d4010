"""Whether users who have SCRAM passwords can log in with one, by the mechanisms that the listeners offer."""

from collections import defaultdict
from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class ScramEntry(Row):
    """A user with SCRAM passwords, beside what listeners offer."""

    user: Annotated[str, Cell("Name of the user.", key=True)]
    principal: Annotated[str, Cell("The same as ACLs name it.", entity="principal")]
    mechanisms: Annotated[list[str], Cell("Mechanisms that the user has a password for.")]
    offered: Annotated[list[str] | None, Cell("SCRAM mechanisms that any listener of a broker offers.")]
    opens: Annotated[bool | None, Cell("Whether one of the user's is offered; unknown where not all of them are seen.")]


VIEW = View(
    help="One row per user with a SCRAM password.",
    row=ScramEntry,
    inputs={
        "login": Input("kafka_scram_user", columns=("user", "principal", "mechanism")),
        "listener": Input("kafka_listener", columns=("mechanisms", "for_controllers")),
    },
)


def compute(*, login: Fact, listener: Fact) -> Observed:
    """Work it out from kafka_scram_user and kafka_listener."""
    users: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in login.rows():
        users[row["user"], row["principal"]].add(row["mechanism"])
    lists = [row["mechanisms"] for row in listener.rows() if not row["for_controllers"]]
    whole = not (login.gaps or listener.gaps or None in lists)
    offered = {name for names in lists for name in names or () if name.startswith("SCRAM-")}
    rows = [
        ScramEntry(
            user=user,
            principal=principal,
            mechanisms=sorted(has),
            offered=sorted(offered) if whole else None,
            opens=True if has & offered else False if whole else None,
        )
        for (user, principal), has in sorted(users.items())
    ]
    return Observed(rows=rows)
