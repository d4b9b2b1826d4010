"""A cluster of which nothing was reached is reached; what it is and holds was never seen."""

from runbook.model.fact import Gap
from runbook.model.reach import out_of_reach
from runbook.model.recovery import Recovery, Situation
from runbook.recoveries._rows import all_but


def _of_reach(gap: Gap, _: Situation) -> bool:
    return out_of_reach(gap)


RECOVERY = Recovery(
    help="A cluster that did not answer is reached; what it would report was never seen.",
    takes=(),
    sets={},
    leaves=all_but(()),
    entity="",
    of="",
    hides=_of_reach,
    of_sight=True,
    sources=("Apache Kafka protocol guide, Bootstrapping: what clients know comes from a bootstrap server",),
)
