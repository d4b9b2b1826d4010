"""Controllers come back until a majority runs, and with them the brokers that share their processes.

What an active controller would answer was never seen: who it is, how far the others are, what is being moved.
"""

from runbook.model.fact import Fact, Gap
from runbook.model.recovery import Recovery, Situation, changed, withheld
from runbook.recoveries import broker_back_in_service
from runbook.recoveries._brokers import ENTITY, UNTOUCHED


def _unseen(fact: Fact, _: Situation) -> Fact:
    """No row, as each of them is an active controller's to tell."""
    gap = withheld(Gap(f"no active controller reported {fact.source}"))
    return changed(fact, {name: [] for name in fact.columns}, [gap])


RECOVERY = Recovery(
    help="Controllers come back until a majority runs, and with them the brokers that share their processes.",
    takes=("brokers",),
    sets=dict(broker_back_in_service.RECOVERY.sets)
    | {"kafka_quorum": _unseen, "kafka_cluster": _unseen, "kafka_reassignment": _unseen},
    leaves=UNTOUCHED,
    entity=ENTITY,
    of="brokers",
    sources=(
        "KIP-595: a leader of the metadata quorum is elected by a majority of its voters",
        *broker_back_in_service.RECOVERY.sources,
    ),
)
