"""Sentences of causes on their pages: what a run would put in is left out, and they read as of one row."""

import pytest

from runbook.judge.cause import CompiledCause
from runbook.publish.without_values import without_values
from support.declared import causes


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
        ('{size(a.b) == 1 ? a.b[0] + " is" : string(size(a.b)) + " are"} late', "… is late"),
        ('{a.b ? "First wait. " : ""}Then start it.', "First wait. Then start it."),
        ('it stands{a.b ? "; nobody resets it" : ""}', "it stands…"),
        ('it is {a.b ? "\\"on\\"" : "off"}, { }', 'it is "on" or off, …'),
        ('it {a.b == "" ? "hangs" : "stopped: " + a.b}', "it hangs or stopped: …"),
        (
            '{a.b ? "Start it" : a.c ? "Wait: see (http://x?y)." : "Read its " + (a.d ? "log" : "trace") + " first"}.',
            "Start it. Or: Wait: see (http://x?y). Or: Read its log or trace first.",
        ),
        ('{["a", "b"].exists(x, x == a.b) ? "It is known." : "Ask."}', "It is known. Or: Ask."),
        ("{group.topic} {group.partition} {group.offset} stays", "… stays"),
    ],
)
def test_values_are_left_out_and_words_are_those_of_one_row(text: str, shown: str) -> None:
    assert without_values(text) == shown


@pytest.mark.parametrize("cause", causes(), ids=lambda cause: cause.placed.name)
def test_what_to_do_and_not_to_do_about_a_built_in_cause_does_not_begin_with_a_gap(cause: CompiledCause) -> None:
    for text in (cause.cause.first, cause.cause.avoid):
        assert not without_values(text).startswith("…")
