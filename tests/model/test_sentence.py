"""Sentences of gaps are for people: reading one fails the type check, and here where the type can't refuse it."""

import ast
from pathlib import Path

import pytest
from mypy import api

from runbook.model.fact import Gap
from runbook.model.sentence import each_shown, shown

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "checks").rglob("*.py"))
READS_TEXT = {"startswith", "endswith", "find", "index", "split", "partition", "rpartition", "removeprefix", "lower"}
FORBIDDEN = """\
from runbook.model.fact import Gap
gap = Gap("it hangs")
"hangs" in gap.reason
gap.reason.startswith("it")
"; ".join([gap.reason])
gap.reason == "it hangs"
"""


def test_reading_a_sentence_fails_the_type_check(tmp_path: Path) -> None:
    (tmp_path / "reads.py").write_text(FORBIDDEN)
    options = ["--strict", "--follow-imports=silent", f"--cache-dir={tmp_path}", str(tmp_path / "reads.py")]
    said, _, _ = api.run([f"--config-file={ROOT / 'pyproject.toml'}", *options])
    assert {int(line.split(":")[1]) for line in said.splitlines() if ": error:" in line} == {3, 4, 5, 6}


def test_sentences_are_shown_each_once() -> None:
    gaps = [Gap(reason) for reason in ("a", "b", "a")]
    assert shown(*(gap.reason for gap in gaps)) == "a; b"
    assert each_shown(gap.reason for gap in gaps) == ["a", "b"]


def shows(node: ast.AST) -> bool:
    """Whether an expression is made of a sentence that is shown."""
    called = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
    return any(isinstance(func, ast.Name) and func.id in {"shown", "each_shown"} for func in called)


def reads(source: str) -> list[int]:
    """The lines that read a sentence all the same, or make a gap of an error without its kind."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare) and any(isinstance(op, ast.In | ast.NotIn) for op in node.ops):
            found += [node.lineno for part in node.comparators if shows(part)]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            method, of = node.func.attr, node.func.value
            found += [node.lineno] if method in READS_TEXT and shows(of) else []
            matches = method in {"search", "match", "fullmatch", "finditer", "findall"}
            found += [node.lineno for part in node.args if matches and shows(part)]
        if isinstance(node, ast.ExceptHandler) and node.name:
            found += [call.lineno for call in ast.walk(node) if _drops_kind(call, node.name)]
    return found


def _drops_kind(node: ast.AST, error: str) -> bool:
    made = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Gap"
    return made and any(isinstance(each, ast.Name) and each.id == error for each in ast.walk(node))


@pytest.mark.parametrize(
    "line",
    [
        "'dead' in shown(gap.reason)",
        "shown(gap.reason).startswith('dead')",
        "re.search('dead', shown(gap.reason))",
        "try: ask()\nexcept CannotLook as error: gaps.append(Gap(f'it hangs: {error}'))",
    ],
)
def test_what_the_type_can_not_refuse_is_found(line: str) -> None:
    assert reads(line)


def test_no_code_reads_a_sentence() -> None:
    found = {file: lines for file in SOURCES if (lines := reads(file.read_text("utf-8")))}
    assert found == {}
