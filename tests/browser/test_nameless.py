"""A built site without names: none is in a file or its name, and its pages are read as those of any other."""

import gzip
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from browser.test_accessibility import findings
from browser.watching import watched
from publish.planted_names import PLANTED

PAGES = (
    "scorecard/index.html",
    "scorecard/environments/broken.html",
    "evidence/prod/hostile.html",
    "evidence/unknown/hostile.html",
    "runbooks/hostile/rows-hold.html",
)


def test_no_planted_name_is_in_any_file_of_the_site_or_its_name(nameless_site: Path) -> None:
    files = [file for file in nameless_site.rglob("*") if file.is_file()]
    kinds = {file.suffix for file in files}
    assert {".html", ".json", ".js", ".svg", ".csv", ".gz"} <= kinds
    assert not [file for file in files if PLANTED in str(file.relative_to(nameless_site))]
    inside = {file: file.read_bytes() for file in files}
    inside |= {file: gzip.decompress(content) for file, content in inside.items() if file.suffix == ".gz"}
    assert not [file for file, content in inside.items() if PLANTED.encode() in content]


@pytest.mark.parametrize("name", PAGES)
def test_pseudonyms_leave_a_page_readable(browser: Browser, nameless_site: Path, name: str) -> None:
    with watched(browser, viewport={"width": 390, "height": 844}) as phone:
        page = phone.open((nameless_site / name).as_uri())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")
        assert findings(page, name) == []
