"""Four brokers in three racks: what is foretold of a loss is what then happens, partition by partition.

Each broker, and a rack of two, is lost in turn, with all in order and with a broker gone before. The facts are from
before the loss; what came of it was tried by plain clients.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from live.layouts.forecast import otherwise
from runbook import lab as labs
from runbook.lab import LabState
from runbook.lab.jars import KAFKA_VERSION
from runbook.lab.parts import stretched
from runbook.lab.recovery import revive
from runbook.lab.signs import losses
from runbook.lab.state import known
from runbook.lab.waiting import wait_for_brokers
from support import layouts, losses_tried
from support.evidence.expected import Expected
from support.evidence.labs import kafka_lab
from support.evidence.scene import Scene, State, scene

RACKS = ("rack-a", "rack-b", "rack-c", "rack-c")  # brokers 1, 2 and 3 are the controllers: any rack may go
MADE = layouts.layouts()


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


def with_copies(most: int) -> tuple[str, ...]:
    """The topics that have at most so many copies."""
    return tuple(one.name for one in MADE if max(map(len, one.replicas.values())) <= most)


_MANY_THINGS_WRONG = Expected(
    fails={
        "any-one-broker-may-fail": "",
        "any-one-rack-may-fail": "",
        "every-replica-is-in-sync": tuple(one.name for one in MADE if one.lagging),
        "replicas-are-on-three-brokers": with_copies(2),
        "topics-have-a-second-copy": with_copies(1),
    },
    undetermined=frozenset({"work-is-spread-evenly", "controllers-keep-up"}),  # which of the survivors leads is chance
    # What else is wrong with two dozen layouts is not what these scenes are about.
    others=("pass", "fail", "unknown", "not_applicable"),
)


def _loss(gone: set[int], lost: set[int]) -> Scene:
    """The scene of a loss.

    Args:
        gone: the brokers that are gone before the look.
        lost: those that are lost after it.
    """
    title = "lose-" + "-".join(map(str, sorted(lost))) + "".join(f"-after-{one}" for one in sorted(gone))
    forecasts = {"before": partial(otherwise, lost)}

    @scene({"before": {"ha": _MANY_THINGS_WRONG}}, forecasts=forecasts)
    def play(lab: LabState, folder: Path) -> Iterator[State]:
        del folder
        home = Path(lab.folder).parent
        lab = known(lab.name, home)  # its brokers may have other processes than when it started
        everywhere = layouts.places(MADE)
        safe: losses_tried.Records = {}

        def claims() -> Mapping[str, bool]:
            now = layouts.in_sync(lab)
            return {
                **losses(lab, gone),
                **{
                    f"broker {one.number} runs": one.condition == "alive"
                    for one in lab.brokers
                    if one.number not in gone
                },
                **layouts.whole(now, MADE, gone),
                "nothing has changed since all was still": now == still,
            }

        def aftermath() -> dict[str, Any]:
            losses_tried.kill(lab, lost)
            shown = dict(losses(lab, gone | lost))
            came = losses_tried.tried(lab, everywhere, safe)
            revive(lab, gone | lost)
            wait_for_brokers(lab, within=120)
            layouts.settle(lab, MADE, set())
            back = losses_tried.missing(losses_tried.read(lab, everywhere), safe)
            return {"lost": shown, "partitions": came, "gave records up": [f"{one}/{at}" for one, at in sorted(back)]}

        try:
            layouts.create(lab, MADE)
            layouts.settle(lab, MADE, set())
            losses_tried.write(lab, everywhere, safe)
            if gone:
                layouts.settle(lab, MADE, set())
                losses_tried.kill(lab, gone)
                layouts.settle(lab, MADE, gone)
                layouts.forget_what_was_given_up(lab, safe)
                losses_tried.write(lab, everywhere, safe)
            still = layouts.settle(lab, MADE, gone)
            inventory = {"environments": {lab.name: {"kafka": {"bootstrap.servers": lab.bootstrap}}}}
            yield State("before", inventory, claims, aftermath=aftermath)
        finally:
            revive(lab, gone | lost)
            wait_for_brokers(lab)
            layouts.delete(lab, MADE)  # first: copies that lag for good would be waited for
            labs.heal(lab.name, home=home)

    return Scene(title, play.module, play.play, play.expected, play.faults, play.forecasts)


SCENES = [
    _loss(set(), {1}),
    _loss(set(), {2}),
    _loss(set(), {3}),
    _loss(set(), {4}),
    _loss(set(), {3, 4}),
    _loss({4}, {1}),
    _loss({4}, {2}),
]
