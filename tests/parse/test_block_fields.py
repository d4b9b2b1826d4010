"""Whoever writes a runbook is told of every field, with what it means."""

import pytest

from runbook.parse.block_fields import KINDS, cards


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_that_a_runbook_may_hold_says_what_it_means(kind: str) -> None:
    silent = [f"{card.name}.{field.name}" for card in cards([kind]) for field in card.fields if not field.help]
    assert silent == []


def test_parts_follow_the_kind_that_holds_them_each_of_them_once() -> None:
    names = [card.name for card in cards(["check", "cause"])]
    assert names[:3] == ["check", "FactRequest", "Expectation"]
    assert names.index("cause") < names.index("Condition")
    assert len(names) == len(set(names))
    assert "parameter" in names  # a kind of its own, by the name of which it is asked for
