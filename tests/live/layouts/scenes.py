"""Four brokers in three racks: what is foretold of a loss is what then happens, partition by partition.

Each broker, a rack of two, and two brokers of two racks are lost in turn, with all in order and with a broker gone or
frozen before; and two controllers, so that nobody elects. The facts are from before the loss; what came of it was tried
by plain clients.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

from kafka_lab import LabState
from kafka_lab.jars import KAFKA_VERSION
from kafka_lab.parts import stretched
from support.evidence.expected import Expected
from support.evidence.labs import kafka_lab
from support.layouts import layouts, with_copies
from support.loss_scene import Loss, loss_scene

RACKS = ("rack-a", "rack-b", "rack-c", "rack-c")  # brokers 1, 2 and 3 are the controllers: any rack may go
MADE = layouts(len(RACKS))


def systems() -> dict[str, str]:
    """What such a lab runs."""
    return {"kafka": KAFKA_VERSION}


def lacking() -> str:
    """Nothing but Java, which comes with the tests."""
    return ""


@contextmanager
def lab(folder: Path) -> Iterator[LabState]:
    """Four brokers, placed otherwise than in two data centres."""
    with ExitStack() as stack:
        with patch.object(stretched, "RACKS", RACKS):
            made = stack.enter_context(kafka_lab("layouts", folder, ["stretched"]))
        yield made


_MANY_THINGS_WRONG = Expected(
    fails={
        "any-one-broker-may-fail": "",
        "any-one-rack-may-fail": "",
        "every-replica-is-in-sync": tuple(one.name for one in MADE if one.lagging),
        "replicas-are-on-three-brokers": with_copies(MADE, 2),
        "topics-have-a-second-copy": with_copies(MADE, 1),
    },
    undetermined=frozenset({"work-is-spread-evenly", "controllers-keep-up"}),  # which of the survivors leads is chance
    # What else is wrong with two dozen layouts is not what these scenes are about.
    others=("pass", "fail", "unknown", "not_applicable"),
)


LOSSES = (
    Loss(frozenset({1})),
    Loss(frozenset({2})),
    Loss(frozenset({3})),
    Loss(frozenset({4})),
    Loss(frozenset({3, 4})),
    Loss(frozenset({1, 4})),
    Loss(frozenset({1}), gone=frozenset({4})),
    Loss(frozenset({2}), gone=frozenset({4})),
    Loss(frozenset({1}), gone=frozenset({4}), frozen=True),
    Loss(frozenset({1, 2}), quorum="lost"),
)
SCENES = [loss_scene(loss, MADE, _MANY_THINGS_WRONG, __name__) for loss in LOSSES]
