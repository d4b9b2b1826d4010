"""Alerts, errors and log lines of public sources lead to the symptom that they are of: arrivals.yaml, reported.yaml."""

from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import pytest

from runbook.model.block import Diagnostic
from runbook.parse.runbook import Runbook
from runbook.parse.yaml_document import read_yaml
from runbook.run.sources.runbooks import read_all
from runbook.search.error_names import error_names
from runbook.search.index import Index
from runbook.search.likely import likely_causes
from runbook.search.words import bare_phrase, phrase

TABLES = (Path(__file__).with_name("arrivals.yaml"), Path(__file__).parents[1] / "search" / "reported.yaml")
MOST = 4  # places shown for a name that runbooks know: the answer is the first, and fits a screen


class Arrival(NamedTuple):
    """A text that somebody has, the place that must come first, its source, and the cause that the text decides."""

    text: str
    first: str
    source: str
    cause: str = ""


def arrivals() -> list[Arrival]:
    documents = [read_yaml(table.read_text(encoding="utf-8"), table.name).value for table in TABLES]
    groups = [(name, group) for document in documents for name, group in document.items() if group["source"]]
    return [
        *(
            Arrival(text, first, name)
            for name, group in groups
            for first, texts in group["arrivals"].items()
            for text in texts
        ),
        *(
            Arrival(text, first, name, cause)
            for name, group in groups
            for first, causes in group.get("decided", {}).items()
            for cause, texts in causes.items()
            for text in texts
        ),
    ]


ARRIVALS = arrivals()


@pytest.fixture(scope="module")
def built_in() -> list[Runbook]:
    return read_all([])


@pytest.fixture(scope="module")
def index(built_in: list[Runbook]) -> Index:
    return Index(built_in)


def test_the_table_is_as_large_as_it_should_be_and_asks_nothing_twice():
    assert len({arrival.text.casefold() for arrival in ARRIVALS}) == len(ARRIVALS) >= 120


@pytest.mark.parametrize("arrival", ARRIVALS, ids=lambda arrival: arrival.text[:60])
def test_what_people_have_leads_to_its_symptom_first(index: Index, arrival: Arrival):
    hits = index.search(arrival.text)
    assert [hit.name for hit in hits][:1] == [arrival.first]
    if arrival.source != "people":  # a name that a runbook lists, not words that it happens to share
        assert hits[0].why.startswith(("alert ", "error ", "log line "))
        assert len(hits) <= MOST


@pytest.mark.parametrize("arrival", [*filter(attrgetter("cause"), ARRIVALS)], ids=lambda arrival: arrival.text[:60])
def test_the_cause_that_a_text_decides_is_told(built_in: list[Runbook], arrival: Arrival):
    symptom = next(placed.block for book in built_in for placed in book.placed() if placed.name == arrival.first)
    assert isinstance(symptom, Diagnostic)
    assert arrival.cause in [cause.cause for cause in likely_causes(symptom, arrival.text)]


@pytest.mark.parametrize("text", ["messages lost", "lost messages"])
def test_who_lost_messages_sees_that_they_were_not_sent_or_not_worked_on(index: Index, text: str):
    assert {hit.name for hit in index.search(text)[:2]} == {
        "error-handling/sent-records-are-missing",
        "consumers/records-are-left-out-or-done-twice",
    }


def test_nothing_is_asked_as_it_stands_in_a_runbook(built_in: list[Runbook]):
    blocks = [placed.block for book in built_in for placed in book.placed() if isinstance(placed.block, Diagnostic)]
    listed = {name for block in blocks for name in (*block.alerts, *block.errors)}
    assert len(listed) >= 120
    assert sorted(listed & {arrival.text for arrival in ARRIVALS}) == []  # in other capitals it is another spelling


def test_every_symptom_is_found_by_its_title(built_in: list[Runbook], index: Index):
    titles = {
        placed.name: placed.block.title
        for book in built_in
        for placed in book.placed()
        if isinstance(placed.block, Diagnostic)
    }
    assert {name: title for name, title in titles.items() if index.search(title)[0].name != name} == {}


def test_no_error_of_kafka_is_taken_for_a_shorter_one_that_its_name_begins_or_ends_with(index: Index) -> None:
    """INVALID_RECORD_STATE was told as INVALID_RECORD, which is another client's error."""
    listed = {known.phrase for entry in index.entries for known in entry.known if known.why.startswith("error ")}
    for name in (known.name for known in error_names()):
        within = {one for one in listed if one.count(" ") > 2 and one in phrase(name)}
        assert not within or bare_phrase(name) in within or phrase(name) in within, name
