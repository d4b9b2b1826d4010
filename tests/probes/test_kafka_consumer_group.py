from typing import Any


def test_a_group_tells_its_state(healthy: Any):
    fact = healthy.observe("kafka_consumer_group")
    assert fact.complete
    [row] = fact.rows()
    assert (row["group"], row["state"], row["type"], row["members"]) == ("billing", "empty", "classic", 0)
    assert row["coordinator"] in {1, 2, 3}


def test_a_dead_broker_hides_no_group_once_others_lead_the_offsets_topic(broker_stopped: Any):
    fact = broker_stopped.observe("kafka_consumer_group")
    assert fact.complete
    assert fact.columns["group"] == ["billing"]


def test_a_silent_coordinator_is_a_gap(broker_stopped: Any):
    broker_stopped.recording["topics"]["__consumer_offsets"][0][1] = 3
    assert [gap.keys for gap in broker_stopped.observe("kafka_consumer_group").gaps] == [{"broker": 3}]


def test_a_coordinator_that_is_nowhere_is_a_gap(healthy: Any):
    healthy.recording["topics"]["__consumer_offsets"][2][1] = -1
    [gap] = healthy.observe("kafka_consumer_group").gaps
    assert "__consumer_offsets-2 has no leader" in gap.reason


def test_a_group_that_can_not_be_described_stays_as_it_was_listed(healthy: Any):
    healthy.recording["groups"] = {}
    [row] = healthy.observe("kafka_consumer_group").rows()
    assert (row["group"], row["state"], row["members"], row["protocol"]) == ("billing", "empty", None, None)


def test_a_list_without_proof_of_right_is_not_complete(play: Any):
    played = play("healthy")
    for answer in played.recording["answers"]:
        if answer["request"] == "DescribeCluster":
            answer["bytes"] = without_rights(answer)
    played.admin.unknown_group = "GROUP_AUTHORIZATION_FAILED"
    [gap] = played.observe("kafka_consumer_group").gaps
    assert gap.reason == "groups may be hidden from us: we have Describe neither on the cluster nor on all groups"


def without_rights(answer: dict[str, str]) -> str:
    from kafka.protocol.admin import DescribeClusterResponse

    response = DescribeClusterResponse.decode(bytes.fromhex(answer["bytes"]), version=answer["version"])
    response.authorized_operations = set()
    return bytes(response.encode()).hex()
