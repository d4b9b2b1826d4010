"""The site reads without JavaScript, with a keyboard alone, and on paper."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from browser.watching import Watched, watched

LONG = 45_000
"""Bytes below which no page fills 15 screens of a phone: most are frame and head."""
GUIDES = ("how-to", "reference", "explanation", "tutorial")
PAGES = (
    "index.html",
    "runbooks/ha.html",
    "runbooks/ha/broker-is-down.html",
    "alerts/KafkaISRShrinkRate/index.html",
    "scorecard/index.html",
    "alerts.html",
    "evidence/prod-eu/ha.html",
)


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
    file = site / "runbooks/ha/bring-a-broker-back.html"
    page = watch.open(file.as_uri())
    page.emulate_media(media="print")
    assert page.locator(".md-content input[type=checkbox]:visible").count() >= 2
    assert not page.locator(".md-header").is_visible()
    assert page.pdf(format="A4").startswith(b"%PDF")


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("#broker-is-down", "/broker-is-down.html"),
        ("#writers-are-refused-2", "/writers-are-refused.html#writers-are-refused-2"),
        ("#elections", ".html#elections"),
    ],
)
def test_an_address_of_before_leads_to_the_page_of_the_block(watch: Watched, site: Path, before: str, now: str) -> None:
    page = watch.open(f"{(site / 'runbooks/ha.html').as_uri()}{before}")
    page.wait_for_url(f"**/runbooks/ha{now}")


def test_an_address_of_a_checklist_leads_to_its_procedure(watch: Watched, site: Path) -> None:
    page = watch.open((site / "runbooks/procedures/ha--bring-a-broker-back.html").as_uri())
    page.wait_for_url("**/runbooks/ha/bring-a-broker-back.html")


def test_no_page_of_a_runbook_is_longer_than_fifteen_screens_of_a_phone(browser: Browser, site: Path) -> None:
    largest = sorted((site / "runbooks").glob("ha/*.html"), key=lambda file: -file.stat().st_size)[:2]
    with watched(browser, viewport={"width": 390, "height": 844}) as phone:
        for file in (*(site / "runbooks").glob("*.html"), *largest):
            height = phone.open(file.as_uri()).evaluate("document.documentElement.scrollHeight")
            assert height <= 15 * 844, file
    assert max(file.stat().st_size for file in (site / "runbooks").rglob("*.html")) <= 200_000


def test_no_page_of_evidence_is_longer_than_fifteen_screens_of_a_phone(browser: Browser, site: Path) -> None:
    with watched(browser, viewport={"width": 390, "height": 844}) as phone:
        for file in (site / "evidence").rglob("*.html"):
            page = phone.open(file.as_uri())
            assert page.evaluate("document.documentElement.scrollHeight") <= 15 * 844, file
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), file
            assert file.stat().st_size <= 200_000, file


def test_no_page_of_guides_and_reference_is_longer_either(browser: Browser, site: Path) -> None:
    pages = [*site.glob("*.html"), *(file for folder in GUIDES for file in (site / folder).rglob("*.html"))]
    with watched(browser, viewport={"width": 390, "height": 844}) as phone:
        heights = {
            str(file.relative_to(site)): phone.open(file.as_uri()).evaluate("document.documentElement.scrollHeight")
            for file in sorted(pages)
            if file.stat().st_size > LONG
        }
    assert len(heights) > len(GUIDES)
    assert {name: height for name, height in heights.items() if height > 15 * 844} == {}


def test_an_old_address_of_a_command_leads_to_its_page(watch: Watched, site: Path) -> None:
    page = watch.open(f"{(site / 'reference/cli.html').as_uri()}#runbook-what-if")
    page.wait_for_url("**/reference/cli/what-if.html")
    page = watch.open(f"{(site / 'reference/cli.html').as_uri()}#runbook-lab-up")
    page.wait_for_url("**/reference/cli/lab.html#runbook-lab-up")


def test_a_link_to_a_result_opens_it_and_paper_has_what_is_folded(watch: Watched, site: Path) -> None:
    address = (site / "evidence/prod-eu/ha.html").as_uri()
    page = watch.open(address)
    folded = page.locator(".rb-result > details:not([open]) > div")
    assert folded.count() > 1
    verify = page.locator(f"[id='{(name := folded.last.get_attribute('id'))}'] .rb-receipt pre")
    assert not verify.is_visible()
    page.emulate_media(media="print")
    assert verify.is_visible()
    page.emulate_media(media="screen")
    page.goto(f"{address}#{name}")
    assert verify.is_visible()


@pytest.mark.parametrize("size", [(390, 844), (1440, 900)])
def test_the_first_screen_of_home_says_what_for_whom_and_how_to_begin(
    browser: Browser, site: Path, size: tuple[int, int]
) -> None:
    with watched(browser, viewport={"width": size[0], "height": size[1]}) as seen:
        page = seen.open((site / "index.html").as_uri())
        for said in ("Each statement is also a check", "For teams that run Kafka", "Your first check"):
            box = page.locator(".md-content").get_by_text(said).first.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= size[1], said


def test_every_link_within_the_site_names_a_file(site: Path) -> None:
    """A bucket shows no index of a folder, and a page that is opened from the disk would list the files of one."""
    folders = re.compile(r'<a [^>]*href="((?![a-z]+:|//)[^"#?]*/|\.\.?)"')
    found = {f"{file.relative_to(site)}: {one}" for file in pages(site) for one in folders.findall(file.read_text())}
    assert found == set()


def pages(site: Path) -> list[Path]:
    """All pages but the one for a missing address, whose links are those of a server."""
    return [file for file in site.rglob("*.html") if file.name != "404.html"]
