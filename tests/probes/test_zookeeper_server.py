from support.zookeeper_servers import Played


def test_every_server_says_what_it_is():
    played = Played("healthy")
    rows = played.rows("zookeeper_server")
    assert sorted(row["state"] for row in rows.values()) == ["follower", "follower", "leader"]
    for name, row in rows.items():
        values = dict(line.partition(": ")[::2] for line in played.answers[name]["srvr"].splitlines())
        assert row["state"] == values["Mode"]
        latencies = f"{row['min_latency']}/{row['avg_latency']}/{row['max_latency']}"
        assert latencies == values["Latency min/avg/max"]
        for column, title in (("received", "Received"), ("outstanding", "Outstanding"), ("znodes", "Node count")):
            assert row[column] == int(values[title])
        assert (row["version"], row["connections"]) == ("3.8.4", int(values["Connections"]))


def test_one_that_does_not_answer_has_a_row_and_a_gap():
    fact = Played("server_stopped").observe("zookeeper_server")
    [gap] = fact.gaps
    assert gap.keys == {"server": "zk-2"}
    [row] = [row for row in fact.rows() if not row["answers"]]
    assert (row["server"], row["state"], row["znodes"]) == ("zk-2", None, None)


def test_one_that_serves_nobody_is_idle():
    rows = Played("ensemble_lost").rows("zookeeper_server")
    assert (rows["zk-1"]["answers"], rows["zk-1"]["state"], rows["zk-1"]["avg_latency"]) == (True, "idle", None)


def test_it_needs_no_word_but_the_one_that_is_allowed_by_default():
    played = Played("healthy")
    played.forbid("mntr", "conf", "cons")
    assert played.observe("zookeeper_server").complete


def test_racks_are_compared_only_where_all_are_said():
    played = Played("healthy")
    played.of_one["zk-1"] = {"rack": "a", "machine": "m1"}
    played.of_one["zk-2"] = {"rack": "a", "machine": "m2"}
    assert {row["rack_mates"] for row in played.rows("zookeeper_server").values() if not row["rack_mates"]} == {None}
    played.of_one["zk-3"] = {"rack": "c", "machine": "m2"}
    rows = played.rows("zookeeper_server")
    assert [row["rack_mates"] for row in rows.values()] == [["zk-2"], ["zk-1"], []]
    assert [row["machine_mates"] for row in rows.values()] == [[], ["zk-3"], ["zk-2"]]


def test_without_a_machine_the_host_is_it():
    rows = Played("healthy").rows("zookeeper_server")
    assert rows["zk-1"]["machine_mates"] == ["zk-2", "zk-3"]
