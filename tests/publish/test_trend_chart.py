"""The picture of a year."""

import random
import re
from xml.etree import ElementTree as ET

import pytest

from runbook.publish.scorecard_rows import Trend
from runbook.publish.trend_chart import LEAST_SPAN, PALETTES, TrendChart, gaps, scale

GROUNDS = {"light": "#ffffff", "dark": "#1e2129"}


def _year() -> Trend:
    chance = random.Random(1)
    scores = [None if week in {5, 6, 8} else round(60 + chance.uniform(-9, 9), 1) for week in range(52)]
    return Trend(
        environment="prod",
        runbook="*",
        weeks=[f"2026-W{week + 1:02d}" for week in range(52)],
        status=["silent" if score is None else "scored" for score in scores],
        score=scores,
        score_raw=[None if score is None else score - 2 for score in scores],
        coverage=[100.0] * 52,
        redefined=[week % 20 == 10 for week in range(52)],
    )


def _draw(trend: Trend, palette: str = "light", *, generated: bool = False) -> str:
    return TrendChart().draw(trend, PALETTES[palette], generated=generated)


def test_the_same_weeks_give_the_same_bytes_whatever_was_drawn_before() -> None:
    chart = TrendChart()
    chart.draw(_year(), PALETTES["dark"], generated=True)
    assert chart.draw(_year(), PALETTES["light"], generated=False) == _draw(_year())


def test_a_year_is_small_and_text_stays_text() -> None:
    drawn = _draw(_year())
    assert len(drawn) <= 20_000
    texts = [element.text for element in ET.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")]
    assert {"score", "without waivers", "definitions changed", "2026-W52", *map(str, scale(_year()))} <= set(texts)


def test_weeks_without_a_score_are_gaps() -> None:
    whole = _year()
    whole.score = [60.0] * 52
    with_gaps, without = (_line_starts(_draw(trend)) for trend in (_year(), whole))
    assert with_gaps > without


def _line_starts(drawn: str) -> int:
    blue = re.findall(r'<path d="([^"]+)"[^>]*stroke: #1d4ed8', drawn)
    return sum(path.count("M") for path in blue)


def test_weeks_without_a_score_are_hatched_from_the_first_score_on() -> None:
    assert gaps([None, 1.0, None, None, 2.0, None]) == [(2, 3), (5, 5)]
    assert gaps([None, None]) == []
    assert "url(#" in _draw(_year())


def test_the_range_is_what_the_scores_take_and_some_points_at_least() -> None:
    year = _year()
    year.score = year.score_raw = [93.0, 98.9]
    assert scale(year) == (90, 100)
    year.score = year.score_raw = [41.0, 98.9]
    assert scale(year) == (40, 100)
    year.score = year.score_raw = [2.0, 3.0]
    low, high = scale(year)
    assert (low, high - low) == (0, LEAST_SPAN)


def test_the_last_score_stands_beside_the_line() -> None:
    texts = [element.text for element in ET.fromstring(_draw(_year())).iter("{http://www.w3.org/2000/svg}text")]
    assert f"{_year().score[-1]:g}" in [(text or "").strip() for text in texts]


def test_an_environment_that_never_had_a_score_is_drawn() -> None:
    trend = _year()
    trend.score = trend.score_raw = [None] * 52
    assert "2026-W52" in _draw(trend)


def test_a_single_week_is_drawn() -> None:
    week = Trend("prod", "*", ["2026-W01"], ["scored"], [50.0], [50.0], [100.0], [False])
    assert "2026-W01" in _draw(week)


def test_generated_results_are_marked() -> None:
    assert "Generated, not measured" in _draw(_year(), generated=True)
    assert "Generated" not in _draw(_year())


def _luminance(colour: str) -> float:
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("palette", list(PALETTES))
def test_text_and_lines_stand_out_from_the_ground(palette: str) -> None:
    colours = PALETTES[palette]
    ground = _luminance(GROUNDS[palette])

    def contrast(colour: str) -> float:
        darker, lighter = sorted((_luminance(colour), ground))
        return (lighter + 0.05) / (darker + 0.05)

    assert contrast(colours.text) >= 4.5
    assert min(contrast(colour) for colour in (colours.score, colours.raw, colours.mark)) >= 3
