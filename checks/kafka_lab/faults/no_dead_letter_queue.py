"""Takes the sink's queue for dead letters away: what it can't read is dropped without a word (with connect)."""

from collections.abc import Mapping

from kafka_lab import connect, connect_signs
from kafka_lab.state import LabState

SEEN_IN = "error-handling"


def inject(lab: LabState) -> None:
    """Change the connector's configuration, once no task goes on with the old one."""
    settings = connect.shipments_sink(lab)
    kept = {name: value for name, value in settings.items() if not name.startswith(("errors.dead", "errors.log"))}
    connect.change_connector(lab, connect.SINK, kept)


def heal(lab: LabState) -> None:
    """Give it back."""
    connect.put_connector(lab, connect.SINK, connect.shipments_sink(lab))


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the connector runs without one, as a worker says."""
    configured = connect_signs.configured(lab, connect.SINK)
    queue = configured.get("errors.deadletterqueue.topic.name", "")
    tolerant = configured.get("errors.tolerance") == "all"
    return {f"{connect.SINK} tolerates errors, and has no queue": tolerant and not queue}
