"""Facts computed from raw answers, by the code of today: the worker's own way, with a recording in place of systems."""

import io
import struct
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from runbook.evidence.bundle import Bundle, Kept
from runbook.model.ask import FactQuestion
from runbook.model.fact import Fact
from runbook.recording.secrets import stand_ins
from runbook.recording.tape import Recording, Replay
from runbook.run.collection.worker import Job, Outlet, decoded, replay_job


class Replayed(Struct):
    """A bundle with all its facts.

    Attributes:
        bundle: that.
        missing: questions that are put today and were not put when the recording was made.
    """

    bundle: Bundle
    missing: list[str]


def replayed(asked: Bundle, recordings: Sequence[Recording]) -> Replayed:
    """The facts of a run; those that no connection answered are as the run told them."""
    facts: dict[FactQuestion, dict[str, Fact]] = {}
    missing: list[str] = []
    for recording in recordings:
        found, lacking = _facts(recording)
        facts |= found
        missing += lacking
    kept = [Kept(one.ask, facts.get(one.ask, one.facts)) for one in asked.kept]
    return Replayed(replace(asked, kept=kept), missing)


def _facts(recording: Recording) -> tuple[dict[FactQuestion, dict[str, Fact]], list[str]]:
    """What the asks of one connection come to, and the questions that are not in the recording."""
    header = recording.header
    asks = {number: header.asks[str(number)] for number in sorted(recording.answered)}
    stream = io.BytesIO()
    outlet = Outlet(stream)
    outlet.redaction = stand_ins()
    tape = Replay(recording.kept, header.left)
    replay_job(Job(header.connection, dict(header.settings), 0.0, asks, whole=header.whole), outlet, tape)
    frames = [decoded(frame) for frame in _frames(stream.getvalue())]
    return {asks[frame.number]: frame.facts for frame in frames if frame.facts is not None}, tape.missing


def _frames(data: bytes) -> list[bytes]:
    frames, start = [], 0
    while start < len(data):
        (length,) = struct.unpack_from(">I", data, start)
        frames.append(data[start + 4 : start + 4 + length])
        start += 4 + length
    return frames
