"""Three brokers whose GC logs are read as files: what gc.md says when the heap of one hardly holds it."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

import kafka_lab as labs
from kafka_lab import LabState
from kafka_lab.breaking import in_force
from kafka_lab.jars import KAFKA_VERSION
from kafka_lab.state import known
from runbook.model.result import Outcome
from support.busy_machine import LENGTHS_OF_PAUSES
from support.evidence.expected import Expected
from support.evidence.fault import inventory_of, none_of
from support.evidence.labs import kafka_lab
from support.evidence.scene import Claims, State, scene

_FORCED: Final = "Pause Full (Allocation Failure)"  # for want of heap; others grow the room for classes
_ANY: Final = tuple(Outcome)


def systems() -> dict[str, str]:
    """What such a lab runs."""
    return {"kafka": KAFKA_VERSION}


def lacking() -> str:
    """Nothing but Java, which comes with the tests."""
    return ""


def lab(folder: Path) -> AbstractContextManager[LabState]:
    """Three brokers that log their collections, as those of every lab do."""
    return kafka_lab("files", folder, ["files"])


# How much pauses cost is chance; these are not.
_WELL = Expected(
    passes=frozenset(
        {
            "full-collections-do-not-happen",
            "collections-find-room",
            "gc-logs-are-being-written",
            "pauses-stay-below-the-session-timeout",
        }
    ),
    undetermined=LENGTHS_OF_PAUSES,
    others=_ANY,
)
_FULL = Expected(
    fails={"full-collections-do-not-happen": ("'broker': 3", "Full GCs for lack of heap")},
    only={"full-collections-do-not-happen": {"broker": "{STOPPED}"}},
    passes=frozenset({"gc-logs-are-being-written"}),
    undetermined=LENGTHS_OF_PAUSES,
    others=_ANY,
)


@scene({"before": {"gc": _WELL}, "during": {"gc": _FULL}, "after": {"gc": _FULL}}, faults=("tiny-heap",))
def tiny_heap(lab: LabState, folder: Path) -> Iterator[State]:
    """Broker 3 stops for want of heap. What its log says of that stays true for a day, also once it is healed."""
    del folder
    name, home = lab.name, Path(lab.folder).parent

    def claims() -> Mapping[str, bool]:
        return in_force(known(name, home), "tiny-heap")

    yield State("before", inventory_of(lab), _and_stopped(lab, none_of(claims), []))
    labs.break_(name, "tiny-heap", home=home)
    try:
        yield _state("during", lab, claims)
    finally:
        labs.heal(name, home=home)
    yield _state("after", lab, none_of(claims))


def _state(name: str, lab: LabState, claims: Claims) -> State:
    stopped = _stopped(lab)
    words = {"STOPPED": ",".join(map(str, stopped))}
    return State(name, inventory_of(lab), _and_stopped(lab, claims, stopped), words=words)


def _and_stopped(lab: LabState, claims: Claims, numbers: list[int]) -> Claims:
    """On a busy machine another broker may really stop for want of heap too: then its own log says so."""
    what = f"the brokers that stopped for want of heap, by their logs, are {numbers}"
    return lambda: {**claims(), what: _stopped(lab) == numbers}


def _stopped(lab: LabState) -> list[int]:
    """The brokers whose logs, older ones too, tell of a full collection for want of heap."""
    logs = {broker.number: lab.gc_log_of(broker) for broker in lab.brokers}
    return [
        number
        for number, log in sorted(logs.items())
        if any(_FORCED in file.read_text("latin-1") for file in log.parent.glob(f"{log.name}*"))
    ]
