"""What owners have declared of their brokers' settings, beside what is in force."""

from collections.abc import Sequence
from typing import Annotated

from runbook.model.errors import Misconfigured
from runbook.model.fact import Fact, Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class DeclaredBrokerSetting(Row):
    """A setting that was declared for all brokers, at one of them."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    setting: Annotated[str, Cell("Name of the setting.", key=True, entity="setting")]
    declared: Annotated[str, Cell("The value that it is to have.")]
    value: Annotated[str | None, Cell("The value in force; unknown when Kafka hides it.")]


VIEW = View(
    help="One row per broker and setting that was declared.",
    row=DeclaredBrokerSetting,
    leaves_out="undeclared settings",
    inputs={"setting": Input("kafka_broker_setting", columns=("broker", "setting", "value"))},
    parameters={"declared": Parameter(type="list[string]", help="the decided values, as in [num.io.threads=16]")},
)


def compute(*, setting: Fact, declared: Sequence[str] | None = None) -> Observed:
    """Work it out from kafka_broker_setting; a declared name that no broker has is a gap."""
    wanted = dict(_read(entry) for entry in declared or ())
    rows = [
        DeclaredBrokerSetting(
            broker=row["broker"], setting=row["setting"], declared=wanted[row["setting"]], value=row["value"]
        )
        for row in setting.rows()
        if row["setting"] in wanted
    ]
    missing = sorted({*wanted} - {row.setting for row in rows})
    return Observed(
        rows=rows, gaps=[Gap(f"{name} is declared, but no broker has a setting of this name") for name in missing]
    )


def _read(entry: str) -> tuple[str, str]:
    """Read an entry.

    Raises:
        Misconfigured: it is not written SETTING=VALUE.
    """
    name, equals, value = entry.partition("=")
    if not (equals and name.strip()):
        raise Misconfigured(f"declared: {entry!r} is no declaration; write num.io.threads=16")
    return name.strip(), value.strip()
