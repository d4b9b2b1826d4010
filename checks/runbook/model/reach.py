"""Whether anything answered at all: told by how the reasons of connections are worded."""

from typing import Final

from runbook.model.fact import Fact
from runbook.model.recovery import WITHHELD

_OUT_OF_REACH: Final = ("no bootstrap server answers", "can't be reached", "did not answer", "had not answered")
"""How connections say that nothing answered them."""
_NOT_DARK: Final = ("does not let us look", "in Kafka's protocol", WITHHELD)  # something did answer, or would
_NO_TIME: Final = "had not answered"  # by the deadline
_NOT_ASKED: Final = ("was not asked", "the run was interrupted", "the deadline comes before", "ended without an answer")
"""How the run says that a question was never put, or that we did not hear the answer out; workers' tests hold it."""


def out_of_reach(reason: str) -> bool:
    """Whether a reason says that nothing answered."""
    return any(words in reason for words in _OUT_OF_REACH)


def not_asked(reason: str) -> bool:
    """Whether a reason says that a question was not put to its end by us: nothing was refused."""
    return any(words in reason for words in _NOT_ASKED)


def unanswered(reason: str) -> bool:
    """Whether a reason says that nothing answered, and not only that the deadline came first."""
    return out_of_reach(reason) and _NO_TIME not in reason


def dark(fact: Fact) -> bool:
    """Whether nothing answered: there are no rows, and every gap, of which there is one at least, is one of reach.

    What a cause withholds would be reached without it.
    """
    if len(fact) or not fact.gaps:
        return False
    reasons = [gap.reason for gap in fact.gaps]
    return all(map(out_of_reach, reasons)) and not any(word in reason for reason in reasons for word in _NOT_DARK)


def silent(cluster: Fact) -> bool | None:
    """Whether no broker of a cluster answered, from kafka_cluster of it: unknown where the deadline came first.

    It may only be slow then, or we are. Unknown, too, where something else was wrong; what a cause alone withholds
    would answer without it.
    """
    reasons = [gap.reason for gap in cluster.gaps]
    if len(cluster) or (reasons and all(WITHHELD in reason for reason in reasons)):
        return False
    return True if dark(cluster) and all(map(unanswered, reasons)) else None
