from typing import Any

import pytest

from runbook.connections.prometheus.settings import PagesSettings, ServerSettings, read_settings
from runbook.model.errors import Misconfigured


def test_a_server_has_defaults_that_say_what_fresh_is():
    read = read_settings({"url": "prometheus:9090", "selector": {"job": "kafka"}})
    assert isinstance(read, ServerSettings)
    assert (read.url, read.dialect, read.max_age) == ("http://prometheus:9090", "plain", 180)
    assert read.applications is None


def test_pages_are_named_by_node_id():
    read = read_settings({"scrape": {"1": "b1:9404", 2: "http://b2/own"}, "applications": {"orders": "o:9404"}})
    assert isinstance(read, PagesSettings)
    assert read.brokers == {1: "http://b1:9404/metrics", 2: "http://b2/own"}
    assert read.applications == {"orders": "http://o:9404/metrics"}


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({}, "needs `url`"),
        ({"url": "p:9090"}, "needs a `selector`"),
        ({"url": "p:9090", "selector": {"job": "kafka"}, "dialect": "strimsi"}, "did you mean strimzi"),
        ({"url": "p:9090", "selector": {"job=": "kafka"}}, "is no label"),
        ({"url": "p:9090", "selector": {"job": "kafka"}, "max_age": 0}, "1 to 3600"),
        ({"url": "p:9090", "selector": {"job": "kafka"}, "scrape": {"1": "b1"}}, "remove one of them"),
        ({"url": "p:9090", "selector": {"job": "kafka"}, "brokers": {"b1:9404": "one"}}, "by node id"),
        ({"scrape": {"one": "b1:9404"}}, "by node id"),
        ({"scrape": ["b1:9404"]}, "needs `url`"),
        ({"scrap": {"1": "b1:9404"}}, "did you mean scrape"),
    ],
)
def test_settings_that_can_not_be_used_are_said_with_a_remedy(settings: dict[str, Any], says: str):
    with pytest.raises(Misconfigured, match=says):
        read_settings(settings)
