"""What a controller keeps of its quorum beside the log of the metadata."""

import json
from pathlib import Path

from kafka_lab.waiting import wait_until

_RESIGNS_WITHIN = 60.0  # seconds; 1.5 of controller.quorum.fetch.timeout.ms, 3 by default, and a busy machine


def led_last(metadata: Path) -> int:
    """The node of which a controller knows that it led the quorum last, or -1, by the folder of its metadata."""
    return int(json.loads((metadata / "__cluster_metadata-0" / "quorum-state").read_bytes())["leaderId"])


def wait_until_it_resigns(metadata: Path, number: int) -> None:
    """Wait until a controller leads no more that has lost the others: for some seconds it answers as if it did."""
    wait_until(lambda: led_last(metadata) != number, "the controller that is left to resign", within=_RESIGNS_WITHIN)
