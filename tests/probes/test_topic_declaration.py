from typing import Any

import pytest

from support.strimzi_played import KAFKAS, TOPICS, platform


def topic(**changed: Any) -> dict[str, Any]:
    """The row of `orders`, parts of its `spec` set."""
    played = platform()
    played.item(TOPICS, "orders")["spec"] |= changed
    return played.row("topic_declaration", resource="orders")


def test_a_topic_tells_what_it_asks_for():
    row = topic(partitions=7, replicas=5, config={"min.insync.replicas": 4})
    assert (row["topic"], row["kafka"], row["version"]) == ("orders", "orders", "v1")
    assert (row["partitions"], row["replicas"], row["min_insync"], row["why"]) == (7, 5, 4, "")
    assert (row["managed"], row["unclean_election"]) == (True, False)


def test_what_it_leaves_out_is_what_its_cluster_says():
    played = platform()
    config = played.item(KAFKAS, "orders")["spec"]["kafka"]["config"]
    config |= {"default.replication.factor": 6, "min.insync.replicas": 5}
    row = played.row("topic_declaration", resource="clicks")
    assert (row["topic"], row["replicas"], row["min_insync"]) == ("web.clicks", 6, 5)
    played = platform()
    played.item(KAFKAS, "orders")["spec"]["kafka"]["config"] = {}
    row = played.row("topic_declaration", resource="clicks")
    assert (row["replicas"], row["min_insync"]) == (1, 1)


def test_without_its_cluster_a_default_is_not_known():
    played = platform()
    played.items(KAFKAS).clear()
    row = played.row("topic_declaration", resource="clicks")
    assert (row["replicas"], row["min_insync"]) == (None, None)
    assert "no Kafka resource orders" in row["why"]
    row = played.row("topic_declaration", resource="orders")
    assert (row["replicas"], row["min_insync"]) == (3, None)
    assert row["why"]


def test_one_that_says_all_needs_no_cluster():
    played = platform()
    played.items(KAFKAS).clear()
    played.item(TOPICS, "orders")["spec"]["config"] = {"min.insync.replicas": "2"}
    row = played.row("topic_declaration", resource="orders")
    assert (row["replicas"], row["min_insync"], row["why"]) == (3, 2, "")


@pytest.mark.parametrize("written", ["true", True])
def test_unclean_elections_are_told(written: Any):
    assert topic(config={"unclean.leader.election.enable": written})["unclean_election"]


def test_a_topic_may_be_left_alone():
    played = platform()
    played.item(TOPICS, "orders")["metadata"]["annotations"] = {"strimzi.io/managed": "false"}
    assert not played.row("topic_declaration", resource="orders")["managed"]


def test_without_its_definition_the_question_has_no_meaning():
    played = platform()
    del played.answers[TOPICS]
    assert "no kafkatopics.kafka.strimzi.io" in played.observe("topic_declaration").inapplicable
