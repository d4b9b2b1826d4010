"""No number and no truth is made out of what nobody told: a net over the code that sees, reads and works out.

It finds expressions that give 0 or false for what is missing. Each of them is looked at: where what is missing means 0
to the system itself, a comment above says so; else the cell must be None. Texts and lists are no part of it:
there a known absence is a value by convention, "" for no rack, and too much is meant by it for a list that is read.

A cell whose declaration says where it stands says there what its absence means, and how that is known; a number or a
truth that does not is refused when its row is first read, which is done here for every probe.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from runbook.model.row import readers
from runbook.plugins.catalog import catalog

CHECKS = Path(__file__).parents[1] / "checks"
ROOMS = (
    "runbook/probes",
    "runbook/answers",
    "runbook/connections",
    "runbook/formats",
    "runbook/views",
    "schema_compat",
)
TRUTHS = ("runbook/probes",)  # of views, their own test says it: tests/views/test_unknown_stays_unknown.py

REASON = "# not made up: "
"""Begins the comment above a line with such an expression, and goes on with why the 0 or the false is known."""


def made_up(tree: ast.Module, *, truths: bool) -> Iterator[ast.expr]:
    """The expressions that give 0 or false where something is missing; `truths`: those too that `bool` gives."""
    for node in ast.walk(tree):
        match node:
            case ast.BoolOp(op=ast.Or(), values=[*_, last]) if is_nothing(last):
                yield node
            case ast.Call(func=ast.Attribute(value=receiver, attr="get"), args=[_, last]) if is_nothing(last):
                if not isinstance(receiver, ast.Dict):  # a table that stands in the code has what it has
                    yield node
            case ast.Call(func=ast.Name(id="getattr"), args=[_, _, last]) if is_nothing(last):
                yield node
            case ast.Call(func=ast.Name(id="next"), args=[_, last]) if is_nothing(last):
                yield node
            case ast.Call(func=ast.Name(id="bool"), args=[_]) if truths:
                yield node


def is_nothing(value: ast.expr) -> bool:
    match value:
        case ast.Call(func=ast.Name(), args=[only], keywords=[]):  # a quantity, such as Bytes(0)
            return is_nothing(only)
    return isinstance(value, ast.Constant) and not isinstance(value.value, str | bytes | None) and not value.value


def above(lines: list[str], line: int) -> str:
    """The comment that stands right above a line; empty if there is none."""
    first = line - 1
    while first and lines[first - 1].strip().startswith("#"):
        first -= 1
    return "\n".join(lines[first : line - 1])


def looked_at(text: str, *, truths: bool) -> tuple[list[int], list[str]]:
    """The lines whose expressions have no reason above, and the reasons below which there is no such expression."""
    lines = text.splitlines()
    found = {node.lineno for node in made_up(ast.parse(text), truths=truths)}
    reasons = {above(lines, line) for line in found}
    idle = [line.strip() for line in lines if REASON in line and not any(line in reason for reason in reasons)]
    return sorted(line for line in found if REASON not in above(lines, line)), idle


def test_no_number_and_no_truth_is_made_out_of_nothing() -> None:
    bare, idle = [], []
    for room in ROOMS:
        for file in sorted((CHECKS / room).rglob("*.py")):
            lacking, left = looked_at(file.read_text("utf-8"), truths=room in TRUTHS)
            bare += [f"{file.relative_to(CHECKS)}:{line}" for line in lacking]
            idle += [f"{file.relative_to(CHECKS)}: {reason}" for reason in left]
    assert (bare, idle) == ([], [])


def test_a_reason_stands_right_above_what_it_is_for() -> None:
    assert looked_at("x = 1\n# not made up: told\ny = x or 0\nz = y or 0\n", truths=False) == ([4], [])
    idle = "# not made up: told"
    assert looked_at(f"{idle}\nx = 1\n", truths=False) == ([], [idle])


def test_the_net_holds_what_it_is_for() -> None:
    caught = ("x or 0", "int(x or 0)", "x or 0.0", "x or False", "a.get(k, 0)", "a.get(k, False)", "getattr(x, 'y', 0)")
    for text in caught:
        assert list(made_up(ast.parse(text), truths=False)), text
    for text in ("x or ''", "x or None", "a.get(k)", "a.get(k, 1)", "{'[': 1}.get(k, 0)", "bool(x)"):
        assert not list(made_up(ast.parse(text), truths=False)), text


@pytest.mark.parametrize("probe", catalog("probes").names())
def test_no_cell_that_says_where_it_stands_is_made_up(probe: str) -> None:
    assert {name for name, _ in readers(catalog("probes").load(probe).PROBE.row)} <= {
        column.name for column in catalog("probes").load(probe).PROBE.columns
    }


def test_no_reason_parks_a_defect() -> None:
    files = [file for room in ROOMS for file in (CHECKS / room).rglob("*.py")]
    reasons = [line for file in files for line in file.read_text("utf-8").splitlines() if REASON in line]
    assert reasons
    assert [one for one in reasons if re.search(r"\b(assumed|defect|mended|fixme|todo)\b", one, re.IGNORECASE)] == []
