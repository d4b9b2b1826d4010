"""Which checks a runbook has, and whether a test that is said to show one names it."""

import ast
from pathlib import Path

from runbook.engine.block import Check
from runbook.engine.runbook import read_runbook

TESTS = Path(__file__).parent
RUNBOOKS = TESTS.parent / "runbooks"


def checks_of(name: str) -> list[Check]:
    """The checks of a built-in runbook."""
    placed = read_runbook(RUNBOOKS / f"{name}.md").checks()
    return [one.block for one in placed if isinstance(one.block, Check)]


def shown_by(test: str, check: str) -> bool:
    """Whether a test, given as FILE::FUNCTION below this folder, is there, and its module names the check."""
    file, _, function = test.partition("::")
    tree = ast.parse((TESTS / file).read_text("utf-8"))
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    return function in functions and check in texts
