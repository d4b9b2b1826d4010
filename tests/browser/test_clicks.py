"""Every number of the scorecard leads to its evidence in two clicks, and says in one how it came about."""

import re
from pathlib import Path

from browser.watching import Watched

NUMBER = ".md-content table td a:visible"


def test_every_number_of_the_heat_map_reaches_its_evidence_in_two_clicks(watch: Watched, site: Path) -> None:
    start = (site / "scorecard/index.html").as_uri()
    page = watch.open(start)
    heat = page.locator(".rb-heat table")
    count = heat.locator("td a").count()
    assert count >= 7  # one row an environment
    lost = []
    for place in range(count):
        page.goto(start)
        link = page.locator(".rb-heat table td a").nth(place)
        about = f"{link.get_attribute('href')}"
        with page.expect_navigation():
            link.click()
        if "/evidence/" in page.url:
            continue
        onward = page.locator(".md-content a[href*='/evidence/']:visible, .md-content a[href^='../evidence']:visible")
        if onward.count() == 0:
            lost.append(about)
            continue
        with page.expect_navigation():
            onward.first.click()
        if "/evidence/" not in page.url:
            lost.append(about)
    assert lost == []


def test_everything_that_fails_has_its_evidence_one_click_away(watch: Watched, site: Path) -> None:
    environment = next((site / "scorecard").rglob("e00*.html"), None) or next((site / "scorecard").rglob("*/prod-eu*"))
    page = watch.open(environment.as_uri())
    links = page.locator(".md-content a[href*='evidence/']").evaluate_all("all => all.map(one => one.href)")
    anchored = sorted({link for link in links if "#" in link})
    assert anchored
    page.goto(anchored[0])
    assert page.evaluate("!!document.getElementById(decodeURIComponent(location.hash.slice(1)))")
    receipt = page.locator(".rb-result .rb-receipt pre").first
    assert re.fullmatch(r"runbook results verify (\S+ )?--receipt [0-9a-f]{64}", receipt.inner_text().strip())


def test_how_a_number_comes_about_is_one_click_away(watch: Watched, site: Path) -> None:
    page = watch.open((site / "scorecard/index.html").as_uri())
    with page.expect_navigation():
        page.locator(".md-content a[href*='scorecard-method']:visible").first.click()
    assert page.url.partition("#")[0] == (site / "explanation/scorecard-method.html").as_uri()
