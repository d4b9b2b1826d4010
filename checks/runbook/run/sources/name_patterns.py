"""Which checks and causes the words of `--only` mean: by name, with or without their runbook's, or by a glob."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from runbook.parse.old_names import old_names, present_name
from runbook.parse.runbook import Runbook


def one_by_one(words: Iterable[str]) -> tuple[str, ...]:
    """Words without lists of several, as in `brokers-agree,enough-brokers`: no name holds a comma."""
    return tuple(part for word in words for part in word.split(",") if part or not word)


def means(word: str, name: str) -> bool:
    """Whether a word means what is called `name`, as in ha/brokers-agree."""
    return any(fnmatchcase(called, word) for called in (name, name.rpartition("/")[2]))


def unmeant(words: Iterable[str], names: Sequence[str]) -> str | None:
    """The first word that means none of the names; None where each means one."""
    return next((word for word in words if not any(means(word, name) for name in names)), None)


def words_of_today(words: Iterable[str], books: Sequence[Runbook]) -> tuple[str, ...]:
    """Words with the present name in place of an old one of a block of these runbooks."""
    names, present = old_names(books), [placed.name for book in books for placed in book.placed()]
    return tuple(word if unmeant([word], present) is None else present_name(word, names) for word in words)
