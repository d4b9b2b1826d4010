"""Procedures: a card, and a checklist that prints."""

from msgspec.structs import replace

from runbook.model.block import Procedure, Step
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


def test_a_step_says_why_at_what_risk_and_with_what_effort(book: Runbook) -> None:
    placed = next(placed for placed in book.placed() if placed.block.id == "restart-a-broker")
    step = Step(do="Wait.", why="It copies `a-1`: [how](ha.md#brokers-agree) <b>.", risk="None.", effort="An hour.")
    waiting = replace(placed, block=Procedure(id="waiting", title="Wait", steps=[step]))
    (page,) = checklists(replace(book, parts=(waiting,)))
    assert 'Why:</strong> It copies <code>a-1</code>: <a href="ha.html#brokers-agree">' in procedure_card(waiting)
    for shown, up in ((procedure_card(waiting), ""), (page.text, "../")):
        assert f'<a href="{up}ha.html#brokers-agree">how</a> &lt;b&gt;.' in shown
        assert "<strong>Effort:</strong> An hour.</p>" in shown
    assert "Why:" not in _card(book)
    assert "Effort:" not in _card(book)


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


def test_links_of_a_step_lead_where_they_do_on_the_page_of_the_runbook(book: Runbook) -> None:
    placed = next(placed for placed in book.placed() if placed.block.id == "restart-a-broker")
    step = Step(do="See [above](#rows-hold), [there](ha.md#brokers-agree) and [how](../docs/how-to/drill.md).")
    linking = replace(placed, block=Procedure(id="linking", title="Follow links", steps=[step]))
    card = procedure_card(linking)
    assert all(f'href="{to}"' in card for to in ("#rows-hold", "ha.html#brokers-agree", "../how-to/drill.html"))
    (page,) = checklists(replace(book, parts=(linking,)))
    there = ("../hostile.html#rows-hold", "../ha.html#brokers-agree", "../../how-to/drill.html")
    assert all(f'href="{to}"' in page.text for to in there)
