"""Creates a topic at the primary that MirrorMaker is told to leave out, though it is meant to be copied (with dr)."""

from collections.abc import Mapping

from kafka_lab import connect, mirrors
from kafka_lab.admin import end_offsets, partitions
from kafka_lab.content import create_topics, delete_topics, write_some
from kafka_lab.state import LabState

SEEN_IN = "dr"

_TOPIC, _PATTERN = "refused-orders", "refused-.*"


def inject(lab: LabState) -> None:
    """Change the connector, then create the topic."""
    left_out = ",".join((*mirrors.NO_TOPICS, _PATTERN))
    connect.change_connector(
        mirrors.standby_of(lab), mirrors.SOURCE, mirrors.source(lab, **{"topics.exclude": left_out})
    )
    create_topics(lab, {_TOPIC: (3, 3, {"min.insync.replicas": "2"})})
    write_some(lab, _TOPIC)


def heal(lab: LabState) -> None:
    """Delete the topic, then give the connector its configuration back."""
    delete_topics(lab, [_TOPIC])
    mirrors.restore(lab)
    delete_topics(mirrors.standby_of(lab), [mirrors.remote(_TOPIC)])


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the topic has records at the primary and no copy at the standby, whose flow leaves it out."""
    there = mirrors.standby_of(lab)
    left_out = connect.configuration(there, mirrors.SOURCE).get("topics.exclude", "").split(",")
    is_here = _TOPIC in partitions(lab)
    return {
        f"{mirrors.SOURCE} leaves out {_PATTERN}": _PATTERN in left_out,
        f"{_TOPIC} has records": is_here and end_offsets(lab, _TOPIC) > 0,
        f"{_TOPIC} is not at the standby": is_here and mirrors.remote(_TOPIC) not in partitions(there),
    }
