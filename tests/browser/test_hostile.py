"""What a cluster, an inventory or a stranger names is shown as it is, and does nothing."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

from playwright.sync_api import Browser

from browser.made_site import visible
from browser.payloads import PAYLOADS
from browser.watching import watched

DANGEROUS = (
    "script, iframe, frame, object, embed, applet, base, form, math, style, link, meta, template, img, image, video, "
    "audio, marquee, portal, svg *:not(path):not(g):not(rect):not(line):not(text):not(title):not(desc):not(polyline)"
)
BY_HAND = {
    "decisions",
    "explanation",
    "how-to",
    "notebooks",
    "tutorial",
    "404.html",
}  # nothing of a stranger's is there
OTHERS = re.compile(r"alerts/|runbooks/(?!own/)[\w-]+/")
"""Pages of single blocks of built-in runbooks, which are as those of our own; and of alerts, which follow below."""
LOOK = """(dangerous) => {
  const inside = document.querySelector(".md-content") || document.body;
  const tags = {}, threats = [];
  for (const element of inside.querySelectorAll("*")) {
    const ofWidth = element.matches("p.rb-beyond:not(:has(*))");  // there where long names make a table wide
    if (!ofWidth) tags[element.localName] = (tags[element.localName] || 0) + 1;
    if (element.matches(dangerous)) threats.push(element.localName);
  }
  for (const element of document.querySelectorAll("*")) {
    for (const {name, value} of element.attributes) {
      if (name.startsWith("on")) threats.push(`${element.localName} ${name}`);
      if (/^(href|src|action|formaction|xlink:href|data|srcdoc)$/.test(name)
          && /^[\\s\\u0000-\\u0020]*(javascript|vbscript|data):/i.test(value)
          && !value.startsWith("data:image/")) threats.push(`${element.localName} ${name}=${value.slice(0, 80)}`);
      if (/^(href|src|srcset|action|poster)$/.test(name) && value.includes("evil.example"))
        threats.push(`${element.localName} ${name}=${value.slice(0, 80)}`);
    }
  }
  return {tags, threats, text: document.body.textContent, title: document.title, url: location.href};
}"""


def look(browser: Browser, site: Path) -> dict[str, dict[str, object]]:
    """What stands on every page of a site, by its path; nothing may run, open, or be fetched meanwhile."""
    found: dict[str, dict[str, object]] = {}
    with watched(browser) as seen:
        page = seen.context.new_page()
        for file in sorted(site.rglob("*.html")):
            if file.relative_to(site).parts[0] in BY_HAND or OTHERS.match(file.relative_to(site).as_posix()):
                continue
            page.goto(file.as_uri(), wait_until="load")
            found[str(file.relative_to(site))] = page.evaluate(LOOK, DANGEROUS)
            assert page.url == file.as_uri()
            assert len(seen.context.pages) == 1, f"{file} opened a window"
            assert seen.requests == [], file
            assert seen.alarms == [], file
    return found


def test_nothing_hostile_is_executed_or_becomes_an_element(browser: Browser, site: Path, hostile_site: Path) -> None:
    harmless = look(browser, site)
    hostile = look(browser, hostile_site)
    assert len(hostile) == len(harmless)
    for (calm, expected), (path, found) in zip(sorted(harmless.items()), sorted(hostile.items()), strict=True):
        assert calm.partition("/")[0] == path.partition("/")[0]
        assert Counter(found["threats"]) == Counter(expected["threats"]), path
        if path.startswith(("evidence/", "scorecard/")):
            assert found["tags"] == expected["tags"], path
    text = visible(" ".join(str(found["text"]) for found in hostile.values()))
    lost = [payload for payload in PAYLOADS if visible(payload) not in text]
    assert lost == []


def test_the_pages_of_alerts_do_nothing(browser: Browser, hostile_site: Path) -> None:
    files = sorted(hostile_site.glob("alerts/*-*/index.html"))[:20]
    assert files
    with watched(browser) as seen:
        for file in files:
            assert seen.open(file.as_uri()).evaluate(LOOK, DANGEROUS)["threats"] == []
        assert (seen.requests, seen.alarms) == ([], [])


def test_the_hostile_texts_would_do_harm_if_they_were_not_escaped(browser: Browser) -> None:
    harmful = 0
    with watched(browser) as seen:
        seen.context.route("**evil.example**", lambda route: route.abort())
        page = seen.context.new_page()
        for payload in PAYLOADS[:60:4]:
            before = len(seen.alarms) + len(seen.requests)
            page.goto("about:blank")
            page.set_content(f"<body><div>{payload}</div></body>", wait_until="domcontentloaded")
            page.wait_for_timeout(20)
            harmful += len(seen.alarms) + len(seen.requests) > before
    assert harmful >= 5


def test_hostile_texts_stay_cells_and_never_become_formulas(hostile_site: Path) -> None:
    files = sorted(hostile_site.rglob("*.csv"))
    assert files
    for file in files:
        rows = list(csv.reader(io.StringIO(file.read_text(encoding="utf-8-sig"), newline="")))
        assert {len(row) for row in rows} == {len(rows[0])}, file
        starts = {cell[0] for row in rows for cell in row if cell and not _is_number(cell)}
        assert starts.isdisjoint("=+-@\t\r"), file


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_hostile_names_do_nothing_in_badges(hostile_site: Path) -> None:
    files = sorted(hostile_site.glob("scorecard/**/*.svg"))
    assert files
    for file in files:
        for element in ET.fromstring(file.read_text(encoding="utf-8")).iter():  # raises if it breaks out
            tag = str(element.tag).rpartition("}")[2]
            assert tag not in {"script", "foreignObject", "image", "a", "animate", "set"}, file
            assert not [name for name in element.attrib if name.lower().startswith("on")], file


def test_data_files_are_json_with_the_texts_as_they_are(hostile_site: Path) -> None:
    files = sorted(hostile_site.glob("scorecard/**/*.json"))
    assert files
    for file in files:
        assert json.loads(file.read_text(encoding="utf-8"))
