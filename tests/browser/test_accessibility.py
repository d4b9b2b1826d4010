"""axe finds nothing to mend, on every kind of page, in light and dark, on a phone and on a desk."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from browser.watching import watched

WIDTHS = (390, 1280)


def findings(found: dict[str, list[dict[str, object]]], where: str) -> list[str]:
    """What axe found, a line for each element."""
    return [
        f"{where}: {violation['id']}: {violation['help']}: {node['html'][:160]}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_every_kind_of_page_is_accessible(
    browser: Browser, site: Path, kinds: list[Path], scheme: str, width: int
) -> None:
    wrong = []
    with watched(browser, color_scheme=scheme, viewport={"width": width, "height": 900}) as seen:
        for file in kinds:
            page = seen.open(file.as_uri())
            response = Axe().run(page).response
            wrong += findings(response, f"{file.relative_to(site)} {width}px {scheme}")
            page.close()
    assert wrong == [], "\n" + "\n".join(wrong)


def test_a_violation_would_be_found(browser: Browser) -> None:
    with watched(browser) as seen:
        page = seen.context.new_page()
        page.set_content("<html lang=en><title>x</title><main><img src=x><p style='color:#ccc'>faint</p></main></html>")
        found = findings(Axe().run(page).response, "a page")
    assert any("image-alt" in line for line in found)
    assert any("color-contrast" in line for line in found)
