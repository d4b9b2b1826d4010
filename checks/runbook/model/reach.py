"""Whether anything answered at all: told by how the reasons of connections are worded."""

from typing import Final

from runbook.model.fact import Fact

_OUT_OF_REACH: Final = ("no bootstrap server answers", "can't be reached", "did not answer", "had not answered")
"""How connections say that nothing answered them."""
_REFUSED: Final = ("does not let us look", "in Kafka's protocol")  # something did answer


def out_of_reach(reason: str) -> bool:
    """Whether a reason says that nothing answered."""
    return any(words in reason for words in _OUT_OF_REACH)


def dark(fact: Fact) -> bool:
    """Whether nothing answered: there are no rows, and every gap, of which there is one at least, is one of reach."""
    if len(fact) or not fact.gaps:
        return False
    reasons = [gap.reason for gap in fact.gaps]
    return all(map(out_of_reach, reasons)) and not any(word in reason for reason in reasons for word in _REFUSED)
