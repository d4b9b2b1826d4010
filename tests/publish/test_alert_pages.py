"""The list of alerts and errors, and a page for each alert."""

from collections.abc import Sequence
from datetime import timedelta

from runbook.parse.runbook import Runbook
from runbook.publish.alert_pages import alert_pages, arrivals_page
from runbook.publish.page import Page
from runbook.publish.page_context import PageContext
from runbook.publish.versions import VersionHistory
from runbook.run.sources.runbooks import read_all


def pages_of(books: Sequence[Runbook]) -> list[Page]:
    """The pages of the alerts of runbooks, without results."""
    blocks = {placed.name: placed for book in books for placed in book.placed()}
    return [*alert_pages(books, PageContext([], timedelta(days=8), blocks, VersionHistory()))]


def test_an_alert_has_a_page_at_an_address_of_its_name_alone() -> None:
    pages = {page.path: page.text for page in pages_of(read_all(["ha"]))}
    text = pages["alerts/UnderMinIsrPartitionCount/index.md"]  # also listed with its condition
    assert text.count("<section") == 1
    order = [
        '<a href="../../runbooks/ha/writers-are-refused.html">Producers get NotEnoughReplicas',
        "Producers with acks=all fail",
        "runbook check ha#writers-are-refused --env ENVIRONMENT",
        'data-rb-holds="ha/broker-is-down" data-rb-checks="ha/no-broker-is-fenced ha/every-broker-answers ',
        '<span class="rb-number-of-cause">1</span>. A broker is down or fenced',
        "then start it (procedure <code>bring-a-broker-back</code>)",
        '<a href="../../runbooks/ha/bring-a-broker-back.html">Bring a stopped broker back</a>',
        "runbook procedure walk ha#bring-a-broker-back --env ENVIRONMENT",
        '<a href="../../runbooks/ha/broker-is-down.html">',
        '<span class="rb-number-of-cause">2</span>. A second broker was restarted',
        '<a href="../../runbooks/ha/writers-are-refused.html#writers-are-refused-2">',
    ]
    places = [text.find(part) for part in order]
    assert -1 not in places
    assert places == sorted(places)


def test_an_alert_that_a_symptom_answers_does_not_lead_to_the_whole_runbook_as_well() -> None:
    pages = {page.path: page.text for page in pages_of(read_all(["ha", "observability", "gc"]))}
    text = pages["alerts/KafkaBrokerCount/index.md"]
    assert 'runbooks/ha/a-broker-is-cut-off.html">' in text
    assert 'runbooks/ha.html">' not in text


def test_an_alert_of_a_runbook_leads_to_its_map(book: Runbook) -> None:
    (page,) = pages_of([book])
    assert page.path == "alerts/Alert/index.md"
    assert '<a href="../../runbooks/hostile.html">Hostile' in page.text
    assert "<script" not in page.text


def test_alerts_and_errors_lead_to_their_place(book: Runbook) -> None:
    index = arrivals_page([book]).text
    place = (
        '<a href="runbooks/hostile/writers-are-refused.html">Writers are refused</a>: <code>NotEnoughReplicas</code>'
    )
    assert place in index
    assert '<li><a href="alerts/Alert/index.html">Alert</a></li>' in index
    assert "<script" not in index


def test_without_either_the_page_says_how_to_fill_it() -> None:
    assert "No runbook names an alert or an error yet" in arrivals_page([]).text
