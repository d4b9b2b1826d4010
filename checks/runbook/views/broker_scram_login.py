"""Whether the users as whom brokers log in by SCRAM, by what stands on their hosts, are users that Kafka knows."""

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View

VIEW = View(
    help="One row per login of a broker by SCRAM.",
    columns=(
        Column("host", "string", "Host it runs on.", key=True, entity="host"),
        Column("pid", "int", "Process id.", key=True),
        Column("section", "string", "Section of the JAAS file, or the setting.", key=True),
        Column("position", "int", "Its place in the file.", key=True),
        Column("broker", "int", "Node id.", entity="broker"),
        Column("username", "string", "User as whom it logs in."),
        Column("mechanism", "string", "The mechanism as far as the file names it: SCRAM for any."),
        Column("exists", "bool", "Whether Kafka has a password of that user; unknown where it does not tell all."),
    ),
    of=(
        ("host", "pid", "section", "position", "kind", "broker", "mechanism", "username"),
        ("user", "mechanism"),
    ),
    needs=(("kind", "mechanism", "username"),),
    version=2,
)


def compute(jaas: Fact, scram_user: Fact, /) -> Observed:
    """Work it out from host_jaas and kafka_scram_user."""
    known = {(one["user"], one["mechanism"]) for one in scram_user.rows()}
    known |= {(user, "SCRAM") for user, _ in known}
    rows = [
        (
            one["host"],
            one["pid"],
            one["section"],
            one["position"],
            one["broker"],
            one["username"],
            one["mechanism"],
            (one["username"], one["mechanism"]) in known or (False if scram_user.complete else None),
        )
        for one in jaas.rows()
        if one["kind"] == "broker" and one["mechanism"].startswith("SCRAM") and one["username"]
    ]
    return Observed(rows=rows)
