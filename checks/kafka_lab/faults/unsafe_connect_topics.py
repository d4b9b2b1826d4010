"""Creates two internal topics of a second Connect cluster: one replica each, offsets not compacted (with connect)."""

from collections.abc import Mapping

from kafka_lab.admin import partitions, topic_setting
from kafka_lab.content import create_topics, delete_topics
from kafka_lab.state import LabState

SEEN_IN = "error-handling"

_TOPICS = {
    "old-connect-configs": (3, 1, {"cleanup.policy": "compact"}),
    "old-connect-offsets": (25, 1, {"cleanup.policy": "delete"}),
}


def inject(lab: LabState) -> None:
    """Create the topics."""
    create_topics(lab, _TOPICS)


def heal(lab: LabState) -> None:
    """Delete the topics."""
    delete_topics(lab, _TOPICS)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the topics are there, with the partitions, copies and settings they were given."""
    there = partitions(lab)
    claims = {}
    for topic, (count, copies, settings) in _TOPICS.items():
        held = [len(partition.replicas) for partition in there.get(topic, {}).values()]
        policy = topic_setting(lab, topic, "cleanup.policy")
        claims[f"{topic} has {count} partitions of {copies} replicas"] = held == [copies] * count
        claims[f"{topic} has cleanup.policy={settings['cleanup.policy']}"] = policy == settings["cleanup.policy"]
    return claims
