"""The picture of a measurement: each setting with its spread, and all of it in words."""

from xml.etree import ElementTree as ET

from runbook.incident.measurement_ranking import measured_settings
from runbook.model.measurement import ProducerSetting
from runbook.publish.measurement_chart import draw_latencies
from runbook.publish.trend_chart import PALETTES
from support.measured import repetition


def test_each_setting_is_drawn_and_told_in_words():
    settings = (ProducerSetting(acks="1"), ProducerSetting(acks="all"))
    found = measured_settings([repetition(p99, setting=of) for p99 in (4, 5, 9) for of in settings])
    svg = draw_latencies(found, PALETTES["light"], "About it")
    root = ET.fromstring(svg)
    assert root.get("aria-label", "").startswith(
        "About it; acks=1: p50 3.0 ms; acks=all: p50 3.0 ms; acks=1: p99 6.0 ms"
    )
    assert "acks=all</text>" in svg
    assert "http" not in svg.replace("http://www.w3.org/", "")
