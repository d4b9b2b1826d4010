"""What one setting comes to in each client: as its files say, or by Kafka's default."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class ClientSetting(Row):
    """A client and kind."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    kind: Annotated[str, Cell("producer, consumer, admin, streams, connect, mirrormaker; empty: unclear.", key=True)]
    value: Annotated[
        str | None, Cell("Value in force; unknown where the file leaves it to a variable, hidden if secret.")
    ]
    said: Annotated[bool, Cell("Whether a file says it; otherwise the value is the default.")]


VIEW = View(
    help="One row per client and kind: the value in force of the setting asked for.",
    row=ClientSetting,
    inputs={
        "config": Input("client_config", columns=("client", "kind", "setting", "value")),
    },
    parameters={
        "setting": Parameter(type="string", default="", help="name, as Kafka's Java clients call it"),
        "default": Parameter(type="string", default="", help="Kafka's default, in force where no file says another"),
    },
)


def compute(*, config: Fact, setting: str = "", default: str = "") -> Observed:
    """Pick one setting out of client_config; a client of which anything is known has a row."""
    found: dict[tuple[str, str], ClientSetting] = {}
    for row in config.rows():
        client, kind = key = (row["client"], row["kind"])
        if row["setting"] == setting:
            found[key] = ClientSetting(client=client, kind=kind, value=row["value"], said=True)
        else:
            found.setdefault(key, ClientSetting(client=client, kind=kind, value=default, said=False))
    return Observed(rows=[*found.values()])
