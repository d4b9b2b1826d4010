from pathlib import Path

import pytest

from runbook.lint.linting import lint_all
from runbook.model.block import Cause, Procedure, whole_name
from runbook.parse.runbook import read_runbook
from runbook.plugins.content import builtin_runbooks
from runbook.procedure.walk import stages
from support.cause_blocks import CAUSE, EFFECT, block
from support.small_runbooks import FRONT

pytestmark = pytest.mark.usefixtures("fakes")

DIAGNOSTIC = """
    id: rows-grow
    title: Rows grow
    symptom: They are too large.
    causes:
      - {cause: One is too large, holds: too-large}
"""


CASES = """
cases:
  - {name: large, expect: holds, facts: {row: {rows: [{name: a, size: 11}]}}}
  - {name: small, expect: does_not_hold, facts: {row: {rows: [{name: a, size: 1}]}}}
  - {name: not weighed, expect: unknown, facts: {row: {rows: [{name: a}]}}}
"""


def problems(folder: Path, *blocks: str) -> list[str]:
    file = folder / "runbooks" / "small.md"
    file.parent.mkdir()
    file.write_text(FRONT + "\n".join(blocks), "utf-8")
    if "id: too-large" in blocks[0]:
        cases = folder / "tests" / "cases" / "small" / "too-large.yaml"
        cases.parent.mkdir(parents=True)
        cases.write_text(CASES, "utf-8")
    found, _ = lint_all([str(file)], [], "")
    return [problem.message for problem in found]


def test_a_cause_an_effect_and_a_diagnostic_that_names_it_are_right(tmp_path: Path) -> None:
    assert problems(tmp_path, block("cause", CAUSE), block("effect", EFFECT), block("diagnostic", DIAGNOSTIC)) == []


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("cause", CAUSE.replace("row.size > 10", "row.sise > 10"), 'unknown name "row.sise"'),
        ("cause", CAUSE + "    procedure: walk-away\n", 'no procedure "walk-away" in small/too-large'),
        ("cause", CAUSE + "    before: [too-lagre]\n", 'no cause "too-lagre" in small/too-large'),
        ("cause", CAUSE + "    procedure: nobody/walk-away\n", 'no procedure "nobody/walk-away" in small/too-large'),
        (
            "cause",
            CAUSE + "    procedure: error-handling/skip-a-record\n    words: {GRUOP: '{row.name}'}\n",
            'no command of procedure "error-handling/skip-a-record" has the word GRUOP',
        ),
        ("cause", CAUSE + "    words: {GROUP: '{row.name}'}\n", "words without a procedure"),
        ("cause", CAUSE + "    verify: [all-is-well]\n", 'no check "all-is-well" in small/too-large'),
        ("effect", EFFECT.replace("{row.name}", "{row.nme}"), 'unknown name "row.nme"'),
        ("diagnostic", DIAGNOSTIC, 'no cause "too-large" in small/rows-grow'),
    ],
)
def test_what_is_wrong_with_one_is_said(tmp_path: Path, kind: str, text: str, message: str) -> None:
    assert any(problem.startswith(message) for problem in problems(tmp_path, block(kind, text)))


def test_a_procedure_of_a_built_in_runbook_may_be_named(tmp_path: Path) -> None:
    assert problems(tmp_path, block("cause", CAUSE + "    procedure: ha/bring-a-broker-back\n")) == []


CHECK = """
    id: rows-are-small
    title: Rows are small
    severity: low
    facts: {row: {probe: fake_row}}
    expect: {each: row, that: row.size <= 10}
    effect: they are large
    remedy: Make them small.
"""
PROCEDURE = """
    id: make-rows-small
    title: Make rows small
    risk: None.
    before: [GATE]
    steps:
      - {do: Make them small., verify: [rows-are-small]}
"""


@pytest.mark.parametrize("gate", ["rows-are-small", "small/rows-are-small"])
def test_a_procedure_is_not_gated_by_what_it_cures(tmp_path: Path, gate: str) -> None:
    cause = block("cause", CAUSE + "    procedure: make-rows-small\n    verify: [rows-are-small]\n")
    others = block("check", CHECK), block("procedure", PROCEDURE.replace("GATE", gate))
    said = [message for message in problems(tmp_path, cause, *others) if "can't begin" in message]
    assert said == [
        f'procedure "make-rows-small" can\'t begin: its gate {gate} is what healing this cause opens',
    ]


def test_a_first_step_that_only_looks_wants_nothing_healed() -> None:
    """Of built-in procedures no first step cures: its gate has to open while the cause holds."""
    books = [read_runbook(path) for path in builtin_runbooks().glob("*.md")]
    blocks = {placed.name: placed.block for book in books for placed in book.placed()}
    shut = []
    for name, cause in blocks.items():
        if isinstance(cause, Cause) and cause.procedure:
            runbook = name.partition("/")[0]
            named = whole_name(cause.procedure, runbook)
            procedure = blocks[named]
            assert isinstance(procedure, Procedure)
            after_first = [asked for stage in stages(procedure) if stage.step == 1 for asked in stage.checks]
            first = {whole_name(asked.check, named.partition("/")[0]) for asked in after_first}
            shut += [(name, gate) for gate in cause.verify if whole_name(gate, runbook) in first]
    assert shut == []
