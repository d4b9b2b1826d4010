"""What clients and servers print leads to its place; held_out.yaml has what nothing was fitted to."""

from pathlib import Path
from typing import NamedTuple

import pytest

from runbook.parse.yaml_document import read_yaml
from runbook.run.sources.runbooks import read_all
from runbook.search.index import Hit, Index

TABLES = {
    "printed": (300, 0.95),
    "second": (60, 0.9),
    "held_out": (60, 0.6),
    "other_languages": (100, 0.85),
    "other_languages_held_out": (45, 0.55),
}
"""How many texts each has at least, and the share of them that leads to its place first: our judgement, and a floor."""


class Printed(NamedTuple):
    """A text and the places any of which may come first."""

    text: str
    places: list[str]


def printed(table: str) -> list[Printed]:
    """The texts of a table."""
    file = Path(__file__).with_name(f"{table}.yaml")
    groups = read_yaml(file.read_text(encoding="utf-8"), file.name).value
    return [
        Printed(text, places.split(" or "))
        for group in groups.values()
        for places, texts in group["texts"].items()
        for text in texts.splitlines()
    ]


@pytest.fixture(scope="module")
def index() -> Index:
    return Index(read_all([]))


def is_right(hits: list[Hit], text: Printed) -> bool:
    return bool(hits) and hits[0].name in text.places


@pytest.mark.parametrize("table", TABLES)
def test_nearly_all_lead_to_their_place_first(index: Index, table: str):
    texts = printed(table)
    found = {text.text: index.search(text.text) for text in texts}
    wrong = [text.text for text in texts if not is_right(found[text.text], text)]
    assert len(wrong) <= (1 - TABLES[table][1]) * len(texts), wrong
    assert [text for text, hits in found.items() if not hits] == []  # three near places instead of nothing


@pytest.mark.parametrize("table", TABLES)
def test_no_disaster_is_first_for_what_is_none(index: Index, table: str):
    asked = [
        text for text in printed(table) if not any(place.startswith(("dr/", "topologies/")) for place in text.places)
    ]
    firsts = {text.text: hits[0].name for text in asked if (hits := index.search(text.text))}
    assert {text: name for text, name in firsts.items() if name.startswith(("dr/", "topologies/"))} == {}


def test_the_tables_are_as_large_as_they_should_be_and_ask_for_places_that_there_are(index: Index):
    both = [text for table in TABLES for text in printed(table)]
    assert len({text.text.casefold() for text in both}) == len(both)
    assert all(len(printed(table)) >= least for table, (least, _) in TABLES.items())
    assert {place for text in both for place in text.places} <= {entry.name for entry in index.entries}
