"""Cards of what to do about a place: how to tell a cause and what the act may cost stand with the act."""

import pytest

from runbook.model.block import Diagnostic
from runbook.parse.runbook import LocatedBlock
from runbook.publish.response_cards import response_card
from support.built_in import all_built_in

BLOCKS = {placed.name: placed for book in all_built_in() for placed in book.placed()}
SYMPTOMS = [placed for placed in BLOCKS.values() if isinstance(placed.block, Diagnostic)]


@pytest.mark.parametrize("placed", SYMPTOMS, ids=lambda placed: placed.name)
def test_a_card_of_a_symptom_says_of_each_cause_how_it_is_told_and_what_the_act_may_cost(placed: LocatedBlock) -> None:
    assert isinstance(placed.block, Diagnostic)
    items = str(response_card(placed, BLOCKS)).split("<li>\n<details")[1:]
    assert len(items) == len(placed.block.causes)
    for item, cause in zip(items, placed.block.causes, strict=True):
        assert ("rb-look" in item) == bool(cause.look)
        assert ("Risk: " in item) == bool(cause.risk)
        assert "rb-look" not in item.partition("Do first")[2]
