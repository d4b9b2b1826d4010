"""Reading the site tells nobody: no page asks anything of another host."""

import re
from pathlib import Path

from playwright.sync_api import Browser

from browser.watching import watched

FETCHED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed|input|track|object|image|use)\b[^>]*?\s
        (?:src|srcset|data|poster|href|xlink:href)\s*=\s*["']?\s*(?:https?:)?//[^\s"'>]+
      | <link\b(?=[^>]*\srel=["']?(?:stylesheet|preload|prefetch|preconnect|dns-prefetch|icon|modulepreload|manifest))
        [^>]*\shref\s*=\s*["']?(?:https?:)?//[^\s"'>]+""",
    re.VERBOSE | re.IGNORECASE,
)
STYLED = re.compile(r"""url\(\s*["']?(?:https?:)?//[^)]*\)|@import\s+["'](?:https?:)?//[^"']*""", re.IGNORECASE)
CODED = re.compile(
    r"""\b(?:import|importScripts|fetch|Worker|EventSource|WebSocket|sendBeacon)\s*\(?\s*["'`](?:https?:|wss?:)?//[^"'`]*"""
)


def test_no_kind_of_page_asks_anything_of_another_host(browser: Browser, kinds: list[Path]) -> None:
    with watched(browser) as seen:
        for file in kinds:
            page = seen.open(file.as_uri())
            page.mouse.wheel(0, 20_000)
            page.close()
    assert seen.requests == []
    assert seen.alarms == []


def test_no_kind_of_page_asks_anything_of_another_host_when_served(
    browser: Browser, site: Path, kinds: list[Path], served: str
) -> None:
    with watched(browser) as seen:
        for file in kinds:
            page = seen.open(f"{served}/{file.relative_to(site)}")
            page.wait_for_load_state("networkidle")
            page.close()
    assert seen.requests == []
    assert seen.alarms == []


def test_no_file_of_the_site_names_a_thing_to_fetch_elsewhere(site: Path) -> None:
    found = []
    for file in site.rglob("*"):
        if file.suffix not in {".html", ".css", ".js", ".svg"}:
            continue
        text = file.read_text(encoding="utf-8")
        patterns = {".html": (FETCHED, STYLED), ".svg": (FETCHED, STYLED), ".css": (STYLED,), ".js": (CODED,)}
        found += [
            f"{file.relative_to(site)}: {hit}" for pattern in patterns[file.suffix] for hit in pattern.findall(text)
        ]
    assert found == []


def test_a_thing_to_fetch_elsewhere_would_be_found(browser: Browser) -> None:
    with watched(browser) as seen:
        page = seen.context.new_page()
        page.route("**/*", lambda route: route.abort())
        page.set_content("<img src=https://elsewhere.example/p.png>")
    assert seen.requests == ["https://elsewhere.example/p.png"]
    assert FETCHED.search('<img alt="" src="//elsewhere.example/p.png">')
    assert FETCHED.search('<link rel="preconnect" href="https://elsewhere.example">')
    assert not FETCHED.search('<a href="https://elsewhere.example">')
    assert STYLED.search("@import 'https://elsewhere.example/x.css'")
    assert CODED.search('fetch("https://elsewhere.example")')
