"""Log directories that failed work again: their broker has copied anew what they held."""

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed
from runbook.recoveries._brokers import SERVING, UNTOUCHED
from runbook.recoveries.broker_back_in_service import RECOVERY as BACK_IN_SERVICE

_FOLLOWS = ("kafka_partition", "kafka_replica", "kafka_replica_balance")
"""What becomes of these is as if their broker had been away: it follows the leaders of what it holds."""


def _log_dir(fact: Fact, situation: Situation) -> Fact:
    """How large they are, and what is in them then, was never seen."""
    mine = [path in situation.given["paths"] for path in fact.columns["path"]]
    columns = {"error": ["" if chosen else cell for chosen, cell in zip(mine, fact.columns["error"], strict=True)]}
    unseen = ("total_bytes", "usable_bytes", "replica_bytes", "replicas")
    cells = {
        name: [None if chosen else cell for chosen, cell in zip(mine, fact.columns[name], strict=True)]
        for name in unseen
    }
    return changed(fact, columns | cells, fact.gaps)


RECOVERY = Recovery(
    help="Log directories that failed work again, and their broker has copied what they held.",
    takes=("brokers", "paths"),
    sets={"kafka_log_dir": _log_dir} | {probe: BACK_IN_SERVICE.sets[probe] for probe in _FOLLOWS},
    leaves=(UNTOUCHED - {"kafka_log_dir"}) | SERVING | {"kafka_quorum", "kafka_reassignment"},
    entity="",
    of="",
    sources=(
        "KIP-112: a failed log directory takes its replicas offline; its broker goes on with the others",
        *BACK_IN_SERVICE.sources,
    ),
)
