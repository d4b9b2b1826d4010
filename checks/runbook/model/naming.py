"""What was meant by a word that names nothing, where more names are known than anybody reads."""

from collections.abc import Sequence

from runbook.model.errors import did_you_mean, nearest

MOST = 20
"""Names that are all told: more are looked up, not read. Our judgement."""
_NEAR = 3
_TELLING = 3  # letters of a part of a name that may tell which is meant


def meant(word: str, known: Sequence[str], listed_by: str) -> str:
    """Say what may have been meant: all names where they are few, else the nearest and the command that lists all.

    Args:
        word: what somebody wrote.
        known: every name that would have been one.
        listed_by: the command that lists them; empty where there is none, so that they are told here.
    """
    if len(known) <= MOST or not listed_by:
        return did_you_mean(word, [*known])
    close = nearest(word, [*known])
    near = [close] if close else _with(word, known)
    listed = f"{listed_by} names all {len(known)}"
    return f"did you mean {' or '.join(near)}? {listed}" if near else listed


def _with(word: str, known: Sequence[str]) -> list[str]:
    """The first names that hold the word, as half of a long name does."""
    return [name for name in sorted(known) if len(word) >= _TELLING and word.lower() in name.lower()][:_NEAR]
