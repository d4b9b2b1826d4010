import pytest

from support.metrics_played import Played

WAYS = ("jolokia", "pages")


@pytest.mark.parametrize("way", WAYS)
def test_all_members_name_the_same_leader(way: str):
    fact = Played(way).observe("controller_quorum")
    assert fact.complete
    assert len(set(fact.columns["leader"])) == 1
    assert all(row["log_end_offset"] >= row["high_watermark"] > 0 for row in fact.rows())


def test_states_are_told_by_jmx_and_not_by_numbers():
    assert sorted(Played("jolokia").observe("controller_quorum").columns["state"]) == ["follower", "follower", "leader"]
    assert Played("pages").observe("controller_quorum").columns["state"] == [None, None, None]


def test_each_value_comes_under_its_own_name():
    played = Played("jolokia")
    played.tell(
        "kafka.server:type=raft-metrics",
        **{
            "current-state": "leader",
            "current-leader": 12,
            "current-epoch": 13,
            "log-end-offset": 14,
            "high-watermark": 15,
            "commit-latency-avg": 16,
            "poll-idle-ratio-avg": 17,
        },
    )
    assert played.row("controller_quorum", broker=1) == {
        "broker": 1,
        "state": "leader",
        "leader": 12,
        "epoch": 13,
        "log_end_offset": 14,
        "high_watermark": 15,
        "commit_ms": 16,
        "idle": 17,
    }
