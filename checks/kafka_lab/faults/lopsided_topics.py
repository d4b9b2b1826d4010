"""Creates two topics that a second data centre does not protect: all they need is in east (with stretched)."""

from collections.abc import Mapping

from kafka_lab.admin import kafka_python, partitions, topic_setting
from kafka_lab.content import delete_topics
from kafka_lab.parts.stretched import require
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until_all_see

SEEN_IN = "topologies"
_NEEDED = "min.insync.replicas"
_WITHIN = 30.0


def inject(lab: LabState) -> None:
    """Create them: replicas are named, as no placement of Kafka's own would do this."""
    from kafka.admin import NewTopic

    require(lab)
    topics = [
        NewTopic(name, replica_assignments={0: replicas}, topic_configs={_NEEDED: needed})
        for name, (replicas, needed) in _topics(lab).items()
    ]
    with kafka_python(lab) as admin:
        admin.create_topics(topics)
    wait_until_all_see(lab, lambda seen: set(_topics(lab)) <= set(seen.topics), "the new topics", within=_WITHIN)


def heal(lab: LabState) -> None:
    """Delete them."""
    delete_topics(lab, _topics(lab))


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the topics are there, with the replicas and the setting that they were given."""
    there = partitions(lab)
    claims = {}
    for topic, (replicas, needed) in _topics(lab).items():
        held = [partition.replicas for partition in there.get(topic, {}).values()]
        claims[f"{topic} is held by brokers {replicas}"] = held == [replicas]
        claims[f"{topic} has {_NEEDED}={needed}"] = bool(held) and topic_setting(lab, topic, _NEEDED) == needed
    return claims


def _topics(lab: LabState) -> dict[str, tuple[list[int], str]]:
    """The topics: their replicas, and how many of them a write needs."""
    east = [broker.number for broker in lab.brokers if broker.rack.startswith("east-")]
    west = [broker.number for broker in lab.brokers if broker.rack.startswith("west-")]
    return {"east-only": (east, "2"), "acknowledged-in-east": ([*east, *west], "2")}
