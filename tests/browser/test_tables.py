"""Tables can be sorted and filtered in the browser, and say so to those who hear the page."""

from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from browser.watching import Watched, watched

ROWS = 1_000
MAKE = """rows => {
  const cells = place => `<tr><td>row ${(place * 7919) % rows}</td><td>${place % 100 ? "fig" : "pear"}</td></tr>`;
  const body = Array.from({length: rows}, (_, place) => cells(place)).join("");
  const head = "<thead><tr><th scope=col>Name</th><th scope=col>Fruit</th></tr></thead>";
  document.body.innerHTML = `<table data-tool>${head}<tbody>${body}</tbody></table>`;
}"""


SCROLLING = """() => {
  const scrolls = one => one.scrollWidth > one.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(one).overflowX);
  const about = [...document.querySelectorAll(".md-content table")].flatMap(table => {
    const around = [];
    for (let one = table; one.matches && !one.matches(".md-content"); one = one.parentElement) around.push(one);
    return [around.filter(scrolls).map(one => one.tagName + "." + one.className)];
  });
  return about.filter(found => found.length);
}"""
"""What of a page scrolls sideways around a table: for each table the boxes that do."""


def table_of(watch: Watched, site: Path) -> Page:
    """A page with one table of many rows, with our script."""
    page = watch.open((site / "404.html").as_uri())
    page.evaluate(MAKE, ROWS)
    page.add_script_tag(url=(site / "scripts/tables.js").as_uri())  # as text it would not run: the page says so
    return page


def test_a_column_is_sorted_both_ways_and_says_so(watch: Watched, site: Path) -> None:
    page = table_of(watch, site)
    heading = page.locator("th").first
    heading.locator("button").click()
    assert heading.get_attribute("aria-sort") == "ascending"
    assert page.locator("tbody td").first.inner_text() == "row 0"
    heading.locator("button").click()
    assert heading.get_attribute("aria-sort") == "descending"
    assert page.locator("tbody td").first.inner_text() == f"row {ROWS - 1}"


def test_a_thousand_rows_are_filtered_by_what_is_typed(watch: Watched, site: Path) -> None:
    page = table_of(watch, site)
    page.locator("input[type=search]").fill("pear")
    assert page.locator("tbody tr:visible").count() == 10
    assert "10 of 1000" in page.locator("[role=status]").inner_text()


BROKEN = """() => {
  const parts = cell => {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let text; (text = texts.nextNode());) {
      for (const word of text.data.matchAll(/[\\w.]+/g)) {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        if (range.getClientRects().length > 1) found.push(word[0]);
      }
    }
    return found;
  };
  return [...document.querySelectorAll(".md-content .rb-table th")].flatMap(parts);
}"""
"""The words in headings of rows and columns that stand on two lines."""


class Shown(NamedTuple):
    """What was seen of one page: what scrolls on a laptop and on a phone, and the words that a laptop breaks."""

    page: str
    wide: list[list[str]]
    broken: list[str]
    narrow: list[list[str]]


@pytest.fixture(scope="module")
def shown(browser: Browser, kinds: list[Path]) -> list[Shown]:
    """A page of every kind on a laptop, and then in a window as narrow as a phone: to load one takes longest."""
    found = []
    with watched(browser) as seen:
        page = seen.context.new_page()
        for file in kinds:
            page.set_viewport_size({"width": 1300, "height": 900})
            page.goto(file.as_uri(), wait_until="load")
            wide, broken = page.evaluate(SCROLLING), page.evaluate(BROKEN)
            page.set_viewport_size({"width": 400, "height": 900})
            found.append(Shown(file.name, wide, broken, page.evaluate(SCROLLING)))
    return found


def test_a_laptop_shows_tables_whole_and_a_phone_gives_each_one_scrollbar(shown: list[Shown]) -> None:
    assert [(one.page, boxes) for one in shown for boxes in one.wide if any("DIV.rb-" in box for box in boxes)] == []
    assert any(one.narrow for one in shown), "no table is too wide for a phone: nothing was looked at"
    assert [(one.page, boxes) for one in shown for boxes in one.narrow if len(boxes) > 1] == []
    ours = {box for one in shown for boxes in one.narrow for box in boxes}
    assert {box for box in ours if not box.startswith(("DIV.rb-", "DIV.md-typeset__scrollwrap", "DIV.jp-"))} == set()


def test_names_and_headings_in_tables_stand_on_one_line(shown: list[Shown]) -> None:
    assert [(one.page, one.broken) for one in shown if one.broken] == []
