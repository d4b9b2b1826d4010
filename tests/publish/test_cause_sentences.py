"""Sentences of causes on their pages: what a run would put in is left out, and they read as of one row."""

import pytest

from runbook.publish.cause_card import without_values


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("broker {broker.node} is slow", "broker … is slow"),
        (
            '{rows == 1 ? "topic" : string(rows) + " topics, the first"} {topic.topic} {rows|has|have} one',
            "topic … has one",
        ),
        ("{size(sync.missing)} {sync.missing|topic|topics} missing", "… topic missing"),
        ("{sync.missing|topic|topics} missing", "topic … missing"),
        ("it {group.idle|does|do} no work", "it does no work"),
        ("{group.topic} {group.partition} {group.offset} stays", "… stays"),
    ],
)
def test_values_are_left_out_and_words_are_those_of_one_row(text: str, shown: str) -> None:
    assert without_values(text) == shown
