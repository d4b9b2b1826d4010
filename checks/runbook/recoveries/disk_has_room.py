"""Volumes of log directories hold nothing but Kafka's replicas: whatever else filled them is gone."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed
from runbook.recoveries._elsewhere import all_but


def _log_dir(fact: Fact, situation: Situation) -> Fact:
    """Where Kafka's own data fills a volume, it is as full as before: then only less data or more disk helps."""
    needed = ("usable_bytes", "total_bytes", "replica_bytes")
    usable = [
        max(row["usable_bytes"], row["total_bytes"] - row["replica_bytes"])
        if row["path"] in situation.given["paths"] and None not in (row[name] for name in needed)
        else row["usable_bytes"]
        for row in fact.rows("path", *needed)
    ]
    return changed(fact, {"usable_bytes": usable}, fact.gaps)


_SETS = {"kafka_log_dir": _log_dir}

RECOVERY = Recovery(
    help="Volumes of log directories hold nothing but Kafka's replicas.",
    takes=("paths",),
    sets=_SETS,
    leaves=all_but({*_SETS, "host_filesystem", "host_log_dir_device"}),
    entity="",
    of="",
    sources=("KIP-827: total and usable bytes of the volumes of log directories",),
)
