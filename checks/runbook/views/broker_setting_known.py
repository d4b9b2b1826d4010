"""Whether Kafka knows the settings that brokers were given in their files, by name."""

from typing import Annotated

from runbook.formats.setting_names import BROKER, alike, releases, unknown
from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_OF_FILE = "STATIC_BROKER_CONFIG"


class BrokerSettingKnown(Row):
    """A broker and setting of its file."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    setting: Annotated[str, Cell("Name of the setting.", key=True, entity="setting")]
    known: Annotated[bool, Cell(f"Whether {releases(BROKER)} know it, or leave it to plugins.")]
    like: Annotated[str, Cell("The known name that is most like it; empty if it is known, or none is.")]


VIEW = View(
    help="One row per broker and setting of its file, as the broker itself reports it.",
    row=BrokerSettingKnown,
    leaves_out="settings that the broker does not have from its file",
    inputs={
        "setting": Input("kafka_broker_setting", columns=("broker", "setting", "source"), needs=("source",)),
    },
    version=2,
)


def compute(*, setting: Fact) -> Observed:
    """Work it out from kafka_broker_setting: brokers tell what their file has also where they do not know it."""
    rows = [
        BrokerSettingKnown(
            broker=row["broker"],
            setting=row["setting"],
            known=not unknown(row["setting"], BROKER),
            like=alike(row["setting"], BROKER) if unknown(row["setting"], BROKER) else "",
        )
        for row in setting.rows()
        if row["source"] == _OF_FILE
    ]
    return Observed(rows=rows)
