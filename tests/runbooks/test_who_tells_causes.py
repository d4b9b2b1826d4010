"""Which possible causes the tool tells and which a person must: the page has the figures; no cause block is unnamed."""

from runbook.model.block import Cause, Diagnostic
from runbook.plugins.content import builtin_runbooks
from runbook.run.sources import read_all
from support.documented import ROOT

PAGE = " ".join((ROOT / "docs" / "explanation" / "causes.md").read_text("utf-8").split())
PLACED = [
    placed for book in read_all([str(file) for file in builtin_runbooks().glob("*.md")]) for placed in book.placed()
]
POSSIBLE = [
    (placed.runbook, cause)
    for placed in PLACED
    if isinstance(placed.block, Diagnostic)
    for cause in placed.block.causes
]
NO_SYMPTOM = {
    "kubernetes/brokers-are-under-no-budget",
    "kubernetes/budget-lets-several-go",
    "schema-governance/registry-guards-nothing",
    "security/certificate-ends-soon",
    "security/everybody-may-do-everything",
}
"""Causes by which nobody suffers yet, so that there is no symptom to start from."""


def test_the_page_has_the_figures() -> None:
    in_words = [cause for _, cause in POSSIBLE if not cause.holds]
    pointed_at = sum(bool(word.checks) for word in in_words)
    blocks = sum(isinstance(placed.block, Cause) for placed in PLACED)
    assert f"list {len(POSSIBLE)} possible causes. The tool tells {len(POSSIBLE) - len(in_words)} of them" in PAGE
    assert f"(there are {blocks}). The other {len(in_words)} stand in words" in PAGE
    assert f"Beside {pointed_at} of these stand checks" in PAGE
    assert f"for {len(in_words) - pointed_at} no check can tell" in PAGE


def test_each_cause_block_is_named_by_a_symptom_unless_nobody_suffers_yet() -> None:
    blocks = {placed.name for placed in PLACED if isinstance(placed.block, Cause)}
    named = {
        cause.holds if "/" in cause.holds else f"{runbook}/{cause.holds}" for runbook, cause in POSSIBLE if cause.holds
    }
    assert blocks - named == NO_SYMPTOM
