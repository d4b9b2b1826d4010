from support.recorded_hosts import look, recorded


def printed(local: str, *peers: tuple[str, float]) -> dict[str, str]:
    """What a host prints of connections from this address to others, with the least round-trip of each in ms."""
    lines = [f"0 0 {local}:9092 {peer}:50000\n\t cubic rtt:{ms * 2}/1 ato:40 minrtt:{ms}\n" for peer, ms in peers]
    return {"round-trips": "".join(lines)}


def test_the_least_of_the_connections_between_two_hosts_is_told_of_each_side():
    hosts = recorded(
        {
            "kafka-1": printed("10.0.1.1", ("10.0.2.1", 8.5), ("10.0.2.1", 7.5), ("10.0.2.1", 9.5)),
            "kafka-2": printed("10.0.2.1", ("10.0.1.1", 7.0)),
        },
        kafka_1={"broker": 1},
        kafka_2={"broker": 2},
    )
    rows = {row["host"]: row for row in look("host_round_trip", hosts).rows()}
    assert rows["kafka-1"] == {
        "host": "kafka-1",
        "peer": "kafka-2",
        "brokers": [1],
        "peer_brokers": [2],
        "connections": 3,
        "least_ms": 7.5,
        "smoothed_ms": 17.0,
    }
    assert (rows["kafka-2"]["peer"], rows["kafka-2"]["least_ms"]) == ("kafka-1", 7.0)


def test_addresses_of_others_are_not_kept():
    client = "192.0.2.7"
    hosts = recorded({"kafka-1": printed("10.0.1.1", (client, 40.0)), "kafka-2": printed("10.0.2.1", (client, 1.0))})
    fact = look("host_round_trip", hosts)
    assert (len(fact), fact.complete, client in repr(fact)) == (0, True, False)


def test_an_answer_that_is_not_understood_is_a_gap_and_the_others_are_told():
    hosts = recorded(
        {
            "kafka-1": printed("10.0.1.1", ("10.0.2.1", 3.0)),
            "kafka-2": printed("10.0.2.1", ("10.0.1.1", 3.0)),
            "kafka-3": {"round-trips": "Netid State\n"},
        }
    )
    fact = look("host_round_trip", hosts)
    assert {row["host"] for row in fact.rows()} == {"kafka-1", "kafka-2"}
    assert [gap.keys for gap in fact.gaps] == [{"host": "kafka-3"}]
