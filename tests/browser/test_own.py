"""The site of a knowledge base of one's own: what is one's own is seen first, and told from what is built in."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from browser.made_scorecard import SCORE, scorecard
from browser.made_site import NOW, build
from browser.watching import watched
from runbook.cli.scaffold_files import lay_out
from runbook.publish.build import FOR_A_FOLDER
from runbook.publish.project_site import sources
from runbook.run.sources.built_in import builtin_names
from runbook.run.sources.project import VARIABLE, find_project

OWN = ("first", "payments")
ENVIRONMENTS = ("dev", "prod-ap", "prod-eu", "prod-us", "test")  # as many rows as have tools above them

BESIDE = 6
"""Columns of the scorecard that are no runbook: the environment, three counts, the score, the weeks."""

SEEN = """area => {
  const box = area.getBoundingClientRect();
  const inside = cell => {
    const {left, right} = cell.getBoundingClientRect();
    return left >= box.left - 1 && right <= Math.min(box.right, innerWidth) + 1;
  };
  return [...area.querySelectorAll("thead th")].filter(inside).map(cell => cell.querySelector("a")?.textContent);
}"""
"""The headings of the scorecard's columns that are in sight as a whole."""


@pytest.fixture(scope="module")
def own_site(tmp_path_factory: pytest.TempPathFactory, chromium_path: str) -> Path:  # noqa: ARG001 - its group
    """The site of what `runbook init` begins, to open from a folder: with one runbook more, and a scorecard of all."""
    folder = tmp_path_factory.mktemp("own")
    lay_out(folder)
    first = (folder / "runbooks" / "first.md").read_text("utf-8")
    second = first.replace("What our team expects of its clusters", "A release of payments")
    (folder / "runbooks" / "payments.md").write_text(second.replace("OurKafka", "Payments"), "utf-8")
    (folder / "site-data" / "scorecard").mkdir(parents=True)
    (folder / "site-data" / "scorecard" / "scorecard.json").write_text(json.dumps(_card()), "utf-8")
    variables = {VARIABLE: str(folder), "RUNBOOK_SITE_DATA": str(folder / "site-data"), FOR_A_FOLDER: "1"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(folder))
        project = find_project()
    assert project is not None
    with sources(project) as root:
        return build(root, tmp_path_factory.mktemp("own-site"), **variables)


def _card() -> dict[str, object]:
    """A scorecard of two environments and every runbook."""
    card = scorecard([], "", dict.fromkeys(ENVIRONMENTS, "first"), NOW, str)
    card["runbooks"] = sorted([*OWN, *builtin_names()])
    week, at = card["week"], f"{NOW - timedelta(hours=3):%Y-%m-%dT%H:%M:%SZ}"
    card["tables"]["scores"] = [
        SCORE | {"week": week, "environment": name, "runbook": runbook, "severity": "*", "last_at": at}
        for name in ENVIRONMENTS
        for runbook in ("*", *card["runbooks"])
    ]
    return card


def _matrix(page: Page) -> tuple[list[str | None], str]:
    """The columns in sight, and what is said of the others."""
    area = page.locator(".rb-heat .rb-scroll")
    hint = page.locator(".rb-heat .rb-beyond:visible")
    return area.evaluate(SEEN), hint.inner_text() if hint.count() else ""


def test_columns_of_ones_own_come_first_and_what_is_out_of_sight_is_told(browser: Browser, own_site: Path) -> None:
    with watched(browser, viewport={"width": 1300, "height": 900}) as wide:
        page = wide.open((own_site / "scorecard" / "index.html").as_uri())
        columns, hint = _matrix(page)
        assert columns[:7] == [None] * 5 + [*OWN]
        assert page.locator(".rb-heat thead .rb-tag").all_inner_texts() == ["our own"] * len(OWN)
        rest = len(builtin_names()) + len(OWN) + BESIDE - len(columns)
        assert rest > 0
        assert hint == f"Out of sight: {rest} columns to the right. Scroll the table sideways."
        page.locator(".rb-tools + .rb-beyond + .rb-scroll").wait_for()
        page.locator(".rb-heat .rb-scroll").evaluate("area => area.scrollTo(area.scrollWidth, 0)")
        page.locator(".rb-beyond", has_text="to the left").wait_for()
        columns, hint = _matrix(page)
        assert columns[-2:] == [builtin_names()[-1], None]
        assert "to the left" in hint
        assert "to the right" not in hint


def test_a_matrix_that_is_seen_as_a_whole_says_nothing_of_columns(browser: Browser, own_site: Path) -> None:
    with watched(browser, viewport={"width": 3200, "height": 900}) as wide:
        page = wide.open((own_site / "scorecard" / "index.html").as_uri())
        columns, hint = _matrix(page)
        assert (len(columns), hint) == (len(builtin_names()) + len(OWN) + BESIDE, "")


HITS = """() => [...document.querySelectorAll(".md-search-result__link")].map(link => [
  link.pathname.split("/runbooks/").pop().split(/[./]/)[0],
  [...link.querySelectorAll(".md-tag")].map(tag => tag.textContent).join()])"""
"""Of each hit in the search box the runbook, and how it is marked."""


def test_hits_in_runbooks_of_ones_own_say_so(browser: Browser, own_site: Path) -> None:
    with watched(browser) as seen:
        page = seen.open((own_site / "index.html").as_uri())
        box = page.locator("input.md-search__input")
        box.focus()
        box.fill("enough brokers are in servic")
        box.press("e")
        page.locator(".md-search-result__link[href*='runbooks/first/']").first.wait_for()
        hits = page.evaluate(HITS)
    assert {mark for name, mark in hits if name in OWN} == {"our own"}
    assert {mark for name, mark in hits if name in builtin_names()} == {""}


def test_without_results_the_incident_page_says_so_and_a_command_has_a_placeholder(
    browser: Browser, own_site: Path
) -> None:
    with watched(browser) as seen:
        page = seen.open((own_site / "incident.html").as_uri() + "?find=OfflinePartitionsCount")
        card = page.locator(".rb-answer .rb-respond[aria-label='ha/partitions-are-offline']")
        card.wait_for()
        assert "No environment has published results here" in page.locator("[data-rb-mine]").inner_text()
        assert card.locator("pre code").first.inner_text().endswith("--env ENVIRONMENT")
        assert card.locator(".rb-verdict").count() == 0
