"""Scenes of one fault each: the lab before it, during it, and after it was healed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

import kafka_lab as labs
from kafka_lab import LabState
from kafka_lab.breaking import in_force
from kafka_lab.state import known
from support.evidence.expected import Expected
from support.evidence.scene import Claims, Scene, State, scene

More = Callable[[str, LabState], Mapping[str, bool]]
"""Given the name of a state and the lab as it is now: claims that must hold in it too."""
Inventory = Callable[[LabState, Path], dict[str, Any]]


def inventory_of(lab: LabState, _folder: Path | None = None) -> dict[str, Any]:
    """The inventory of a lab, as it writes it itself."""
    document: dict[str, Any] = yaml.safe_load(Path(lab.folder, "environments.yaml").read_text("utf-8"))
    return document


def none_of(claims: Claims) -> Claims:
    """The proof that something is not so: each of its claims is asked, and none holds."""
    return lambda: {f"not: {claim}": not holds for claim, holds in claims().items()}


def fault_scene(
    fault: str,
    well: Mapping[str, Expected],
    broken: Mapping[str, Expected],
    *,
    healed: Mapping[str, Expected] | None = None,
    inventory: Inventory = inventory_of,
    secrets: Callable[[LabState], Sequence[str]] = lambda _: (),
    module: str,
) -> Scene:
    """The scene of a fault of the lab, named as it.

    Args:
        fault: its name.
        well: what each runbook must say before it, and after it.
        broken: what each runbook must say during it.
        healed: what each runbook must say after it, where that is not as before it: a counter that has moved, say.
        inventory: what is looked at; the lab's own inventory without.
        secrets: what must be in no evidence.
        module: where the scene belongs: `__name__`.
    """

    @scene({"before": well, "during": broken, "after": healed or well}, faults=(fault,))
    def play(lab: LabState, folder: Path) -> Iterator[State]:
        name, home = lab.name, Path(lab.folder).parent

        def claims() -> Mapping[str, bool]:
            return in_force(known(name, home), fault)

        hidden = secrets(lab)
        yield State("before", inventory(lab, folder), none_of(claims), secrets=hidden)
        try:
            labs.break_(name, fault, home=home)
            yield State("during", inventory(known(name, home), folder), claims, secrets=hidden)
        finally:  # also of what was injected in part
            labs.heal(name, home=home)
        yield State("after", inventory(known(name, home), folder), none_of(claims), secrets=hidden)

    return Scene(fault, module, play.play, play.expected, play.faults)


def proved_also(shown: Scene, more: More) -> Scene:
    """A scene in whose states more must hold than that a fault is in force, or is not.

    What a fault does may take its time to show, or stop showing: such as a copy that falls behind.
    """

    def play(lab: LabState, folder: Path) -> Iterator[State]:
        name, home = lab.name, Path(lab.folder).parent

        def both(state: State) -> Claims:
            return lambda: {**state.claims(), **more(state.name, known(name, home))}

        with closing(shown.play(lab, folder)) as states:  # type: ignore[type-var]  # it is a generator
            for state in states:
                yield replace(state, claims=both(state))

    return replace(shown, play=play)
