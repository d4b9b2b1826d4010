import pytest

from support.zookeeper_servers import Played


@pytest.mark.parametrize("admin", [False, True])
def test_only_the_leader_knows_who_keeps_up(admin: bool):  # noqa: FBT001 - a parameter of the test
    rows = Played("healthy", admin=admin).rows("zookeeper_monitor")
    assert {row["state"]: row["synced_followers"] for row in rows.values()} == {"follower": None, "leader": 2}
    for row in rows.values():
        assert (row["quorum_size"], row["max_files"]) == (3, 20000)
        assert 0 < row["open_files"] < row["max_files"]
        assert min(row["watches"], row["avg_fsync"], row["uptime"]) >= 0


def test_a_server_that_does_not_allow_the_word_is_a_gap():
    played = Played("healthy")
    played.forbid("mntr", server="zk-2")
    fact = played.observe("zookeeper_monitor")
    assert list(fact.columns["server"]) == ["zk-1", "zk-3"]
    assert [gap.keys for gap in fact.gaps] == [{"server": "zk-2"}]


def test_what_is_no_number_is_not_known():
    played = Played("healthy")
    lines = [line for line in played.answers["zk-1"]["mntr"].splitlines() if "watch_count" not in line]
    played.answers["zk-1"]["mntr"] = "\n".join([*lines, "zk_watch_count\tNaN"])
    assert played.rows("zookeeper_monitor")["zk-1"]["watches"] is None
