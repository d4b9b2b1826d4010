from types import SimpleNamespace
from typing import Any

from kafka_lab import parts
from kafka_lab.parts import telemetry


def test_the_receiver_is_on_the_class_path_and_shows_its_page_as_that_of_an_application():
    state: dict[str, Any] = {"port": 7, "classes": "/lab/telemetry", "process": None}
    lab: Any = SimpleNamespace(parts={"telemetry": state})
    assert parts.class_path(lab) == ["/lab/telemetry"]
    assert telemetry.broker_settings(lab, lab) == {"metric.reporters": "PushedMetrics", "pushed.metrics.port": 7}
    page = "http://127.0.0.1:7/metrics"
    assert telemetry.connections(lab, state) == {"prometheus": {"scrape": {}, "applications": {"pushed": page}}}


def test_it_has_one_broker():
    assert parts.chosen(["telemetry"]) == ["development", "telemetry"]
