from support.zookeeper_servers import Played


def test_limits_and_sessions_are_told():
    row = Played("healthy").rows("zookeeper_config")["zk-2"]
    assert (row["number"], row["tick_time"], row["init_limit"], row["sync_limit"]) == (2, 2000, 10, 5)
    assert (row["min_session_timeout"], row["max_session_timeout"]) == (4000, 40000)
    assert row["max_client_connections"] == 60


def test_the_admin_server_leaves_the_limits_out():
    played = Played("healthy", admin=True)
    played.forbid("conf")
    row = played.rows("zookeeper_config")["zk-2"]
    assert (row["number"], row["tick_time"], row["init_limit"], row["sync_limit"]) == (2, 2000, None, None)


def test_a_server_that_is_down_is_a_gap():
    fact = Played("server_stopped").observe("zookeeper_config")
    assert [gap.keys for gap in fact.gaps] == [{"server": "zk-2"}]
