"""Creates a topic at the primary that MirrorMaker is told to leave out, though it is meant to be copied (with dr)."""

from runbook.lab import connect, mirrors
from runbook.lab.content import create_topics, delete_topics, write_some
from runbook.lab.state import LabState

SEEN_IN = "dr"

_TOPIC = "refused-orders"


def inject(lab: LabState) -> None:
    """Change the connector, then create the topic."""
    left_out = ",".join((*mirrors.NO_TOPICS, "refused-.*"))
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
