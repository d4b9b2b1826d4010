"""Severities that follow from no answer: those of built-in checks, and those written beside one."""

from collections.abc import Iterator

from runbook.model.consequence import CONSEQUENCES, SEVERITIES
from runbook.model.errors import Problem
from runbook.parse.runbook import Runbook


def unreasoned_severities(book: Runbook) -> Iterator[Problem]:
    """Yield a problem for each built-in check whose severity has no reason, and for each that has two severities.

    A check of one's own may have a plain severity.
    """
    for placed in book.checks():
        written = placed.document.value
        if "severity" not in written or placed.amended:
            continue
        place = placed.document.key(("severity",))
        if "consequence" in written:
            remedy = "remove severity: it follows from the consequence"
            yield Problem(place, f"{placed.name} has a severity beside its consequence", remedy)
        elif book.origin == "built-in":
            remedy = f"write consequence: with one of {_words()}"
            yield Problem(place, f"{placed.name} does not say why it is {written['severity']}", remedy)


def _words() -> str:
    """The consequences by severity, the gravest first."""
    by_severity = {
        severity: [word for word, answer in CONSEQUENCES.items() if answer.severity == severity]
        for severity in reversed(SEVERITIES)
    }
    return "; ".join(f"{severity}: {', '.join(words)}" for severity, words in by_severity.items())
