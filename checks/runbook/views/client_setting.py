"""What one setting comes to in each client: as its files say, or by Kafka's default."""

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.parameter import Parameter
from runbook.engine.view import View

VIEW = View(
    help="One row per client and kind: the value in force of the setting asked for.",
    columns=(
        Column("client", "string", "Name of the client in the inventory.", key=True),
        Column("kind", "string", "producer, consumer, admin, streams, connect, mirrormaker; empty: unclear.", key=True),
        Column("value", "string", "Value in force; unknown where the file leaves it to a variable, hidden if secret."),
        Column("said", "bool", "Whether a file says it; otherwise the value is the default."),
    ),
    of=(("client", "kind", "setting", "value"),),
    parameters={
        "setting": Parameter(type="string", default="", help="name, as Kafka's Java clients call it"),
        "default": Parameter(type="string", default="", help="Kafka's default, in force where no file says another"),
    },
)


def compute(config: Fact, /, *, setting: str = "", default: str = "") -> Observed:
    """Pick one setting out of client_config; a client of which anything is known has a row."""
    found: dict[tuple[str, str], tuple[str | None, bool]] = {}
    for row in config.rows():
        key = (row["client"], row["kind"])
        if row["setting"] == setting:
            found[key] = (row["value"], True)
        else:
            found.setdefault(key, (default, False))
    return Observed(rows=[(*key, *told) for key, told in found.items()])
