"""Readers of committed records before open transactions: what lies between the two decides, and is not to be seen."""

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import kafka_lab as labs
from kafka_lab import LabState
from kafka_lab.admin import END, settings
from kafka_lab.breaking import in_force
from kafka_lab.parts import groups
from kafka_lab.state import known
from support.evidence.expected import Expected
from support.evidence.fault import inventory_of
from support.evidence.scene import State, scene

_MARKER: Final = 0
"""The partition in which one marker lies between the group and the transaction that is open."""
_ABORTED: Final = 1
"""In this one an aborted transaction does: nothing that a reader would see."""
_POISON: Final = 2
"""In this one a record does that the reader fails at, and good ones."""
_SHOWS: Final = 35.0
_FEW: Final = 30
_CAUGHT_UP: Final = 15
_TRIES: Final = 500
_STANDS: Final = "no-group-stands-still"
_ALWAYS: Final = {"new-groups-have-time-to-gather": ""}
# The others that read parcels read committed records too, or not: their clients' defaults, which brokers don't tell.
_HELD: Final = Expected(
    fails=_ALWAYS
    | {
        _STANDS: (groups.ARCHIVE, "held at offset", "stuck or held at offset"),
        "no-transaction-stays-open": "open at offset",
    },
    only={
        _STANDS: {"partition": frozenset({_MARKER, _ABORTED, _POISON})},
        "no-transaction-stays-open": {"topic": frozenset({groups.TOPIC}), "partition": frozenset({0, 1, 2})},
    },
)
_STUCK: Final = Expected(
    fails=_ALWAYS | {_STANDS: (groups.ARCHIVE, "stuck at offset")},
    only={_STANDS: {"group": frozenset({groups.ARCHIVE}), "partition": frozenset({_POISON})}},
)


@scene({"open": {"consumers": _HELD}, "ended": {"consumers": _STUCK}}, faults=("stuck-reader",))
def before_open_transactions(lab: LabState, folder: Path) -> Iterator[State]:
    """Three partitions in which a transaction is open and the reader stands before it; then only a record holds it."""
    del folder
    name, home = lab.name, Path(lab.folder).parent
    labs.break_(name, "stuck-reader", home=home)
    try:
        with ExitStack() as open_ones:
            begins = {
                number: open_ones.enter_context(_open(lab, number, commits=number != _ABORTED))
                for number in (_MARKER, _ABORTED, _POISON)
            }
            since = time.time()

            def held() -> Mapping[str, bool]:
                places, ends = groups.places(lab), groups.bounds(lab, END)
                return {
                    "one marker lies before the first": places.get(_MARKER) == begins[_MARKER] - 1,
                    "more lies before the second": places.get(_ABORTED, 0) < begins[_ABORTED] - 1,
                    "a record lies before the third": places.get(_POISON, 0) < begins[_POISON] - _FEW,
                    "more was written behind them": all(ends[at] > begin + _FEW for at, begin in begins.items()),
                    f"they were begun {_SHOWS:.0f} s ago": time.time() > since + _SHOWS,
                }

            yield State("open", inventory_of(lab), held)
        yield State("ended", inventory_of(lab), lambda: {**in_force(known(name, home), "stuck-reader"), **_read(lab)})
    finally:
        labs.heal(name, home=home)


def _read(lab: LabState) -> Mapping[str, bool]:
    lags = groups.lags(lab)
    return {"all but what stands at the record is read": max(lags[at] for at in lags if at != _POISON) < _CAUGHT_UP}


@contextmanager
def _open(lab: LabState, partition: int, *, commits: bool) -> Iterator[int]:
    """A transaction that stays open right behind the end of another: gives the offset at which it begins.

    Others write there, too: it is tried until none of their records lies between the two.
    """
    from confluent_kafka import Producer

    own = {"transactional.id": f"behind-{partition}", "transaction.timeout.ms": 900_000, "linger.ms": 0}
    producer = Producer(settings(lab) | own)
    producer.init_transactions(30)
    written: list[int] = []

    def noted(_: object, record: Any) -> None:
        written.append(int(record.offset()))

    for _ in range(_TRIES):
        producer.begin_transaction()
        producer.produce(groups.TOPIC, value=b"7", partition=partition, on_delivery=noted)
        producer.flush(30)
        if len(written) > 1 and written[-1] == written[-2] + 2:
            break
        (producer.commit_transaction if commits else producer.abort_transaction)(30)
    yield written[-1]
    producer.abort_transaction(30)


SCENES = [before_open_transactions]
