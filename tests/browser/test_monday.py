"""Monday at a desk: the scorecard's first screen answers, without a click and without scrolling."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from browser.watching import Watched, watched

ANSWERS = {
    "what got worse": ".rb-news",
    "by how much": ".rb-tile:has-text('newly failing')",
    "what is worst": ".rb-first tbody tr:first-child th strong",
    "where": ".rb-first tbody tr:first-child th small a",
    "who owns it": ".rb-first tbody tr:first-child td[data-label='owner']",
    "what must I do": ".rb-first tbody tr:first-child td:nth-child(3) a",
    "since when": ".rb-first tbody tr:first-child td:last-child",
    "can I trust it": ".rb-tile:has-text('silent')",
    "how much is seen": ".rb-tile:has-text('without a score')",
    "what do I tell my boss": "h1",
}
"""Question -> where the first screen answers it."""


@pytest.fixture
def monday(browser: Browser, site: Path) -> Iterator[Page]:
    """The scorecard on a desk."""
    with watched(browser, viewport={"width": 1440, "height": 900}) as seen:
        yield seen.open((site / "scorecard/index.html").as_uri())


@pytest.mark.parametrize("question", ANSWERS)
def test_the_first_screen_answers(monday: Page, question: str) -> None:
    answer = monday.locator(ANSWERS[question]).first
    box = answer.bounding_box()
    assert box is not None
    assert answer.inner_text().strip()
    assert box["y"] + box["height"] <= 900


def test_the_silent_environment_is_first_and_stays_there_whatever_is_sorted(monday: Page) -> None:
    rows = monday.locator(".rb-heat tbody tr")
    assert "silent" in rows.first.inner_text()
    for _ in range(2):
        monday.locator(".rb-heat thead th", has_text="Critical").locator("button").click()
        assert "silent" in rows.first.inner_text()


def test_the_table_is_narrowed_to_a_label_or_an_owner(monday: Page) -> None:
    choice = monday.locator(".rb-heat select")
    every = monday.locator(".rb-heat tbody tr:visible").count()
    choice.select_option(choice.locator("option").nth(1).get_attribute("value"))
    assert 0 < monday.locator(".rb-heat tbody tr:visible").count() < every
    choice.select_option("")
    assert monday.locator(".rb-heat tbody tr:visible").count() == every


def test_nothing_is_wider_than_a_phone_and_no_column_of_a_problem_is_lost(browser: Browser, site: Path) -> None:
    with watched(browser, viewport={"width": 390, "height": 844}) as phone:
        page = phone.open((site / "scorecard/index.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for cell in page.locator(".rb-first tbody tr").first.locator("th, td").all():
            box = cell.bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= 390


def test_a_figure_leads_to_what_it_counts(monday: Page) -> None:
    for tile in monday.locator("a.rb-tile[href^='#']").all():
        assert monday.locator(str(tile.get_attribute("href"))).count() == 1
    monday.locator("a.rb-tile-silent").click()
    assert "silent" in monday.locator("tr:target").inner_text()


SIXTY = """body => { const rows = [...body.rows];
  for (let i = rows.length; i < 60; i++) { body.append(rows[i % rows.length].cloneNode(true)); } }"""


def test_a_week_of_sixty_environments_is_printed_on_two_pages_and_says_what_is_left_out(
    watch: Watched, site: Path
) -> None:
    page = watch.open(max((site / "scorecard/weeks").glob("*.html")).as_uri())
    page.locator(".rb-standings tbody").evaluate(SIXTY)
    page.emulate_media(media="print")
    assert "more: all problems of the week" in page.locator(".rb-first .rb-facts").first.inner_text()
    assert page.pdf(format="A4").count(b"/Type /Page\n") <= 2


def test_the_table_of_environments_fits_on_paper_and_keeps_its_head(watch: Watched, site: Path) -> None:
    page = watch.open((site / "scorecard/index.html").as_uri())
    page.emulate_media(media="print")
    assert b"/MediaBox [0 0 842" in page.pdf(format="A4")
    assert set(
        page.locator(".rb-heat thead th").evaluate_all("all => all.map(one => getComputedStyle(one).position)")
    ) == {"static"}
    assert not page.locator(".rb-heat .rb-weeks").first.is_visible()


def test_a_week_is_printed_on_two_pages(watch: Watched, site: Path) -> None:
    page = watch.open(max((site / "scorecard/weeks").glob("*.html")).as_uri())
    page.emulate_media(media="print")
    assert page.locator("h1").is_visible()
    assert not page.locator("#more-problems").is_visible()
    assert page.pdf(format="A4").count(b"/Type /Page\n") <= 2
