from support.zookeeper_servers import Played


def test_each_server_names_every_member():
    rows = list(Played("healthy").observe("zookeeper_member").rows())
    assert sorted((row["server"], row["member"]) for row in rows) == [
        (f"zk-{server}", member) for server in (1, 2, 3) for member in (1, 2, 3)
    ]
    assert {(row["role"], row["group"], row["weight"], row["host"]) for row in rows} == {
        ("participant", 0, 1, "127.0.0.1")
    }
    assert len({(row["peer_port"], row["election_port"]) for row in rows}) == 3


def test_groups_are_told_by_the_word_only():
    played = Played("healthy")
    played.answers["zk-1"]["conf"] += "\ngroup.1=1:2\ngroup.2=3\nweight.3=2\n"
    rows = [row for row in played.observe("zookeeper_member").rows() if row["server"] == "zk-1"]
    assert [(row["member"], row["group"], row["weight"]) for row in rows] == [(1, 1, 1), (2, 1, 1), (3, 2, 2)]
    http = Played("healthy", admin=True)
    http.forbid("conf")
    assert set(http.observe("zookeeper_member").columns["group"]) == {None}


def test_a_server_that_does_not_tell_is_a_gap():
    played = Played("healthy")
    played.forbid("conf", server="zk-3")
    fact = played.observe("zookeeper_member")
    assert set(fact.columns["server"]) == {"zk-1", "zk-2"}
    assert [gap.keys for gap in fact.gaps] == [{"server": "zk-3"}]
