"""Whether the users as whom brokers log in by SCRAM, by what stands on their hosts, are users that Kafka knows."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class BrokerScramLogin(Row):
    """A login of a broker by SCRAM."""

    host: Annotated[str, Cell("Host it runs on.", key=True, entity="host")]
    pid: Annotated[int, Cell("Process id.", key=True)]
    section: Annotated[str, Cell("Section of the JAAS file, or the setting.", key=True)]
    position: Annotated[int, Cell("Its place in the file.", key=True)]
    broker: Annotated[BrokerId | None, Cell("Node id.")]
    username: Annotated[str, Cell("User as whom it logs in.")]
    mechanism: Annotated[str, Cell("The mechanism as far as the file names it: SCRAM for any.")]
    exists: Annotated[
        bool | None, Cell("Whether Kafka has a password of that user; unknown where it does not tell all.")
    ]


VIEW = View(
    help="One row per login of a broker by SCRAM.",
    row=BrokerScramLogin,
    inputs={
        "jaas": Input(
            "host_jaas",
            columns=("host", "pid", "section", "position", "kind", "broker", "mechanism", "username"),
            needs=("kind", "mechanism", "username"),
        ),
        "scram_user": Input("kafka_scram_user", columns=("user", "mechanism")),
    },
    version=2,
)


def compute(*, jaas: Fact, scram_user: Fact) -> Observed:
    """Work it out from host_jaas and kafka_scram_user."""
    known = {(row["user"], row["mechanism"]) for row in scram_user.rows()}
    known |= {(user, "SCRAM") for user, _ in known}
    rows = [
        BrokerScramLogin(
            host=row["host"],
            pid=row["pid"],
            section=row["section"],
            position=row["position"],
            broker=row["broker"],
            username=row["username"],
            mechanism=row["mechanism"],
            exists=scram_user.presence(found=(row["username"], row["mechanism"]) in known),
        )
        for row in jaas.rows()
        if row["kind"] == "broker" and row["mechanism"].startswith("SCRAM") and row["username"]
    ]
    return Observed(rows=rows)
