from collections.abc import Callable
from typing import Any

from probes.groups_played import ARCHIVE, member, topic_partition

Play = Callable[[str], Any]


def test_members_are_told_with_what_they_read(play: Play):
    played = play("offsets")
    held = [topic_partition("shipments", 2), topic_partition("shipments", 0), topic_partition("refunds", 0)]
    played.recording["groups"][ARCHIVE][4] = [member("reads", *held, instance="pod-0"), member("waits")]
    fact = played.observe("kafka_group_member")
    reads, waits = fact.rows()
    assert reads == {
        "group": ARCHIVE,
        "member": "reads-id",
        "client": "reads",
        "host": "10.0.0.7",
        "instance": "pod-0",
        "partitions": 3,
        "topics": ["refunds", "shipments"],
        "type": "classic",
        "state": "stable",
    }
    assert (waits["member"], waits["partitions"], waits["topics"], waits["instance"]) == ("waits-id", 0, [], "")
    assert fact.complete


def test_a_consumer_group_whose_members_are_not_told_is_a_gap(play: Play):
    played = play("offsets")
    del played.recording["groups"][ARCHIVE]
    fact = played.observe("kafka_group_member")
    assert [gap.keys for gap in fact.gaps] == [{"group": ARCHIVE}]
