"""Labels of an environment that no check knows: nothing is wrong with them, and they take checks away in silence."""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from runbook.judge.summary import counted
from runbook.model.block import Check
from runbook.model.errors import UsageError, nearest
from runbook.parse.inventory import Target
from runbook.parse.runbook import Runbook
from runbook.run.planning.plan import NOT
from runbook.run.sources.runbooks import every_name, locate, read_each

_LESSER = frozenset({"dev", "lab", "test"})
"""Values by which people say that less is asked of an environment, so that checks are meant to go: our judgement."""
_LABELS = re.compile(rb"^labels:", re.MULTILINE)


class UnknownLabel(Struct, frozen=True):
    """A label that no check knows.

    Attributes:
        name: of the label.
        message: what that does.
        meant: what was probably meant, a label or a value; "" where none is near.
    """

    name: str
    message: str
    meant: str


def read_labelled(words: Sequence[str] = ()) -> list[Runbook]:
    """Of these runbooks, all where none is named, those that can be read and have a check that goes by labels."""
    labelled = [word for word in words or every_name() if _LABELS.search(_text(word))]
    return read_each(labelled)[0]


def _text(word: str) -> bytes:
    try:
        return locate(word)[0].read_bytes()
    except (OSError, UsageError):
        return b""


def unknown_labels(target: Target, runbooks: Iterable[Runbook]) -> Iterator[UnknownLabel]:
    """Yield each label of an environment that stands in no check of these runbooks, where that matters or is a slip."""
    checks = [placed.block for book in runbooks for placed in book.checks() if isinstance(placed.block, Check)]
    known: dict[str, list[list[str]]] = {}
    for check in checks:
        for label, values in check.labels.items():
            known.setdefault(label, []).append(values)
    given = target.environment.labels
    for label, value in given.items():
        if label not in known:
            if (meant := nearest(label, [*known])) and meant not in given:
                yield UnknownLabel(label, f"no check knows the label {label}", meant)
            continue
        values = sorted({value.removeprefix(NOT) for wanted in known[label] for value in wanted})
        if value in values or value in _LESSER:
            continue
        wanted = [[name for name in names if not name.startswith(NOT)] for names in known[label]]
        barred = [names for names in wanted if names]
        meant = nearest(value, values) or next((word for word in values if value.startswith(word)), "")
        if barred or meant:
            sentence = f"no check knows {label} {value}"
            if barred:
                named = " or ".join(sorted({name for names in barred for name in names}))
                sentence += f"; {counted(len(barred), 'check')}, for {named} alone, will not apply"
            yield UnknownLabel(label, sentence, meant)
