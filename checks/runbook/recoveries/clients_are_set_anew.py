"""Settings of clients are changed, and work; which values they have then nobody has said."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation
from runbook.recoveries._elsewhere import all_but, chosen, put


def _config(fact: Fact, situation: Situation) -> Fact:
    clients = situation.given["clients"]
    settings = {name for names in situation.given["settings"] for name in names}
    mine = chosen(fact, ["client", "setting"], lambda client, name: client in clients and name in settings)
    return put(fact, mine, value=None)


_SETS = {"client_config": _config}
_WORKS = ("kafka_consumer_group", "kafka_group", "kafka_group_lag", "kafka_group_member", "kafka_group_offset")

RECOVERY = Recovery(
    help="Settings of clients are changed, and work.",
    takes=("clients", "settings"),
    sets=_SETS,
    leaves=all_but({*_SETS, *_WORKS}),
    entity="",
    of="",
    sources=("Apache Kafka documentation, consumer configs: a client reads its settings when it starts",),
)
