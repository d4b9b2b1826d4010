"""A file or folder that is no runbook is called what it is, with what to write instead."""

from pathlib import Path
from typing import Any

import pytest

CASES = "tests/cases/first/enough-brokers.yaml"
NOT_CASES = f"{CASES} is a file of cases: name its runbook, first"
NO_NAMES = "without names every runbook of the project is meant"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            ["lint", "environments.yaml"],
            (
                "environments.yaml is an inventory: runbook lint -i environments.yaml says what is wrong with it; "
                "runbook lint without names looks at the project's"
            ),
        ),
        (["test", CASES], NOT_CASES),
        (["check", CASES], NOT_CASES),
        (["lint", CASES], NOT_CASES),
        (["lint", "runbook.yaml"], "runbook.yaml is no runbook: a runbook is a Markdown file"),
        (["lint", "."], f". is a folder: {NO_NAMES}"),
        (["check", "runbooks"], f"runbooks is a folder: {NO_NAMES}"),
        (["list", "runbooks"], f"runbooks is a folder: {NO_NAMES}"),
        (["lint", "runbooks/"], f"runbooks is a folder: {NO_NAMES}"),
        (["test", "tests/cases/first"], f"tests/cases/first is a folder: {NO_NAMES}"),
    ],
)
def test_in_a_project(command: Any, knowledge: Path, words: list[str], expected: str) -> None:
    assert knowledge.joinpath(CASES).exists()
    done = command(*words)
    assert (done.code, done.out, done.err) == (2, "", f"{expected}\n")


def test_elsewhere_a_pattern_is_named_only_where_it_names_something(command: Any, here: Path) -> None:
    here.joinpath("runbooks").mkdir()
    assert command("lint", ".").err == ". is a folder: no runbook (*.md) is in it\n"
    here.joinpath("runbooks/mine.md").write_text("# mine\n", "utf-8")
    assert command("lint", ".").err == ". is a folder: name its runbooks, as in runbooks/*.md\n"
    assert command("lint", "runbooks/").err == "runbooks is a folder: name its runbooks, as in runbooks/*.md\n"
    here.joinpath("environments.yaml").write_text("environments: {}\n", "utf-8")
    assert command("lint", "environments.yaml").err.endswith("says what is wrong with it\n")
