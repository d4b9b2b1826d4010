"""Ages are said when somebody looks: a site whose weekly job has died says so, on every page."""

import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from browser.made_site import NOW
from browser.test_accessibility import COLOURS, findings
from browser.watching import Watched, watched

STALE = ".rb-stale"
CHECK = "runbooks/ha/every-partition-has-a-leader.html"


def later(watch: Watched, page: Path, after: timedelta) -> Page:
    """A page as it is seen so long after the site was built."""
    watch.context.clock.set_fixed_time(NOW + after)
    return watch.open(page.as_uri())


@pytest.mark.parametrize(
    ("after", "age"),
    [(timedelta(0), "1 hour ago"), (timedelta(hours=5), "6 hours ago"), (timedelta(days=3), "3 days ago")],
)
def test_a_result_is_as_old_as_it_is_when_one_looks(watch: Watched, site: Path, after: timedelta, age: str) -> None:
    page = later(watch, site / CHECK, after)
    cell = page.locator(".rb-strip li", has_text="prod-us").first
    assert age in cell.inner_text()
    assert cell.locator("time").get_attribute("title") == f"{NOW - timedelta(hours=1):%Y-%m-%d %H:%M UTC}"
    assert "older than" not in cell.inner_text()
    assert page.locator(STALE).count() == 0


@pytest.mark.parametrize("name", ["index.html", "runbooks/ha.html", "scorecard/index.html", "how-to/install.html"])
def test_a_site_that_nobody_renews_says_so_on_every_page(watch: Watched, site: Path, name: str) -> None:
    page = later(watch, site / name, timedelta(days=9))
    notice = page.locator(STALE)
    assert notice.is_visible()
    said = notice.inner_text()
    assert f"Newest scored run: {NOW:%Y-%m-%d %H:%M UTC}, 9 days ago" in said
    assert "expected after 8 days at the latest" in said


def test_a_page_that_stays_open_gets_old_as_well(watch: Watched, site: Path) -> None:
    watch.context.clock.install(time=NOW)
    page = watch.open((site / "scorecard/index.html").as_uri())
    assert page.locator(STALE).count() == 0
    watch.context.clock.fast_forward(timedelta(days=9).total_seconds() * 1000)
    page.locator(STALE).wait_for()


@pytest.mark.parametrize(
    ("name", "where"),
    [
        (CHECK, ".rb-strip li:has-text('prod-us')"),
        ("scorecard/index.html", ".rb-heat .rb-facts"),
        ("scorecard/environments/prod-eu.html", ".rb-number .rb-facts"),
        ("evidence/prod-us/index.html", ".rb-head .rb-facts"),
        ("evidence/prod-us/ha.html", ".rb-result .rb-facts"),
    ],
)
def test_what_was_not_renewed_in_time_is_marked_where_it_stands(
    watch: Watched, site: Path, name: str, where: str
) -> None:
    mark = "older than results may be"
    assert mark not in later(watch, site / name, timedelta(days=1)).locator(where).first.inner_text()
    assert mark in later(watch, site / name, timedelta(days=9)).locator(where).first.inner_text()


def test_a_waiver_that_ran_out_since_is_over(watch: Watched, site: Path) -> None:
    last_day = f"{NOW + timedelta(days=9):%Y-%m-%d}"

    def said(days: int) -> str:
        page = later(watch, site / "scorecard/changes.html", timedelta(days=days))
        page.locator("#waivers ~ details").first.evaluate("fold => { fold.open = true; }")  # they are many
        return page.locator(f"#waivers ~ * td:has(time[datetime='{last_day}'])").first.inner_text()

    assert said(2).startswith(f"{last_day}, ")
    assert said(2).endswith(" left")
    assert said(11) == f"{last_day}, is over"


def test_a_clock_that_runs_ahead_is_not_fresh(watch: Watched, site: Path) -> None:
    page = later(watch, site / CHECK, -timedelta(days=1))
    assert "dated in the future" in page.locator(".rb-strip li", has_text="prod-us").first.inner_text()
    assert page.locator(STALE).is_visible()


@pytest.mark.parametrize("name", [CHECK, "scorecard/index.html", "evidence/prod-us/ha.html"])
def test_without_javascript_the_moment_is_what_one_reads(browser: Browser, site: Path, name: str) -> None:
    with watched(browser, java_script_enabled=False) as seen:
        page = seen.open((site / name).as_uri())
        moments = page.locator("time[data-age]").all_text_contents()
        assert len(moments) > 1
        for text in moments:
            assert datetime.strptime(text, "%Y-%m-%d %H:%M UTC")  # noqa: DTZ007 - it says UTC
        words = page.locator(".md-content").inner_text()
        assert not re.search(r"just now|\d (?:day|hour|minute)s? (?:ago|old|left)", words)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_the_browser_says_of_age_can_be_read(browser: Browser, site: Path, scheme: str) -> None:
    with watched(browser, color_scheme=scheme) as seen:
        page = later(seen, site / "evidence/index.html", timedelta(days=9))
        assert page.locator(STALE).is_visible()
        assert findings(page, scheme, *COLOURS) == []


@pytest.mark.parametrize(("name", "told"), [("e01", ["expires soon"]), ("e02", ["in force", "fails, waived"])])
def test_a_waiver_whose_day_is_past_does_not_read_as_in_force(
    watch: Watched, site: Path, name: str, told: list[str]
) -> None:
    [file] = (site / "scorecard/environments").glob(f"{name}*.html")
    before = later(watch, file, timedelta(0)).locator(".md-content").inner_text()
    after = later(watch, file, timedelta(days=400)).locator(".md-content").inner_text()
    for words in told:
        assert words in before
        assert words not in after
    assert "expired since" in after
