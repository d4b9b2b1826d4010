"""One setting of each broker, as a number."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class NamedBrokerSetting(Row):
    """The setting at a broker."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    number: Annotated[int | None, Cell("Its value as a whole number; unknown if Kafka hides it or it is none.")]


VIEW = View(
    help="One row per broker: the value of the setting asked for. To join it with what else is known of the broker.",
    row=NamedBrokerSetting,
    leaves_out="brokers whose release does not have the setting",
    inputs={"setting": Input("kafka_broker_setting", columns=("broker", "setting", "value"))},
    parameters={"setting_name": Parameter(type="string", default="", help="name, as in num.replica.fetchers")},
)


def compute(*, setting: Fact, setting_name: str = "") -> Observed:
    """Pick one setting out of kafka_broker_setting."""
    return Observed(
        rows=[
            NamedBrokerSetting(broker=row["broker"], number=_number(row["value"]))
            for row in setting.rows()
            if row["setting"] == setting_name
        ]
    )


def _number(value: str | None) -> int | None:
    return int(value) if value is not None and value.strip().isdecimal() else None
