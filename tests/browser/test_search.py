"""An alert's name or an error's text, typed into the search box, leads to the runbook that answers it."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from browser.watching import Watched

ASKED = ("KafkaISRShrinkRate", "REPLICA_NOT_AVAILABLE")


ANSWERS = ("/runbooks/ha", "/alerts.html")
FOUND = """pages => [...document.querySelectorAll(".md-search-result__link")]
  .some(link => pages.some(page => link.href.includes(page)))"""


def search(page: Page, words: str) -> None:
    """Put words into the search box, and wait until a page that answers is found; half a word is never searched for."""
    box = page.locator("input.md-search__input")
    box.fill(words[:-1])
    box.press(words[-1])
    page.wait_for_function(FOUND, arg=ANSWERS)


@pytest.mark.parametrize("words", ASKED)
def test_the_runbook_is_found_on_a_server(watch: Watched, served: str, words: str) -> None:
    page = watch.open(f"{served}/index.html")
    page.locator("input.md-search__input").focus()
    search(page, words)


@pytest.mark.parametrize("words", ASKED)
def test_the_runbook_is_found_in_a_folder(watch: Watched, offline_site: Path, words: str) -> None:
    page = watch.open((offline_site / "index.html").as_uri())
    page.locator("input.md-search__input").focus()
    search(page, words)
