"""Scenes of losses: topics of every layout, what is foretold of them, and what plain clients then meet."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import kafka_lab as labs
from kafka_lab import LabState
from kafka_lab.admin import live_brokers
from kafka_lab.recovery import revive
from kafka_lab.signs import losses, refuses
from kafka_lab.state import known
from kafka_lab.waiting import wait_for_brokers
from support import layouts, losses_tried
from support.evidence.expected import Expected
from support.evidence.scene import Scene, State, scene
from support.layouts import Layout
from support.loss_foretold import otherwise


class Loss(NamedTuple):
    """A loss to be tried.

    Attributes:
        lost: the brokers that are lost after the look.
        gone: those that are gone before it.
        frozen: whether these are frozen; otherwise they are killed.
        quorum: what becomes of the controllers' majority, as what-if has it.
    """

    lost: frozenset[int]
    gone: frozenset[int] = frozenset()
    frozen: bool = False
    quorum: str = "survives"

    @property
    def name(self) -> str:
        """Such as lose-1-after-4."""
        before = "-with-frozen-" if self.frozen else "-after-"
        return (
            "lose-"
            + "-".join(map(str, sorted(self.lost)))
            + "".join(f"{before}{number}" for number in sorted(self.gone))
        )


def loss_scene(loss: Loss, made: Sequence[Layout], expected: Expected, module: str) -> Scene:
    """The scene of a loss.

    Args:
        loss: what is lost.
        made: the topics.
        expected: what is found before.
        module: where the scene is defined.
    """
    lost, gone, frozen, elects = loss.lost, loss.gone, loss.frozen, loss.quorum != "lost"

    @scene({"before": {"ha": expected}}, forecasts={"before": partial(otherwise, lost, loss.quorum)})
    def play(lab: LabState, folder: Path) -> Iterator[State]:
        del folder
        home = Path(lab.folder).parent
        lab = known(lab.name, home)  # its brokers may have other processes than when it started
        everywhere = layouts.places(made)
        safe: losses_tried.Records = {}

        def claims() -> Mapping[str, bool]:
            now = layouts.in_sync(lab)
            return {
                **_gone(lab, gone, frozen=frozen),
                **{
                    f"broker {broker.number} runs": broker.condition == "alive"
                    for broker in lab.brokers
                    if broker.number not in gone
                },
                **layouts.whole(now, made, gone),
                "nothing has changed since all was still": now == still,
            }

        def aftermath() -> dict[str, Any]:
            seen = {place: values for place, values in losses_tried.read(lab, everywhere).items() if values}
            of_one = seen | losses_tried.lose(lab, lost, everywhere, elects=elects)
            shown = {**_gone(lab, gone, frozen=frozen), **_lost(lab, lost, elects=elects)}
            came = losses_tried.tried(lab, everywhere, safe, of_one)
            revive(lab, gone | lost)
            wait_for_brokers(lab, within=120)
            layouts.settle(lab, made, set())
            back = losses_tried.read(lab, everywhere)
            return {
                "lost": shown,
                "partitions": came,
                "gave records up": layouts.named(losses_tried.missing(back, safe)),
                "gave up what one acknowledged": layouts.named(losses_tried.missing(back, of_one)),
            }

        try:
            layouts.create(lab, made)
            layouts.settle(lab, made, set())
            losses_tried.write(lab, everywhere, safe)
            if gone:
                layouts.settle(lab, made, set())
                losses_tried.take_away(lab, gone, frozen=frozen)
                layouts.settle(lab, made, gone)
                layouts.forget_what_was_given_up(lab, safe)
                losses_tried.write(lab, everywhere, safe)
            still = layouts.settle(lab, made, gone)
            inventory = {"environments": {lab.name: {"kafka": {"bootstrap.servers": lab.bootstrap}}}}
            yield State("before", inventory, claims, aftermath=aftermath)
        finally:
            revive(lab, gone | lost)
            wait_for_brokers(lab)
            layouts.delete(lab, made)  # first: copies that lag for good would be waited for
            labs.heal(lab.name, home=home)

    return Scene(loss.name, module, play.play, play.expected, play.faults, play.forecasts)


def _gone(lab: LabState, numbers: AbstractSet[int], *, frozen: bool) -> Mapping[str, bool]:
    if not frozen:
        return losses(lab, numbers)
    counted = live_brokers(lab)
    return {
        claim: holds
        for number in sorted(numbers)
        for claim, holds in (
            (f"broker {number} is frozen", lab.broker(number).condition == "frozen"),
            (f"the cluster has fenced broker {number}", number not in counted),
        )
    }


def _lost(lab: LabState, numbers: AbstractSet[int], *, elects: bool) -> Mapping[str, bool]:
    if elects:
        return losses(lab, numbers)
    ended = {f"broker {number} has no process": lab.broker(number).condition == "stopped" for number in sorted(numbers)}
    return ended | {
        f"controller {number} refuses": refuses(lab.broker(number).controller_port) for number in sorted(numbers)
    }
