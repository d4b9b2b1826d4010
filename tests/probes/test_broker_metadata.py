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


def test_each_value_comes_under_its_own_name():
    played = Played("jolokia")
    played.tell(
        "kafka.server:type=broker-metadata-metrics",
        **{
            "last-applied-record-offset": 11,
            "last-applied-record-lag-ms": 12,
            "metadata-load-error-count": 13,
            "metadata-apply-error-count": 14,
        },
    )
    assert played.row("broker_metadata", broker=1) == {
        "broker": 1,
        "applied_offset": 11,
        "applied_lag_ms": 12,
        "load_errors": 13,
        "apply_errors": 14,
    }
