"""The listener over which each broker replicates, and whether clients use it too."""

from collections import defaultdict

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View

VIEW = View(
    help="One row per broker.",
    columns=(
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("listener", "string", "Name of the listener that brokers use among themselves.", entity="listener"),
        Column("address", "string", "Advertised host of it; empty where none is."),
        Column("others", "list[string]", "Listeners that are left for clients.", entity="listener"),
    ),
    of=(("broker", "setting", "value"),),
)


def compute(setting: Fact, /) -> Observed:
    """Work it out from kafka_broker_setting; where a setting is hidden the cells that depend on it are None."""
    told: dict[int, dict[str, str | None]] = defaultdict(dict)
    for broker, name, value in zip(*(setting.columns[c] for c in ("broker", "setting", "value")), strict=True):
        told[broker][name] = value
    return Observed(rows=[(broker, *_row(settings)) for broker, settings in sorted(told.items())])


def _row(settings: dict[str, str | None]) -> tuple[str | None, str | None, list[str] | None]:
    name = settings.get("inter.broker.listener.name") or settings.get("security.inter.broker.protocol")
    # What a broker does not advertise by itself it advertises as it listens.
    advertised = settings.get("advertised.listeners") or settings.get("listeners")
    if not name or not advertised:
        return name or None, None, None
    controllers = {part.strip() for part in (settings.get("controller.listener.names") or "").split(",")}
    hosts = {}
    for part in advertised.split(","):
        listener, _, address = part.strip().partition("://")
        if listener not in controllers:
            hosts[listener] = address.rpartition(":")[0]
    return name, hosts.get(name, ""), sorted(set(hosts) - {name})
