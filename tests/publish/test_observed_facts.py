"""What a check looks at and expects, in words."""

import msgspec
import pytest

from runbook.model.block import Check, Expectation
from runbook.publish.observed_facts import expectation, looks


@pytest.mark.parametrize(
    ("expect", "sentence"),
    [
        (Expectation(each="gc", join={"config": "broker"}), "For each row of gc, beside config of the same broker"),
        (Expectation(each="a", join={"b": {"x": "y"}}), "beside b of the same x = y"),
        (Expectation(each="a", where="a.x > 1"), "For each row of a, where a.x > 1, this is true:"),
        (Expectation(all="topic"), "Of all rows of topic together, this is true:"),
        (Expectation(window="lag"), "For each row of lag, before and after, this is true:"),
        (Expectation(same="s", by=["name"], value=["value"]), "Rows of s that agree in name agree in value."),
    ],
)
def test_an_expectation_is_a_sentence(expect: Expectation, sentence: str) -> None:
    assert sentence in expectation(expect)


def test_facts_say_what_a_row_is_how_it_is_asked_and_which_rights_that_needs() -> None:
    facts = {
        "src": {"probe": "kafka_topic", "with": {"internal": False}, "at": "source", "window": "24h", "looks": "10s"},
        "mine": {"probe": "no_such_probe"},
    }
    views = {"pair": {"view": "no_such_view", "of": {"source": "src", "mine": "mine"}, "with": {"names": ["a", "b"]}}}
    block = {
        "id": "x",
        "title": "A check",
        "severity": "low",
        "facts": facts,
        "views": views,
        "expect": {"each": "src"},
    }
    known, own, view = looks(msgspec.convert(block, Check))
    assert known.asked == "asked of kafka"
    assert known.details == (
        "internal: false",
        "on the source's side of the link",
        "over the last 24h",
        "looked at twice, 10s apart",
    )
    assert known.rights
    assert (own.help, own.page, own.rights) == ("A probe of your own.", "", ())
    assert (view.asked, view.details) == ("computed from src as source and mine", ("names: a, b",))
