"""Which block answers what the source documents ask: each name is of a block that is there, each id is said once."""

import re
from pathlib import Path

import yaml

from support.built_in import all_built_in

ANSWERS: dict[str, list[str]] = yaml.safe_load(Path(__file__).with_name("answers.yaml").read_text("utf-8"))


def test_every_name_is_of_a_runbook_or_block_that_is_there() -> None:
    books = all_built_in()
    known = {book.name for book in books} | {placed.name for book in books for placed in book.placed()}
    assert sorted(ANSWERS.keys() - known) == []


def test_every_name_says_ids_and_each_once() -> None:
    wrong = [
        name
        for name, ids in ANSWERS.items()
        if not ids or len({*ids}) < len(ids) or not all(re.fullmatch(r"s\d-[a-z0-9-]+", entry) for entry in ids)
    ]
    assert wrong == []


def test_names_stand_in_order() -> None:
    """So that two branches that add to the file seldom meet."""
    assert [*ANSWERS] == sorted(ANSWERS)
