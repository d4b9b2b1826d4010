"""Facts computed from raw answers, by the code of today: the worker's own way, with a recording in place of systems."""

import io
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from runbook.answers.kafka import AnswerTimes
from runbook.evidence.bundle import Bundle, Kept
from runbook.model.ask import FactQuestion, ask
from runbook.model.block import FactRequest
from runbook.model.fact import Fact
from runbook.plugins.catalog import catalog
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
    """The facts of a run; those that no connection answered are as the run told them.

    Facts of probes that came later are among them, where all that they ask of Kubernetes was asked then.
    """
    there = {*catalog("probes").names()}  # one that was asked for then may be a part of another today
    facts: dict[FactQuestion, dict[str, Fact]] = {}
    missing: list[str] = []
    later: list[Kept] = []
    for recording in recordings:
        asks = {number: recording.header.asks[str(number)] for number in sorted(recording.answered)}
        found, lacking = _facts(recording, {number: one for number, one in asks.items() if one.probe in there})
        facts |= found
        missing += lacking
        later += _later(recording, asks)
    kept = [Kept(one.ask, facts.get(one.ask, one.facts)) for one in asked.kept if one.ask.probe in there]
    return Replayed(replace(asked, kept=kept + later), missing)


def _later(recording: Recording, asks: Mapping[int, FactQuestion]) -> Iterator[Kept]:
    """What probes that nobody asked for come to; a list of Kubernetes is the same, whoever asks for it.

    Of Kafka that is how quickly brokers answer: before that was timed over several requests, each was greeted.
    """
    kind = recording.header.connection
    if kind not in _LATER or not asks:
        return
    probes = {name: catalog("probes").load(name).PROBE for name in catalog("probes").names()}
    asked = {each.probe for each in asks.values()}
    requests = {request for name in asked & probes.keys() for request in probes[name].requests}
    for name, probe in probes.items():
        if (_LATER[kind] and name not in _LATER[kind]) or name in asked:
            continue
        if kind in probe.connections and requests.issuperset(probe.requests):
            number, other = next(iter(asks.items()))
            question = ask(other.environment, kind, FactRequest(name), {})
            found, lacking = _facts(recording, {number: question}, {f"collected {question}": f"collected {other}"})
            if not lacking:
                yield from (Kept(each, facts) for each, facts in found.items())


_LATER: Final[dict[str, tuple[str, ...]]] = {"kubernetes": (), "kafka": ("kafka_broker_latency",)}
"""Connection → the probes that are computed from what was asked for others; none are named where all are."""
_NOT_TIMED: Final = "kafka-python answer times"


class _Replay(Replay):
    """Tells of some moments what was told of others: nobody has looked at the clock for a probe that came later.

    Nor had anybody timed more answers of a broker than its greeting.
    """

    def __init__(self, recording: Recording, moments: Mapping[str, str]) -> None:
        super().__init__(recording.kept, recording.header.left)
        self._moments = moments

    def answer(self, name: str, arguments: Any, ask: Callable[[], Any], kind: Any) -> Any:
        if name == _NOT_TIMED and self._moments:
            return AnswerTimes([], 0)
        return super().answer(name, self._moments.get(arguments, arguments) if name == "now" else arguments, ask, kind)


def _facts(
    recording: Recording, asks: Mapping[int, FactQuestion], moments: Mapping[str, str] | None = None
) -> tuple[dict[FactQuestion, dict[str, Fact]], list[str]]:
    """What asks of one connection come to, and the questions that are not in the recording."""
    header = recording.header
    stream = io.BytesIO()
    outlet = Outlet(stream)
    outlet.redaction = stand_ins()
    tape = _Replay(recording, moments or {})
    replay_job(Job(header.connection, dict(header.settings), 0.0, dict(asks), whole=header.whole), outlet, tape)
    frames = [decoded(frame) for frame in _frames(stream.getvalue())]
    return {asks[frame.number]: frame.facts for frame in frames if frame.facts is not None}, tape.missing


def _frames(data: bytes) -> list[bytes]:
    frames, start = [], 0
    while start < len(data):
        (length,) = struct.unpack_from(">I", data, start)
        frames.append(data[start + 4 : start + 4 + length])
        start += 4 + length
    return frames
