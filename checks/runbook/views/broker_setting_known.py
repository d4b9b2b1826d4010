"""Whether Kafka knows the settings that brokers were given in their files, by name."""

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View
from runbook.formats.setting_names import BROKER, alike, releases, unknown

_OF_FILE = "STATIC_BROKER_CONFIG"

VIEW = View(
    help="One row per broker and setting of its file, as the broker itself tells it.",
    columns=(
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("setting", "string", "Name of the setting.", key=True, entity="setting"),
        Column("known", "bool", f"Whether {releases(BROKER)} know it, or leave it to plugins."),
        Column("like", "string", "The known name that is most like it; empty if it is known, or none is."),
    ),
    of=(("broker", "setting", "source"),),
    needs=(("source",),),
    version=2,
)


def compute(setting: Fact, /) -> Observed:
    """Work it out from kafka_broker_setting: brokers tell what their file has also where they do not know it."""
    told = zip(*(setting.columns[column] for column in ("broker", "setting", "source")), strict=True)
    return Observed(rows=[(broker, name, *_known(name)) for broker, name, source in told if source == _OF_FILE])


def _known(name: str) -> tuple[bool, str]:
    return (False, alike(name, BROKER)) if unknown(name, BROKER) else (True, "")
