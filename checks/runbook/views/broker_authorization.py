"""Who decides what may be done, as each broker's settings tell it, and what they hide.

Kafka lists every setting of the file, also those it does not know, such as super.users, which is the authorizer's; of
these it hides the value (kafka.server.ConfigHelper: allConfigs, and maybeSensitive for a setting without a type). So a
name that is missing is not set, and a value that is hidden is not known.
"""

from collections import defaultdict

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.secret import is_secret
from runbook.engine.view import View

_COLUMNS = ("broker", "setting", "value", "source")
_IN_A_FILE = "STATIC_BROKER_CONFIG"

VIEW = View(
    help="One row per broker.",
    columns=(
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("kraft", "bool", "Whether it keeps its metadata without ZooKeeper."),
        Column("authorizer", "string", "Class that decides; empty if none does."),
        Column("open_by_default", "bool", "Whether what no ACL names is allowed to all; unknown if Kafka hides it."),
        Column("super_users", "list[string]", "Whom no ACL binds; empty if the setting is absent, unknown if hidden."),
        Column(
            "passwords",
            "list[string]",
            "Settings of its file whose values are passwords; unknown where a login entry or a provider hides it.",
        ),
    ),
    of=(_COLUMNS,),
    needs=(("source",),),
    version=2,
)


def compute(setting: Fact, /) -> Observed:
    """Work it out from kafka_broker_setting."""
    told: dict[int, dict[str, tuple[str | None, str]]] = defaultdict(dict)
    for broker, name, value, source in zip(*(setting.columns[one] for one in _COLUMNS), strict=True):
        told[broker][name] = (value, source)
    return Observed(rows=[_row(broker, settings) for broker, settings in sorted(told.items())])


def _row(
    broker: int, settings: dict[str, tuple[str | None, str]]
) -> tuple[int, bool | None, str | None, bool | None, list[str] | None, list[str] | None]:
    def value(name: str) -> str | None:
        return settings.get(name, ("", ""))[0]

    roles, opened, users = (value(one) for one in ("process.roles", "allow.everyone.if.no.acl.found", "super.users"))
    return (
        broker,
        None if roles is None else bool(roles),
        value("authorizer.class.name"),
        None if opened is None else opened.strip().lower() == "true",
        None if users is None else sorted(one.strip() for one in users.split(";") if one.strip()),
        _passwords(settings),
    )


def _passwords(settings: dict[str, tuple[str | None, str]]) -> list[str] | None:
    written = {name for name, (_, source) in settings.items() if source == _IN_A_FILE and is_secret(name)}
    if written and settings.get("config.providers", ("", ""))[0]:
        return None  # the file may hold references: what it says is hidden
    logins = {name for name in written if name.endswith("jaas.config")}
    # PLAIN keeps passwords in its entry; of other mechanisms an entry may, and it is hidden.
    certain = written - {name for name in logins if ".plain." not in name}
    return None if logins and not certain else sorted(certain)
