"""Whether anything answered at all, by what kinds of gaps there are."""

from runbook.model.fact import Fact, Gap
from runbook.model.gap_kind import NO_ANSWER, GapKind


def out_of_reach(gap: Gap) -> bool:
    """Whether nothing answered."""
    return gap.kind in NO_ANSWER


def unanswered(gap: Gap) -> bool:
    """Whether nothing answered, and not only that the deadline came first."""
    return out_of_reach(gap) and gap.kind is not GapKind.DEADLINE


def dark(fact: Fact) -> bool:
    """Whether nothing answered: there are no rows, and every gap, of which there is one at least, is one of reach.

    What a cause withholds would be reached without it.
    """
    return not len(fact) and bool(fact.gaps) and all(out_of_reach(gap) and not gap.withheld for gap in fact.gaps)


def silent(cluster: Fact) -> bool | None:
    """Whether no broker of a cluster answered, from kafka_cluster of it: unknown where the deadline came first.

    It may only be slow then, or we are. Unknown, too, where something else was wrong; what a cause alone withholds
    would answer without it.
    """
    if len(cluster) or (cluster.gaps and all(gap.withheld for gap in cluster.gaps)):
        return False
    return True if dark(cluster) and all(map(unanswered, cluster.gaps)) else None
