"""Sentences that people read and code does not: to decide by one, ask its gap for the kind.

To the type checker a sentence is no text: it has no methods, nothing is `in` it, and it can't be joined. It can be
handed on, compared with another, and put into a longer one; `shown` gives the text, to be printed. While a program
runs it is plain text, as it is in files.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:

    class Sentence:
        """A sentence that is only to be shown."""

        def __init__(self, text: "str | Sentence") -> None: ...

    class ReasonText:
        """A field that takes a text and gives a sentence."""

        def __get__(self, of: object, kind: object = None) -> Sentence: ...
        def __set__(self, of: object, text: str | Sentence) -> None: ...
else:
    Sentence = ReasonText = str


def shown(*sentences: Sentence) -> str:
    """Sentences as one text, each once."""
    return "; ".join(dict.fromkeys(f"{sentence}" for sentence in sentences))


def each_shown(sentences: Iterable[Sentence]) -> list[str]:
    """Sentences as texts, each once, in their order."""
    return list(dict.fromkeys(f"{sentence}" for sentence in sentences))
