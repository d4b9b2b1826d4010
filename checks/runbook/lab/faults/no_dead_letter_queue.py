"""Takes the sink's queue for dead letters away: what it can't read is dropped without a word (with connect)."""

from runbook.lab import connect
from runbook.lab.state import LabState

SEEN_IN = "error-handling"


def inject(lab: LabState) -> None:
    """Change the connector's configuration."""
    settings = connect.shipments_sink(lab)
    kept = {name: value for name, value in settings.items() if not name.startswith(("errors.dead", "errors.log"))}
    connect.put_connector(lab, connect.SINK, kept)


def heal(lab: LabState) -> None:
    """Give it back."""
    connect.put_connector(lab, connect.SINK, connect.shipments_sink(lab))
