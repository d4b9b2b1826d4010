import pytest

from support.metrics_played import Played

WAYS = ("jolokia", "pages")


@pytest.mark.parametrize("way", WAYS)
def test_each_broker_applies_the_metadata(way: str):
    fact = Played(way).observe("broker_metadata")
    assert fact.complete
    assert fact.columns["load_errors"] == fact.columns["apply_errors"] == [0, 0, 0]
    assert min(fact.columns["applied_offset"]) > 0


def test_zookeeper_mode_has_no_metadata_to_follow():
    played = Played("jolokia")
    missing = {"status": 404, "error_type": "javax.management.InstanceNotFoundException"}
    played.change("kafka.server:type=broker-metadata-metrics", missing)
    assert played.observe("broker_metadata").inapplicable.startswith("ZooKeeper mode")
