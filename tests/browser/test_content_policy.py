"""Should a hostile text ever get past the escaping: the page still runs nothing of it, and asks nobody."""

import re
from pathlib import Path

import pytest
from mkdocs.theme import Theme
from playwright.sync_api import Browser

from browser.watching import watched
from runbook.publish.content_policy import scripts_of_theme, with_policy

_POLICY = re.compile('<meta http-equiv="Content-Security-Policy"[^>]*>')

BROUGHT_IN = {
    "a script": "<script>window.__pwned = 1</script>",
    "a handler": '<img src="images/missing.png" onerror="window.__pwned = 1">',
    "a frame": '<iframe srcdoc="<script>parent.__pwned = 1</script>"></iframe>',
    "a script from elsewhere": '<script src="http://127.0.0.1:9/evil.js"></script>',
    "a picture from elsewhere": '<img src="http://127.0.0.1:9/seen.png">',
    "another base": '<base href="http://127.0.0.1:9/"><script src="evil.js"></script>',
}


def _broken(site: Path, text: str, folder: Path) -> Path:
    """A page into which a text got as it is, before its policy was made."""
    page = _POLICY.sub("", (site / "404.html").read_text(encoding="utf-8"), count=1)
    file = folder / "broken.html"
    theme = scripts_of_theme(tuple(Theme("material").dirs))
    file.write_text(with_policy(page.replace("<h1", f"{text}<h1", 1), theme), encoding="utf-8")
    return file


@pytest.mark.parametrize("what", BROUGHT_IN)
def test_what_got_into_a_page_is_refused(browser: Browser, site: Path, tmp_path: Path, what: str) -> None:
    with watched(browser) as seen:
        page = seen.open(_broken(site, BROUGHT_IN[what], tmp_path).as_uri())
        page.wait_for_load_state("load")
    assert any("Content Security Policy" in alarm for alarm in seen.alarms)
    assert not any("PWNED" in alarm for alarm in seen.alarms)


@pytest.mark.parametrize("what", ["a script", "a handler", "a frame"])
def test_it_would_run_without_the_policy(browser: Browser, site: Path, tmp_path: Path, what: str) -> None:
    file = _broken(site, BROUGHT_IN[what], tmp_path)
    page = file.read_text(encoding="utf-8")
    file.write_text(page.replace("Content-Security-Policy", "x-was-a-policy"), encoding="utf-8")
    with watched(browser) as seen:
        seen.open(file.as_uri()).wait_for_load_state("load")
    assert any("PWNED" in alarm for alarm in seen.alarms)
