"""Has MirrorMaker copy smaller records only, and writes a larger one: a task of it fails and stays so (with dr)."""

from runbook.lab import connect, mirrors
from runbook.lab.content import write_records
from runbook.lab.state import LabState

SEEN_IN = "dr"

_TOPIC = "payments"
_SMALL = 2000  # bytes of a request; a connector has its producer's limit apart from what brokers take
_LARGE = "x" * 5000


def inject(lab: LabState) -> None:
    """Change the connector, write the record, and wait until the task that has to copy it fails."""
    there = mirrors.standby_of(lab)
    limited = mirrors.source(lab, **{"producer.override.max.request.size": str(_SMALL)})
    connect.change_connector(there, mirrors.SOURCE, limited)
    write_records(lab, _TOPIC, [_LARGE])
    connect.wait_for_state(there, mirrors.SOURCE, "FAILED", one=True)


def heal(lab: LabState) -> None:
    """Take the limit away and start what failed again: it goes on at that record."""
    mirrors.restore(lab)
