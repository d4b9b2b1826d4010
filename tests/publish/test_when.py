"""Moments on pages: the moment itself stands there, and what the browser needs to say its age."""

from datetime import timedelta

import pytest

from runbook.publish.when import moment, newest, oldest, site_footer, until, when


@pytest.mark.parametrize("text", ["2026-11-25T13:49:30Z", "2026-11-25T13:49:30.123Z", "2026-11-25T14:49:30+01:00"])
def test_a_moment_is_read_as_it_is_without_javascript(text: str) -> None:
    assert when(text) == '<time datetime="2026-11-25T13:49:30Z" data-age="">2026-11-25 13:49 UTC</time>'


def test_the_page_says_how_the_browser_shows_it() -> None:
    assert 'data-age="short renewed"' in str(when("2026-11-25T13:49:30Z", short=True, renewed=True))


def test_what_is_not_known_stays_so_and_what_can_not_be_read_never_looks_fresh() -> None:
    assert when(None) is None
    shown = str(when("<b>yesterday"))
    assert "no moment that can be read: &lt;b&gt;yesterday" in shown
    assert "<time" not in shown
    assert moment("yesterday").year == 1970


def test_the_last_day_of_a_waiver_is_a_date() -> None:
    assert until("2026-12-01") == '<time datetime="2026-12-01" data-until>2026-12-01</time>'
    assert until("<b>soon") == "&lt;b&gt;soon"


def test_the_oldest_and_the_newest_are_told_by_the_moments_not_by_their_letters() -> None:
    both = ["2026-11-25T01:00:00+02:00", "2026-11-24T23:30:00Z"]
    assert (oldest(both), newest(both)) == (both[0], both[1])
    assert oldest([]) is newest([]) is None


def test_the_foot_of_a_page_says_what_was_promised() -> None:
    foot = str(site_footer("Newest scored run", "2026-11-25T13:49:30Z", timedelta(days=8)))
    assert 'data-promised="691200"' in foot
    assert 'data-age="renewed"' in foot
    assert "none yet" in site_footer("Newest scored run", None, timedelta(days=8))
