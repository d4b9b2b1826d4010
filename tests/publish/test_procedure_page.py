"""Procedures: a card, and a checklist that prints."""

from runbook.parse.runbook import Runbook
from runbook.publish.page import UNSEARCHED
from runbook.publish.procedure_page import checklists, procedure_card


def _card(book: Runbook) -> str:
    return procedure_card(next(placed for placed in book.placed() if placed.block.id == "restart-a-broker"))


def test_a_procedure_is_a_numbered_list_with_a_box_for_each_step(book: Runbook) -> None:
    card = _card(book)
    assert card.count("<li>") == 2
    assert card.count('<input type="checkbox" aria-label="step ') == 2
    assert "<pre><code>kill &lt;pid&gt;</code></pre>" in card
    assert "Afterwards, these pass:</strong>" in card
    assert "Stop and go back if:</strong> it hangs &lt;script&gt;" in card


def test_the_card_leads_to_the_checklist(book: Runbook) -> None:
    (page,) = checklists(book)
    assert page.path == "runbooks/procedures/hostile--restart-a-broker.md"
    assert 'href="procedures/hostile--restart-a-broker.html"' in _card(book)


def test_the_checklist_holds_the_steps_and_blanks_to_fill_in_and_is_not_searched(book: Runbook) -> None:
    (page,) = checklists(book)
    assert page.text.startswith(UNSEARCHED)
    assert "Begun ______" in page.text
    assert 'href="../hostile.html#rows-hold"' in page.text
    assert "YAML" not in page.text
