"""Whoever writes a runbook is told of every field, with what it means."""

import pytest

from runbook.parse.block_fields import KINDS, cards
from runbook.run.judgement.case import WRITTEN


@pytest.mark.parametrize("kind", WRITTEN)
def test_every_field_that_one_writes_says_what_it_means(kind: str) -> None:
    fields = [(card.name, field) for card in cards({kind: WRITTEN[kind]}) for field in card.fields]
    assert [f"{name}.{field.name}" for name, field in fields if not field.help] == []


def test_parts_follow_the_kind_that_holds_them_each_of_them_once() -> None:
    names = [card.name for card in cards({"check": KINDS["check"], "cause": KINDS["cause"]})]
    assert names[:3] == ["check", "FactRequest", "Expectation"]
    assert names.index("cause") < names.index("Condition")
    assert len(names) == len(set(names))
    assert "parameter" in names  # a kind of its own, by the name of which it is asked for
