import re
from typing import Any
from xml.etree import ElementTree as ET

from runbook.model.fact import Fact, Gap
from runbook.publish.pause_chart import PauseChart, draw_pauses
from runbook.publish.trend_chart import PALETTES

NAMES = ("broker", "ended", "length", "kind", "evacuation_failed")
PAUSES = [
    (1, "2026-11-21T10:00:00+00:00", 120.0, "young", False),
    (2, "2026-11-21T11:00:00+00:00", 12040.0, "full", False),
    (2, "2026-11-21T12:30:00+00:00", 300.0, "young", True),
]


def draw(*rows: tuple[Any, ...], timeout: int | None = 9000) -> PauseChart:
    pauses = Fact("jvm_gc_pause", {name: [row[i] for row in rows] for i, name in enumerate(NAMES)})
    config = Fact("kafka_broker_config", {"broker": [1, 2], "session_timeout": [timeout, timeout]})
    return draw_pauses(pauses, config, PALETTES["light"])


def test_the_words_say_what_the_picture_shows():
    words = draw(*PAUSES).words
    assert "3 long stops from 2026-11-21 10:00 to 2026-11-21 12:30 UTC" in words
    assert "12040 ms, ended on broker 2 at 11:00:00; its session timeout is 9000 ms" in words
    assert "1 of them full" in words
    assert "1 outlasted the session" in words


def test_it_is_one_svg_with_its_words_and_without_scripts_or_addresses():
    chart = draw(*PAUSES)
    root = ET.fromstring(chart.svg)
    assert root.get("role") == "img"
    assert root.get("aria-label") == chart.words
    assert not re.search(r"<script|<image|url\(http|href=\"http", chart.svg)
    for said in ("session timeout 9000 ms", "full collection", "no room to copy to"):
        assert said in chart.svg


def test_the_same_pauses_give_the_same_bytes():
    assert draw(*PAUSES).svg == draw(*PAUSES).svg


def test_without_pauses_there_is_still_a_picture_that_says_so():
    chart = draw()
    assert chart.words == "No long stop is in the logs."
    assert "session timeout" in chart.svg


def test_timeouts_and_moments_that_are_not_known_are_left_out():
    chart = draw(*PAUSES[:1], (1, None, 500.0, "young", False), timeout=None)
    assert "session timeout" not in chart.svg
    assert chart.words.endswith("1 more does not say when it was, or how long.")
    assert "Whether one outlasted the session of its broker is not known." in chart.words


def test_a_log_that_could_not_be_read_is_never_a_picture_of_a_quiet_broker():
    pauses = Fact("jvm_gc_pause", {name: [] for name in NAMES}, [Gap("the GC log of broker 1 may not be read")])
    chart = draw_pauses(
        pauses, Fact("kafka_broker_config", {"broker": [1], "session_timeout": [9000]}), PALETTES["light"]
    )
    assert chart.words == "No long stop was seen. Not all could be seen."
    assert ">Not all could be seen<" in chart.svg
