"""Topics that are made without a number of copies get no more than there are brokers; which number nobody has said."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation
from runbook.recoveries._brokers import UNTOUCHED
from runbook.recoveries._rows import put

_COPIES = ("default_replication_factor", "offsets_replication_factor", "transaction_replication_factor")


def _config(fact: Fact, _: Situation) -> Fact:
    return put(fact, [True] * len(fact), **dict.fromkeys(_COPIES))


_SETS = {"kafka_broker_config": _config}
_AS_IT_IS = ("kafka_partition", "kafka_quorum", "kafka_reassignment", "kafka_replica", "zookeeper_server")

RECOVERY = Recovery(
    help="Topics that are made without a number of copies get no more than there are brokers.",
    takes=(),
    sets=_SETS,
    leaves=(UNTOUCHED - {"kafka_broker_config", "kafka_broker_setting", "kafka_topic"}).union(_AS_IT_IS),
    entity="",
    of="",
    sources=("Apache Kafka documentation, broker configuration: default.replication.factor and its like",),
)
