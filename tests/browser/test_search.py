"""An alert's name or an error's text, typed into the search box, leads to the runbook that answers it."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from browser.made_site import build
from browser.watching import Watched

ASKED = ("KafkaISRShrinkRate", "REPLICA_NOT_AVAILABLE")


def search(page: Page, words: str) -> list[str]:
    """Type words into the search box; the addresses of what is found."""
    page.locator("input.md-search__input").press_sequentially(words)
    page.locator(".md-search-result__link").first.wait_for(state="attached")
    page.wait_for_function("document.querySelectorAll('.md-search-result__link').length > 0")
    return [
        str(link) for link in page.locator(".md-search-result__link").evaluate_all("all => all.map(one => one.href)")
    ]


@pytest.mark.parametrize("words", ASKED)
def test_the_runbook_is_found_on_a_server(watch: Watched, served: str, words: str) -> None:
    page = watch.open(f"{served}/index.html")
    page.locator("input.md-search__input").focus()
    assert any("/runbooks/ha.html" in link or "/alerts.html" in link for link in search(page, words))


@pytest.mark.parametrize("words", ASKED)
def test_the_runbook_is_found_in_a_folder(watch: Watched, offline_site: Path, words: str) -> None:
    page = watch.open((offline_site / "index.html").as_uri())
    page.locator("input.md-search__input").focus()
    assert any("/runbooks/ha.html" in link or "/alerts.html" in link for link in search(page, words))


@pytest.fixture(scope="module")
def offline_site(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The build that is opened from a folder."""
    return build(sources, tmp_path_factory.mktemp("offline"), "mkdocs.offline.yml")
