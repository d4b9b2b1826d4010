"""A built-in check says why it is as grave as it is; one of one's own may have a plain severity, but not both."""

from typing import Literal

import pytest

from runbook.lint.checks import unreasoned_severities
from runbook.model.block import Check
from runbook.model.errors import Invalid
from runbook.parse.runbook import parse_runbook

PAGE = """---
title: What to see
version: 0.1.0
changes: [{version: 0.1.0, date: 2026-11-27, note: first}]
summary: It is said here.
---

```yaml {.check}
id: seen
title: It is seen
GRAVE
facts: {broker: {probe: kafka_broker}}
expect: {each: broker, that: broker.answers}
```
"""


def told(lines: str, origin: Literal["built-in", "file"]) -> list[str]:
    book = parse_runbook(PAGE.replace("GRAVE", lines), "ours", "ours.md", origin=origin)
    return [f"{problem.place.line} {problem.message} | {problem.remedy}" for problem in unreasoned_severities(book)]


def test_a_consequence_is_enough_and_decides_the_severity() -> None:
    assert told("consequence: part-down", "built-in") == []
    book = parse_runbook(PAGE.replace("GRAVE", "consequence: part-down"), "ours", "ours.md")
    block = book.checks()[0].block
    assert isinstance(block, Check)
    assert (block.severity, block.consequence) == ("high", "part-down")


def test_a_check_of_ones_own_may_have_a_plain_severity_and_a_built_in_one_may_not() -> None:
    assert told("severity: high", "file") == []
    problem = told("severity: high", "built-in")[0]
    assert problem.startswith("11 ours/seen does not say why it is high | write consequence: with one of critical: ")
    assert "high: part-down, records-mishandled, next-failure" in problem


@pytest.mark.parametrize("origin", ["built-in", "file"])
def test_a_severity_beside_a_consequence_is_one_too_many(origin: Literal["built-in", "file"]) -> None:
    assert told("severity: high\nconsequence: part-down", origin) == [
        "11 ours/seen has a severity beside its consequence | remove severity: it follows from the consequence"
    ]


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("params: {}", 'check lacks "severity"\n    add severity: (critical, high, info, low, medium)'),
        ("consequence: part-dwn", "consequence: 'part-dwn'\n    did you mean part-down?"),
    ],
)
def test_a_check_without_either_or_with_a_word_that_is_none_is_refused(lines: str, problem: str) -> None:
    with pytest.raises(Invalid) as raised:
        told(lines, "file")
    assert problem in str(raised.value)
