import pytest

from support.metrics_played import Played

WAYS = ("jolokia", "pages")


@pytest.mark.parametrize("way", WAYS)
def test_a_healthy_cluster_misses_no_replica(way: str):
    fact = Played(way).observe("broker_replication")
    assert fact.complete
    assert fact.columns["broker"] == [1, 2, 3]
    for row in fact.rows():
        assert row["under_replicated"] == row["under_min_isr"] == row["offline_replicas"] == 0
        assert row["partitions"] >= row["leaders"] >= 0
        assert not [name for name, cell in row.items() if cell is None]


def test_a_jvm_that_is_no_broker_has_no_row():
    played = Played("jolokia")
    for answers in played.recording["answers"].values():
        for one in answers:
            if "Replica" in one[0][0]:
                one[1] = {"status": 404, "error_type": "javax.management.InstanceNotFoundException"}
    assert played.observe("broker_replication").inapplicable == "none of the JVMs that were asked is a broker"
