"""Each cause that the tool can name is named by a symptom."""

from runbook.model.block import Cause, Diagnostic
from runbook.plugins.content import builtin_runbooks
from runbook.run.sources.runbooks import read_all

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
    "ha/topics-acknowledge-what-one-broker-has",
    "ha/topics-have-two-replicas-and-need-both",
    "ha/topics-need-all-their-replicas",
    "ha/topics-have-one-copy",
    "kubernetes/brokers-are-under-no-budget",
    "kubernetes/budget-lets-several-go",
    "schema-governance/registry-guards-nothing",
    "security/an-acl-opens-everything-to-all-users",
}
"""Causes by which nobody suffers yet, so that there is no symptom to start from."""


def test_each_cause_block_is_named_by_a_symptom_unless_nobody_suffers_yet() -> None:
    blocks = {placed.name for placed in PLACED if isinstance(placed.block, Cause)}
    named = {
        cause.holds if "/" in cause.holds else f"{runbook}/{cause.holds}" for runbook, cause in POSSIBLE if cause.holds
    }
    assert blocks - named == NO_SYMPTOM
