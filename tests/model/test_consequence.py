"""The severity of a check follows from its consequence, and the reference page asks the same questions."""

import re
from pathlib import Path
from typing import get_args

import pytest

from runbook.model.block import Check, Diagnostic
from runbook.model.consequence import (
    CONSEQUENCES,
    SEVERITIES,
    Consequence,
    is_standing,
    reason_for,
    with_severity,
)
from runbook.parse.runbook import read_runbook
from runbook.plugins.content import builtin_runbooks
from support.documented import ROOT

ROW = re.compile(r"^\| `([a-z-]+)` \| ([a-z]+) \| (.+) \| (yes)? ?\|$", re.MULTILINE)


def test_each_word_has_a_question_and_the_gravest_comes_first() -> None:
    assert tuple(CONSEQUENCES) == get_args(Consequence)
    weights = [SEVERITIES.index(answer.severity) for answer in CONSEQUENCES.values()]
    assert weights == sorted(weights, reverse=True)
    assert set(weights) == set(range(len(SEVERITIES)))


def test_the_table_of_the_reference_page_is_the_one_in_the_code() -> None:
    written = ROW.findall((ROOT / "docs/reference/severity.md").read_text(encoding="utf-8"))
    assert written == [
        (word, answer.severity, answer.question, "yes" if answer.acute else "") for word, answer in CONSEQUENCES.items()
    ]


@pytest.mark.parametrize(
    ("fields", "derived"),
    [
        ({"consequence": "outage"}, {"consequence": "outage", "severity": "critical"}),
        ({"severity": "low"}, {"severity": "low"}),
        ({"severity": "low", "consequence": "outage"}, {"severity": "low"}),
        ({"consequence": ""}, {"consequence": ""}),
        ({}, {}),
    ],
)
def test_a_severity_follows_from_a_consequence_unless_it_is_written(
    fields: dict[str, str], derived: dict[str, str]
) -> None:
    assert with_severity(fields) == derived


def test_a_severity_that_was_written_plainly_has_no_reason_and_may_be_acute() -> None:
    assert reason_for("") == ""
    assert reason_for("outage") == "clients are refused, or no leader can be elected, now"
    assert not is_standing("")
    assert not is_standing("a word of a later version")
    assert not is_standing("part-down")
    assert is_standing("next-failure")


@pytest.mark.parametrize("path", sorted(builtin_runbooks().glob("*.md")), ids=lambda path: path.stem)
def test_every_built_in_check_says_why_it_is_as_grave_as_it_is(path: Path) -> None:
    book = read_runbook(path)
    asked = {check for placed in book.placed() if isinstance(placed.block, Diagnostic) for check in placed.block.checks}
    for placed in book.checks():
        assert isinstance(placed.block, Check)
        assert placed.block.consequence, placed.name
        assert placed.block.severity == CONSEQUENCES[placed.block.consequence].severity
        of_a_step = placed.block.gate and placed.block.id not in asked
        assert placed.block.consequence.startswith("step-") == of_a_step, placed.name
