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


def findings(page: Page, where: str, *rules: str) -> list[str]:
    """What axe finds, a line for each element; by these rules, or by all."""
    only = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
    found: dict[str, list[dict[str, Any]]] = Axe().run(page, options=WRONG | only).response
    return [
        f"{where}: {violation['id']}: {violation['help']}: {node['html'][:160]}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


@contextmanager
def opened(browser: Browser, file: Path, scheme: str) -> Iterator[Page]:
    """A page as somebody sees it who was never here: the theme remembers the scheme that one had."""
    with watched(browser, color_scheme=scheme, viewport={"width": DESK, "height": 900}) as seen:
        page = seen.open(file.as_uri())
        assert page.evaluate("document.body.dataset.mdColorScheme") == SCHEMES[scheme]
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
