"""axe finds nothing to mend, on every kind of page, in light and dark, on a phone and on a desk."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from browser.watching import watched

PHONE, DESK = 390, 1280
SCHEMES = {"light": "default", "dark": "slate"}
COLOURS = ("color-contrast", "link-in-text-block")
"""The rules that a scheme of other colours can break."""
WRONG = {"resultTypes": ["violations"]}  # what is right is not described, which takes as long as finding it
ROWS = 25
CUT = """rows => {
  for (const body of document.querySelectorAll("tbody")) [...body.rows].slice(rows).forEach(row => row.remove());
}"""
"""Leaves of each table its first rows: that all the others are readable is seen on the desk."""


CONTRAST = "color-contrast"
"""Takes nine tenths of the time on a page of ten thousand elements, nearly all of them coloured like another."""
SAMPLED = "data-sampled"
SAMPLE = """mark => {
  const ids = new Map(), chains = new Map();
  const id = text => ids.get(text) ?? ids.set(text, ids.size).get(text);
  const plain = ["rgba(0, 0, 0, 0)", "none", "1", "none", "normal", "none", "none", "none"].join();
  const behind = element => {
    if (!element) return -1;
    if (!chains.has(element)) {
      const s = getComputedStyle(element), above = behind(element.parentElement);
      const own = [s.backgroundColor, s.backgroundImage, s.opacity, s.filter, s.mixBlendMode, s.backdropFilter,
        s.maskImage, s.clipPath].join();
      chains.set(element, own === plain ? above : id(`${above} ${own}`));
    }
    return chains.get(element);
  };
  const seen = new Map();
  for (const old of document.querySelectorAll(`[${mark}]`)) old.removeAttribute(mark);
  for (const element of document.body.querySelectorAll("*")) {
    const said = [...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!(said || element.matches("input, select, textarea")) || !element.checkVisibility()) continue;
    const s = getComputedStyle(element);
    const looks = [behind(element), s.color, s.fontSize, s.fontWeight, s.textShadow, s.position,
      s.webkitTextStroke, s.webkitTextFillColor].join();
    if (!seen.has(looks)) seen.set(looks, []);
    seen.get(looks).push(element);
  }
  for (const alike of seen.values())
    for (const place of [0, alike.length >> 1, alike.length - 1]) alike[place].setAttribute(mark, "");
  return seen.size;
}"""
"""Marks elements with a text, three of all that have the same colours, size and weight on the same backgrounds."""


def findings(page: Page, where: str, *rules: str) -> list[str]:
    """What axe finds, a line for each element; by these rules, or by all.

    Of contrast it is asked for three of all elements that have the same colours: the others have the same contrast.
    """
    others = [rule for rule in rules if rule != CONTRAST]
    found: list[dict[str, Any]] = []
    if others or not rules:
        only = {"runOnly": {"type": "rule", "values": others}} if others else {"rules": {CONTRAST: {"enabled": False}}}
        found += Axe().run(page, options=WRONG | only).response["violations"]
    if CONTRAST in rules or not rules:
        assert page.evaluate(SAMPLE, SAMPLED)
        only = {"runOnly": {"type": "rule", "values": [CONTRAST]}}
        found += Axe().run(page, {"include": [[f"[{SAMPLED}]"]]}, WRONG | only).response["violations"]
    return [
        f"{where}: {violation['id']}: {violation['help']}: {node['html'][:160]}"
        for violation in found
        for node in violation["nodes"]
    ]


@contextmanager
def opened(browser: Browser, file: Path, scheme: str) -> Iterator[Page]:
    """A page as somebody sees it who was never here: the theme remembers the scheme that one had."""
    with watched(browser, color_scheme=scheme, viewport={"width": DESK, "height": 900}) as seen:
        page = seen.open(file.as_uri())
        assert page.evaluate("document.body.dataset.mdColorScheme") == SCHEMES[scheme]
        page.evaluate("document.querySelectorAll('.md-content details').forEach(fold => { fold.open = true; })")
        yield page


@pytest.mark.timeout(2700)  # axe reads each element of the largest pages: a quarter of an hour on a slow machine
@pytest.mark.parametrize(("scheme", "rules"), [("light", ()), ("dark", COLOURS)])
def test_every_kind_of_page_is_accessible(
    browser: Browser, site: Path, kinds: list[Path], scheme: str, rules: tuple[str, ...]
) -> None:
    wrong = []
    for file in kinds:
        with opened(browser, file, scheme) as page:
            wrong += findings(page, f"{file.relative_to(site)} {DESK}px {scheme}", *rules)
            if rules:  # colours are the same on a phone
                continue
            page.set_viewport_size({"width": PHONE, "height": 900})
            page.evaluate(CUT, ROWS)
            wrong += findings(page, f"{file.relative_to(site)} {PHONE}px {scheme}")
    assert wrong == [], "\n" + "\n".join(wrong)


def test_a_violation_would_be_found(browser: Browser) -> None:
    with watched(browser) as seen:
        page = seen.context.new_page()
        page.set_content("<html lang=en><title>x</title><main><img src=x><p style='color:#ccc'>faint</p></main></html>")
        found, coloured = findings(page, "a page"), findings(page, "a page", *COLOURS)
    assert any("image-alt" in line for line in found)
    assert any("color-contrast" in line for line in found)
    assert [line.split(":")[1] for line in coloured] == [" color-contrast"]


def test_one_text_that_is_faint_among_a_thousand_is_found(browser: Browser) -> None:
    rows = [f"<tr><td>{number}</td></tr>" for number in range(1000)]
    rows[700] = rows[700].replace("<tr", "<tr style='background: #666'")
    rows[800] = rows[800].replace("<td", "<td style='color: #ccc'")
    with watched(browser) as seen:
        page = seen.context.new_page()
        page.set_content(f"<html lang=en><title>x</title><main><table>{''.join(rows)}</table></main></html>")
        found = findings(page, "a page", CONTRAST)
    assert [line.rpartition(">700<")[1] + line.rpartition(">800<")[1] for line in found] == [">700<", ">800<"]
