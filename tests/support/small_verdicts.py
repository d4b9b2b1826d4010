"""Verdicts of small checks over made-up rows."""

from typing import Any

from runbook.judge.judge import judge
from runbook.model.result import Verdict
from support.small_runbooks import ROWS, compiled, context, fact

SMALL = ROWS + "expect: {each: row, that: row.size <= 10}"
NODES = "facts: {row: {probe: fake_row}, node: {probe: fake_node}}\n"
JOIN = NODES + "expect: {each: row, join: {node: {broker: broker}}, that: row.size <= node.limit}"


def verdict(
    body: str, rows: list[dict[str, Any]], *gaps: str, more: dict[str, Any] | None = None, **fields: str
) -> Verdict:
    """What is said of these rows, with these gaps, by a check of this body."""
    facts = {"row": fact("fake_row", rows, gaps)} | (more or {})
    return judge(compiled(body, **fields), facts, context())


def row(name: str, **cells: Any) -> dict[str, Any]:
    """A row."""
    return {"name": name} | cells
