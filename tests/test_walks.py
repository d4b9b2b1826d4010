"""The record of walks tells of every procedure what is kept of it, or why there is nothing."""

from pathlib import Path

import pytest

from support import walks_page
from support.kept_walks import FOLDER, kept, procedures, unexplained, why_unnoticed

KNOWN = procedures()
FILES = sorted(FOLDER.rglob("*.json"))


def test_every_procedure_was_walked_or_it_is_said_why_not() -> None:
    silent = [name for name in KNOWN if not kept(name) and name not in walks_page.reasons()]
    assert silent == []


def test_nothing_is_said_of_what_was_walked_or_is_not_there() -> None:
    gone = [str(file.relative_to(FOLDER).with_suffix("")) for file in FILES]
    assert [name for name in gone if name not in KNOWN] == []
    assert [name for name in walks_page.reasons() if name not in KNOWN or kept(name)] == []


def test_of_every_step_that_nothing_noticed_it_is_said_why() -> None:
    silent = {name: steps for name in KNOWN for walk in kept(name) if (steps := unexplained(name, walk.noticed))}
    assert silent == {}
    assert [name for name in why_unnoticed() if name not in KNOWN] == []


def test_what_is_at_stake_is_said_of_procedures_that_are_there() -> None:
    assert [name for name in walks_page.at_stake() if name not in KNOWN] == []


def test_the_page_tells_what_is_kept() -> None:
    """`python tests/benchmarks/walks.py --write` makes it anew."""
    assert walks_page.PAGE.file.read_text("utf-8") == walks_page.page()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_steps_that_were_left_out_are_steps_and_stand_in_the_way(file: Path) -> None:
    name = str(file.relative_to(FOLDER).with_suffix(""))
    steps = range(1, len(KNOWN[name].steps) + 1)
    for walk in kept(name):
        assert [step for step in walk.noticed if step not in steps] == []
        assert walk.way.startswith("without ") == bool(walk.noticed)
