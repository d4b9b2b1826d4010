"""Three brokers in ZooKeeper mode: what is foretold of a loss is what then happens, partition by partition."""

from contextlib import AbstractContextManager
from pathlib import Path

from kafka_lab import LabState
from kafka_lab.parts.zookeeper import RELEASE
from support.evidence.expected import Expected
from support.evidence.labs import kafka_lab
from support.layouts import layouts, with_copies
from support.loss_scene import Loss, loss_scene

MADE = layouts(3)


def systems() -> dict[str, str]:
    """What such a lab runs."""
    return {"kafka": RELEASE.version}


def lacking() -> str:
    """Nothing but Java, which comes with the tests."""
    return ""


def lab(folder: Path) -> AbstractContextManager[LabState]:
    """Three brokers in three racks, and an ensemble that none of the losses touches."""
    return kafka_lab("zookeeper-layouts", folder, ["zookeeper"])


_MANY_THINGS_WRONG = Expected(
    fails={
        "any-one-broker-may-fail": "",
        "every-replica-is-in-sync": tuple(one.name for one in MADE if one.lagging),
        "topics-have-a-second-copy": with_copies(MADE, 1),
    },
    # What else is wrong with two dozen layouts is not what these scenes are about.
    others=("pass", "fail", "unknown", "not_applicable"),
)

LOSSES = (
    Loss(frozenset({1}), quorum="none"),
    Loss(frozenset({3}), quorum="none"),
    Loss(frozenset({2, 3}), quorum="none"),
    Loss(frozenset({2}), gone=frozenset({3}), quorum="none"),
    Loss(frozenset({1}), gone=frozenset({3}), frozen=True, quorum="none"),
)
SCENES = [loss_scene(loss, MADE, _MANY_THINGS_WRONG, __name__) for loss in LOSSES]
