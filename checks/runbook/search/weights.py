"""What each sign that a place fits counts for: read here and, with the index, by the site (docs/scripts/find.js).

All of it is our judgement, and for the order only. Hits over hundreds of printed texts (tests/search) move little when
one is changed by a fifth.
"""

from typing import Final, Literal

from msgspec import Struct

Kind = Literal["diagnostic", "check", "procedure", "section", "cause", "effect", "runbook"]


class Weights(Struct, frozen=True):
    """The weights of the search.

    Attributes:
        helps: how much each kind of place helps who has a symptom.
        to_do: the same of a procedure whose title begins as what was asked: "restart a broker" wants to do it.
        title: of a word that stands in a place's title.
        names: of one in the alerts and errors that it lists.
        body: of one elsewhere in it.
        meant: of a word in whose place a near one stands.
        together: added where all that was asked stands in a title or a name, one word behind the other.
        covered: added for a listed name all of whose words stand in what was asked, though not together.
        few: words of a name that may stand there by chance.
        said_by_title: added where several places list the same name, and a title says it.
        about: added where the runbook's head lists it, too.
        called: added where what was asked is the title or the id; more than any fit.
        least: of the weight of the words asked for must be there.
        near: of the most that any place has of them: what has less is noise behind it.
        well: of the best score: what has less stands behind.
        leading: places that come first whosever they are; of the rest one's own do.
        nearest: places that are shown where none is a hit.
    """

    helps: dict[Kind, float]
    to_do: float = 1.1
    title: float = 1.0
    names: float = 0.8
    body: float = 0.4
    meant: float = 0.9
    together: float = 0.3
    covered: float = 0.5
    few: int = 2
    said_by_title: float = 1.0
    about: float = 0.5
    called: float = 2.0
    least: float = 0.5
    near: float = 0.8
    well: float = 0.65
    leading: int = 5
    nearest: int = 3


WEIGHTS: Final = Weights(
    helps={
        "diagnostic": 1.0,
        "check": 0.5,
        "procedure": 0.45,
        "section": 0.45,
        "cause": 0.4,
        "runbook": 0.3,
        "effect": 0.1,
    }
)


def rounded(score: float) -> float:
    """A score without its last digits, which differ from one language to the other."""
    return round(score, 9)
