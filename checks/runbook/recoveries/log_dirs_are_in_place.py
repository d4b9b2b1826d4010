"""Log directories of hosts are those of their brokers; which data is in them was never seen."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed
from runbook.recoveries._elsewhere import all_but, chosen, put

_IN_IT = ("partitions", "leaving", "arriving", "stray", "segments", "indexes", "time_indexes")


def _dir(fact: Fact, situation: Situation) -> Fact:
    """Files that a broker keeps at its root are there; of which cluster it is then is not told."""
    hosts, paths = situation.given["hosts"], situation.given["paths"]
    mine = chosen(fact, ["host", "path"], lambda host, path: host in hosts and path in paths)
    there = put(fact, mine, cluster_id=None, absent=[], **dict.fromkeys(_IN_IT))
    pairs = zip(mine, fact.columns["broker"], fact.columns["owner"], strict=True)
    return changed(there, {"owner": [broker if of_mine else owner for of_mine, broker, owner in pairs]}, fact.gaps)


_SETS = {"host_log_dir": _dir}

RECOVERY = Recovery(
    help="Log directories of hosts are those of their brokers.",
    takes=("hosts", "paths"),
    sets=_SETS,
    leaves=all_but({*_SETS, "host_filesystem", "host_log_dir_device", "kafka_log_dir", "kafka_replica_size"}),
    entity="",
    of="",
    sources=("Apache Kafka: a broker starts with log directories whose meta.properties name it",),
)
