"""What can be said against checks that are written rightly: what would be proved, judged or read by nothing."""

import re
from collections.abc import Iterable, Iterator

from runbook.judge.compiled import Compiled
from runbook.model.block import Check, Diagnostic, Expectation, Procedure
from runbook.model.consequence import CONSEQUENCES, SEVERITIES
from runbook.model.errors import Problem
from runbook.parse.runbook import LocatedBlock, Runbook
from runbook.procedure.walk import stages

_PROBE, _VIEW = "drill", "proved_drill"


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


def unprovable_drills(book: Runbook) -> Iterator[Problem]:
    """Yield a problem for each check that takes a drill for proof in which nothing need have been lost."""
    procedures = {placed.name: placed.block for placed in book.placed() if isinstance(placed.block, Procedure)}
    for placed in book.checks():
        if isinstance(placed.block, Check):
            yield from _undeclared(placed, placed.block, procedures)
            yield from _judged_bare(placed, placed.block)


def _undeclared(placed: LocatedBlock, check: Check, procedures: dict[str, Procedure]) -> Iterator[Problem]:
    """A drill of a procedure of this runbook that declares no loss."""
    for name, request in check.facts.items():
        named = request.with_.get("procedures", []) if request.probe == _PROBE else []
        for procedure in named if isinstance(named, list) else []:
            if procedure in procedures and procedures[procedure].loses is None:
                place = placed.document.place(("facts", name))
                message = f"{procedure} does not declare what a drill of it loses, so no drill of it proves anything"
                yield Problem(place, message, f"add loses: broker, rack or source to the block of {procedure}")


def _judged_bare(placed: LocatedBlock, check: Check) -> Iterator[Problem]:
    """Drills that are judged as they were recorded, whether anything was lost in them or not."""
    drills = {name for name, request in check.facts.items() if request.probe == _PROBE}
    judged = drills & {*_subjects(check.expect)}
    for name in sorted(judged):
        message = f"{placed.name} judges the probe {_PROBE} itself, and would pass where nothing was lost"
        remedy = (
            f"judge what is proved: views: {{proved: {{view: {_VIEW}, of: {{drill: {name}, cluster: CLUSTER}}}}}}, "
            "expect: {each: proved, …}, and in that: proved.lost != ''"
        )
        yield Problem(placed.document.place(("expect",)), message, remedy)


def _subjects(expect: Expectation) -> Iterator[str]:
    """The facts that an expectation is about."""
    yield from (name for name in (expect.each, expect.all, expect.same, expect.window) if name)
    yield from expect.join


def unnamed_gates(book: Runbook) -> Iterator[Problem]:
    """Yield a problem for each check with `gate: true` that no procedure and no symptom of its runbook names."""
    blocks = [placed.block for placed in book.placed()]
    of_procedures = {
        asked.check.rpartition("/")[2]
        for block in blocks
        if isinstance(block, Procedure)
        for stage in stages(block)
        for asked in stage.checks
    }
    named = of_procedures.union(*(block.checks for block in blocks if isinstance(block, Diagnostic)))
    for placed in book.checks():
        if isinstance(placed.block, Check) and placed.block.gate and placed.block.id not in named:
            yield Problem(
                placed.document.place(("gate",)),
                f"no gate names {placed.name}, so that nothing judges it",
                "name it under before, verify or after of a procedure of this runbook or in a symptom, or leave out "
                "gate: true",
            )


def unread_parameters(checks: Iterable[Compiled]) -> Iterator[Problem]:
    """Yield a problem for each parameter that no expression, request or text of its check names.

    Args:
        checks: those that are right; in another one a misspelt name is no second mistake.
    """
    for compiled in checks:
        placed = compiled.placed
        rest = str({field: value for field, value in placed.document.value.items() if field != "params"})
        for name in compiled.check.params:
            if not re.search(rf"\bparams\s*\.\s*{re.escape(name)}(?!\w)", rest):
                yield Problem(
                    placed.document.place(("params", name)),
                    f"nothing in {placed.name} reads params.{name}, so that its value changes nothing",
                    "name it in an expression, or leave it out",
                )
