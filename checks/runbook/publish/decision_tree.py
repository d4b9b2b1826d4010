"""A diagnostic as questions, one after the other: can be followed with a thumb, needs no script."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup
from msgspec import Struct

from runbook.model.block import Diagnostic, PossibleCause, whole_name
from runbook.parse.runbook import LocatedBlock
from runbook.publish import prose
from runbook.publish.evidence import EnvironmentEvidence
from runbook.publish.page import fragment
from runbook.publish.site_paths import beside
from runbook.publish.sources import cited
from runbook.publish.status_row import ORDER

NAMED = 3  # our judgement: environments named beside a question; more are counted


class TreeQuestion(Struct, frozen=True):
    """A check that tells whether a cause is the one.

    Attributes:
        check: its name as the diagnostic writes it.
        title: its compliant condition; empty if it is of a runbook not published here.
        href: its page.
        states: status -> the environments in which it was last so, the worst first; passing ones are left out.
        passing: in how many environments it passed.
    """

    check: str
    title: str
    href: str
    states: dict[str, list[str]]
    passing: int


class Branch(Struct, frozen=True):
    """A possible cause: the questions that lead to it, what to do if it is the one, and where its block stands."""

    number: int
    cause: PossibleCause
    questions: list[TreeQuestion]
    last: bool
    href: str


def tree(
    placed: LocatedBlock, blocks: Mapping[str, LocatedBlock], environments: Sequence[EnvironmentEvidence]
) -> Markup:
    """Render a diagnostic.

    Args:
        placed: the diagnostic.
        blocks: every block of all published runbooks, by its global name.
        environments: for the last state of each check.
    """
    block = placed.block
    if not isinstance(block, Diagnostic):
        raise TypeError(f"{placed.name} is no diagnostic")
    branches = [
        Branch(
            number,
            cause,
            [_question(name, placed.runbook, blocks, environments) for name in cause.checks],
            last=number == len(block.causes),
            href=beside(cause.holds),
        )
        for number, cause in enumerate(block.causes, 1)
    ]
    sources = [cited(text) for text in block.sources]
    values = {"block": block, "name": placed.name, "branches": branches, "named": NAMED, "sources": sources}
    return fragment("diagnostic.html", **values, md=prose.of_block(placed.runbook))


def _question(
    name: str, runbook: str, blocks: Mapping[str, LocatedBlock], environments: Sequence[EnvironmentEvidence]
) -> TreeQuestion:
    full = whole_name(name, runbook)
    known = blocks.get(full)
    states: dict[str, list[str]] = {}
    for environment in environments:
        for seen in environment.results.get(full, []):
            states.setdefault(seen.status, []).append(seen.result.subject or environment.name)
    passing = len(states.pop("pass", []))
    states.pop("not_applicable", None)
    ordered = {status: sorted(states[status]) for status in ORDER if status in states}
    return TreeQuestion(name, known.block.title if known else "", beside(name), ordered, passing)
