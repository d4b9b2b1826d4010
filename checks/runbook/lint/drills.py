"""What can be said against checks and procedures of drills: a drill must be able to prove what is claimed of it."""

from collections.abc import Iterator

from runbook.model.block import Check, Expectation, Procedure
from runbook.model.errors import Problem
from runbook.parse.runbook import LocatedBlock, Runbook

_PROBE, _VIEW = "drill", "proved_drill"


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
