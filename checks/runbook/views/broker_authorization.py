"""Who decides what may be done, as each broker's settings tell it, and what they hide.

Kafka lists every setting of the file, also those it does not know, such as super.users, which is the authorizer's; of
these it hides the value (kafka.server.ConfigHelper: allConfigs, and maybeSensitive for a setting without a type). So a
name that is missing is not set, and a value that is hidden is not known. A managed service may leave out names as well:
there what is missing is not known either. An authorizer that is not Kafka's own may heed neither setting.

In KRaft controllers decide by settings of their own about what brokers forward to them: topics that are created,
altered and deleted, settings, ACLs, quotas (kafka.server.ControllerApis). Where they run apart no broker knows these.
"""

from collections import defaultdict
from typing import Annotated, Final

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.safety.secret import is_secret

_COLUMNS = ("broker", "setting", "value", "source")
_IN_A_FILE = "STATIC_BROKER_CONFIG"

_ALWAYS_LISTED: Final = "authorizer.class.name"
"""Brokers list it, set or not (KafkaConfig defines it): a service that leaves it out hides settings."""
_HIDDEN: Final = (
    "{} is the authorizer's: brokers hide its value, a service perhaps that it is set, and an authorizer that is not "
    "Kafka's may not heed it; its file has it"
)
_OF_KAFKA: Final = (
    "",
    "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "kafka.security.authorizer.AclAuthorizer",
    "kafka.security.auth.SimpleAclAuthorizer",
)
_APART: Final = (
    "controllers run apart and decide on requests to create, alter or delete by their own files, not seen here"
)


class BrokerAuthorization(Row):
    """A broker."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    kraft: Annotated[bool | None, Cell("Whether it keeps its metadata without ZooKeeper.")]
    authorizer: Annotated[str | None, Cell("Class that decides; empty if none does, unknown if hidden.")]
    open_by_default: Annotated[
        bool | None,
        Cell(
            "Whether what no ACL names is allowed to all; unknown if Kafka hides it.",
            untold=_HIDDEN.format("allow.everyone.if.no.acl.found"),
        ),
    ]
    super_users: Annotated[
        list[str] | None,
        Cell(
            "Whom no ACL binds; empty if the setting is absent, unknown if hidden.",
            untold=_HIDDEN.format("super.users"),
        ),
    ]
    apart: Annotated[str, Cell("What controllers that run apart decide by settings of their own; else empty.")]
    passwords: Annotated[
        list[str] | None,
        Cell("Settings of its file whose values are passwords; unknown where a login entry or a provider hides it."),
    ]


VIEW = View(
    help="One row per broker.",
    row=BrokerAuthorization,
    inputs={
        "setting": Input("kafka_broker_setting", columns=_COLUMNS, needs=("source",)),
    },
    version=4,
)


def compute(*, setting: Fact) -> Observed:
    """Work it out from kafka_broker_setting."""
    by_broker: dict[BrokerId, dict[str, tuple[str | None, str]]] = defaultdict(dict)
    for row in setting.rows(*_COLUMNS):
        by_broker[row["broker"]][row["setting"]] = (row["value"], row["source"])
    return Observed(rows=[_row(broker, settings) for broker, settings in sorted(by_broker.items())])


def _row(broker: BrokerId, settings: dict[str, tuple[str | None, str]]) -> BrokerAuthorization:
    unsaid = "" if _ALWAYS_LISTED in settings else None

    def value(name: str) -> str | None:
        return settings.get(name, (unsaid, ""))[0]

    roles, authorizer = value("process.roles"), value(_ALWAYS_LISTED)
    kafkas = authorizer in _OF_KAFKA
    opened, users = (value(name) if kafkas else None for name in ("allow.everyone.if.no.acl.found", "super.users"))
    return BrokerAuthorization(
        broker=broker,
        kraft=None if roles is None else bool(roles),
        authorizer=authorizer,
        open_by_default=None if opened is None else opened.strip().lower() == "true",
        super_users=None if users is None else sorted(part.strip() for part in users.split(";") if part.strip()),
        apart=_APART if roles == "broker" else "",
        passwords=None if unsaid is None else _passwords(settings),
    )


def _passwords(settings: dict[str, tuple[str | None, str]]) -> list[str] | None:
    written = {name for name, (_, source) in settings.items() if source == _IN_A_FILE and is_secret(name)}
    if written and settings.get("config.providers", ("", ""))[0]:
        return None  # the file may hold references: what it says is hidden
    logins = {name for name in written if name.endswith("jaas.config")}
    # PLAIN keeps passwords in its entry; of other mechanisms an entry may, and it is hidden.
    certain = written - {name for name in logins if ".plain." not in name}
    return None if logins and not certain else sorted(certain)
