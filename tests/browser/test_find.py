"""The site finds what `runbook find` finds: the same questions in Python and in the browser, and the boxes."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from browser.watching import Watched
from runbook.plugins.content import site_sources
from runbook.run.sources.runbooks import read_all
from runbook.search.index import Index
from runbook.search.site_index import site_index
from search.test_printed import TABLES, printed

EACH = 4  # of the texts one in so many is asked: all of them take long
LARGEST = 1_000_000  # bytes of the index
ASK = """([texts, words]) => {
  const finder = new RunbookFinder(RUNBOOK_FIND);
  const three = text => finder.search(text).slice(0, 3).map(hit => [hit.name, hit.found, hit.why]);
  return [texts.map(three), words.map(finder.stem)];
}"""
FIRST = ".rb-hits-list li:first-child a"


def test_python_and_the_browser_find_the_same(watch: Watched, tmp_path: Path) -> None:
    """In one page, which is opened from a folder."""
    books = read_all([])
    index, script = Index(books), site_index(books)
    assert len(script.encode()) < LARGEST
    (tmp_path / "find-index.js").write_text(script, encoding="utf-8")
    (tmp_path / "find.js").write_bytes((site_sources() / "docs" / "scripts" / "find.js").read_bytes())
    (tmp_path / "page.html").write_text(
        "<!doctype html><meta charset=utf-8><script src=find-index.js></script><script src=find.js></script>", "utf-8"
    )
    asked = [text.text for table in TABLES for text in printed(table)[::EACH]]
    assert len(asked) >= 60
    words = sorted({word for entry in index.entries for word in entry.words.values()})
    page = watch.open((tmp_path / "page.html").as_uri())
    found, stems = page.evaluate(ASK, [asked, words])
    wanted = {text: [[hit.name, hit.found, hit.why] for hit in index.search(text)[:3]] for text in asked}
    assert dict(zip(asked, found, strict=True)) == wanted
    assert set(stems) == {stem for entry in index.entries for stem in entry.words}


def ask(page: Page, box: str, text: str) -> str:
    """Type into a box and read where its first hit leads."""
    page.locator(box).fill(text)
    page.wait_for_selector(FIRST)
    return str(page.locator(FIRST).first.get_attribute("href"))


@pytest.mark.parametrize(("start", "box"), [("index.html", ".md-search__input"), ("alerts.html", ".rb-find input")])
def test_both_boxes_lead_to_the_symptom(watch: Watched, served: str, start: str, box: str) -> None:
    page = watch.open(f"{served}/{start}")
    page.locator(box).first.focus()
    assert ask(page, box, "[FIRING:1] KafkaISRShrinkRate (prod-7 critical)").startswith(f"{served}/runbooks/ha/")
    page.keyboard.press("Enter")
    page.wait_for_url("**/runbooks/ha/*.html")


def test_a_site_in_a_folder_answers_and_says_what_is_only_near(watch: Watched, offline_site: Path) -> None:
    page = watch.open((offline_site / "alerts.html").as_uri() + "?find=REPLICA_NOT_AVAILABLE")
    page.wait_for_selector(FIRST)
    assert "/runbooks/ha/replicas-are-behind.html" in str(page.locator(FIRST).get_attribute("href"))
    page.locator(".rb-find input").fill("quota elections certificates zookeeper throttle snapshots voters racks")
    page.wait_for_selector(".rb-find .rb-hits-note")
    assert page.locator(".rb-find .rb-hits-list li").count() == 3
    page.locator(".rb-find input").fill("xyzzy")
    page.wait_for_selector(".rb-find .rb-hits-list", state="detached")
    assert page.locator(".rb-find .rb-hits-note").inner_text().startswith("No match: try another word")


def test_the_keys_lead_from_our_hits_to_those_of_the_theme(watch: Watched, served: str) -> None:
    page = watch.open(f"{served}/index.html")
    page.locator(".md-search__input").focus()
    ask(page, ".md-search__input", "replica")
    page.wait_for_selector(".md-search-result__link")
    page.wait_for_selector(".md-search .rb-hits-list a")
    for _ in range(page.locator(".md-search .rb-hits-list a").count() + 1):
        page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.matches('.md-search-result *')")


def test_enter_on_home_leads_to_the_causes_and_the_card_carries_the_text_on(watch: Watched, offline_site: Path) -> None:
    page = watch.open((offline_site / "index.html").as_uri())
    page.locator(".rb-find input").fill("OfflinePartitionsCount")
    link = page.locator(".rb-choices a").first
    assert str(link.get_attribute("href")).endswith("/incident.html?find=OfflinePartitionsCount")
    page.locator(".rb-find input").press("Enter")
    page.wait_for_url("**/incident.html?find=OfflinePartitionsCount")
    page.locator(".rb-answer .rb-respond[aria-label='ha/partitions-are-offline']").wait_for()
