"""Has MirrorMaker copy the changelog of a Kafka Streams application, which would start from it (with dr)."""

from collections.abc import Mapping

from kafka_lab import connect, mirrors
from kafka_lab.admin import partitions
from kafka_lab.content import delete_topics
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

SEEN_IN = "dr"

_WITHIN = 180.0


def inject(lab: LabState) -> None:
    """Change what is left out, and wait until the changelog has come to the standby."""
    there = mirrors.standby_of(lab)
    left_out = ",".join(topic for topic in mirrors.NO_TOPICS if "changelog" not in topic)
    connect.change_connector(there, mirrors.SOURCE, mirrors.source(lab, **{"topics.exclude": left_out}))
    what = "the changelog to come to the standby"
    wait_until(lambda: mirrors.remote(mirrors.CHANGELOG) in partitions(there), what, within=_WITHIN)


def heal(lab: LabState) -> None:
    """Give the connector its configuration back, and delete the copy."""
    mirrors.restore(lab)
    delete_topics(mirrors.standby_of(lab), [mirrors.remote(mirrors.CHANGELOG)])


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the flow leaves out no changelogs, and the copy of one is at the standby."""
    there = mirrors.standby_of(lab)
    left_out = connect.configuration(there, mirrors.SOURCE)["topics.exclude"]
    return {
        f"{mirrors.SOURCE} takes changelogs": "changelog" not in left_out,
        f"{mirrors.CHANGELOG} is at the standby": mirrors.remote(mirrors.CHANGELOG) in partitions(there),
    }
