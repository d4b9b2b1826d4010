"""Creates three bad topics: audit (one replica), invoices (min ISR = RF), sessions (min ISR 1, unclean elections)."""

from collections.abc import Mapping

from kafka_lab.admin import partitions, topic_setting
from kafka_lab.content import create_topics, delete_topics
from kafka_lab.state import LabState

_TOPICS = {
    "audit": (3, 1, {"min.insync.replicas": "1"}),
    "invoices": (3, 3, {"min.insync.replicas": "3"}),
    "sessions": (3, 3, {"min.insync.replicas": "1", "unclean.leader.election.enable": "true"}),
}


def inject(lab: LabState) -> None:
    """Create the topics."""
    create_topics(lab, _TOPICS)


def heal(lab: LabState) -> None:
    """Delete the topics."""
    delete_topics(lab, _TOPICS)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the topics are there, with the copies and settings they were given."""
    there = partitions(lab)
    claims = {}
    for topic, (_, copies, settings) in _TOPICS.items():
        held = {len(partition.replicas) for partition in there.get(topic, {}).values()}
        claims[f"{topic} has {copies} replicas"] = held == {copies}
        for key, value in settings.items():
            claims[f"{topic} has {key}={value}"] = bool(held) and topic_setting(lab, topic, key) == value
    return claims
