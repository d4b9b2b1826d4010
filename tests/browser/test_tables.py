"""Tables can be sorted and filtered in the browser, and say so to those who hear the page."""

from pathlib import Path

from playwright.sync_api import Page

from browser.watching import Watched

ROWS = 1_000
MAKE = """rows => {
  const cells = place => `<tr><td>row ${(place * 7919) % rows}</td><td>${place % 100 ? "fig" : "pear"}</td></tr>`;
  const body = Array.from({length: rows}, (_, place) => cells(place)).join("");
  const head = "<thead><tr><th scope=col>Name</th><th scope=col>Fruit</th></tr></thead>";
  document.body.innerHTML = `<table data-tool>${head}<tbody>${body}</tbody></table>`;
}"""


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
