"""Procedures: a card that prints as a checklist."""

from msgspec.structs import replace

from runbook.model.block import Procedure, Step
from runbook.parse.runbook import Runbook
from runbook.publish.procedure_page import moved_checklists, procedure_card


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
    shown = procedure_card(waiting)
    assert 'Why:</strong> It copies <code>a-1</code>: <a href="../ha.html#brokers-agree">how</a> &lt;b&gt;.' in shown
    assert "<strong>Effort:</strong> An hour.</p>" in shown
    assert "Why:" not in _card(book)
    assert "Effort:" not in _card(book)


def test_the_card_has_blanks_to_fill_in_on_paper(book: Runbook) -> None:
    assert "Begun ______" in _card(book)
    assert 'href="rows-hold.html"' in _card(book)


def test_the_address_of_a_checklist_leads_to_the_procedure(book: Runbook) -> None:
    (page,) = moved_checklists(book)
    assert page.path == "runbooks/procedures/hostile--restart-a-broker.html"
    assert 'content="0; url=../hostile/restart-a-broker.html"' in page.text
    assert '<a href="../hostile/restart-a-broker.html">Restart a broker</a>' in page.text


def test_links_of_a_step_lead_where_they_do_in_the_runbook(book: Runbook) -> None:
    placed = next(placed for placed in book.placed() if placed.block.id == "restart-a-broker")
    step = Step(do="See [above](#rows-hold), [there](ha.md#brokers-agree) and [how](../docs/how-to/drill.md).")
    card = procedure_card(replace(placed, block=Procedure(id="linking", title="Follow links", steps=[step])))
    there = ("../hostile.html#rows-hold", "../ha.html#brokers-agree", "../../how-to/drill.html")
    assert all(f'href="{to}"' in card for to in there)
