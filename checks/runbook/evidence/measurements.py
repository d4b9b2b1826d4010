"""The file of one measurement: a line of JSON with its link of the chain, so that a change to it is noticed."""

import msgspec

from runbook.evidence.chain import START, chained, hashed, taken_apart
from runbook.model.measurement import Measurement

SUFFIX = ".measurement.json"


def kept(measurement: Measurement) -> bytes:
    """What is written."""
    return b"".join(chained([msgspec.to_builtins(measurement)])) + b"\n"


def read_kept(content: bytes) -> Measurement:
    """What was measured.

    Raises:
        ValueError: it is not as it was written.
    """
    taken = taken_apart(content.removesuffix(b"\n"))
    if taken is None or hashed(START.encode(), taken.body) != taken.link:
        raise ValueError("it was changed after it was written, or is no measurement")
    return msgspec.json.decode(taken.body, type=Measurement)
