"""Has MirrorMaker copy smaller records only, and writes a larger one: a task of it fails and stays so (with dr)."""

from collections.abc import Mapping

from kafka_lab import connect, mirrors
from kafka_lab.content import write_records
from kafka_lab.state import LabState

SEEN_IN = "dr"

_TOPIC = "payments"
_LIMIT = "producer.override.max.request.size"
_SMALL = 2000  # bytes of a request; a connector has its producer's limit apart from what brokers take
_LARGE = "x" * 5000


def inject(lab: LabState) -> None:
    """Change the connector, write the record, and wait until the task that has to copy it fails."""
    there = mirrors.standby_of(lab)
    limited = mirrors.source(lab, **{_LIMIT: str(_SMALL)})
    connect.change_connector(there, mirrors.SOURCE, limited)
    write_records(lab, _TOPIC, [_LARGE])
    connect.wait_for_state(there, mirrors.SOURCE, "FAILED", one=True)


def heal(lab: LabState) -> None:
    """Take the limit away and start what failed again: it goes on at that record."""
    mirrors.restore(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether a task has failed, the limit is in its connector's configuration, and the standby lacks the record."""
    there = mirrors.standby_of(lab)
    return {
        f"a task of {mirrors.SOURCE} has failed": "FAILED" in connect.states(there, mirrors.SOURCE),
        f"{mirrors.SOURCE} has {_LIMIT}={_SMALL}": connect.configuration(there, mirrors.SOURCE).get(_LIMIT)
        == str(_SMALL),
        f"the newest record of {_TOPIC} is not at the standby": mirrors.behind(lab, _TOPIC) > 0,
    }
