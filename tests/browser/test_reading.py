"""The site reads without JavaScript, with a keyboard alone, and on paper."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from browser.watching import Watched, watched

PAGES = ("index.html", "runbooks/ha.html", "scorecard/index.html", "alerts.html", "evidence/prod-eu/ha.html")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_shows_its_content_without_javascript(browser: Browser, site: Path, name: str) -> None:
    with watched(browser, java_script_enabled=False) as seen:
        page = seen.open((site / name).as_uri())
        article = page.locator(".md-content")
        assert article.locator("h1").first.is_visible()
        for heading in article.locator("h2").all():
            assert heading.is_visible()
        for table in article.locator("table").all():
            assert table.is_visible() or table.evaluate("table => !!table.closest('details:not([open])')")


def test_tab_reaches_the_links_of_the_heat_map_and_enter_follows_them(watch: Watched, site: Path) -> None:
    page = watch.open((site / "scorecard/index.html").as_uri())
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("!!document.activeElement.closest('.md-content td a')"):
            break
    assert page.evaluate("!!document.activeElement.closest('.md-content td a')"), "no link of a table was reached"
    style = page.evaluate(
        "(({outlineStyle, boxShadow, textDecorationLine}) => [outlineStyle, boxShadow])"
        "(getComputedStyle(document.activeElement))"
    )
    assert style != ["none", "none"], "the focus can't be seen"
    before = page.url
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.url != before


def test_enter_opens_and_closes_a_fold(watch: Watched, site: Path) -> None:
    page = watch.open((site / "runbooks/ha.html").as_uri())
    fold = page.locator(".md-content details:visible").first
    fold.locator("summary").first.focus()
    opened = fold.evaluate("fold => fold.open")
    page.keyboard.press("Enter")
    assert fold.evaluate("fold => fold.open") is not opened


def test_a_procedure_is_printed_as_a_checklist(watch: Watched, site: Path) -> None:
    file = next((site / "runbooks/procedures").glob("ha--*.html"))
    page = watch.open(file.as_uri())
    page.emulate_media(media="print")
    assert page.locator(".md-content input[type=checkbox]:visible").count() >= 2
    assert not page.locator(".md-header").is_visible()
    assert page.pdf(format="A4").startswith(b"%PDF")
