"""Scenes: what brings a lab into states that are worth looking at."""

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

from runbook.evidence.bundle import Bundle
from support.evidence.expected import Expected

_LIVE: Final = Path(__file__).parents[2] / "live"
Claims = Callable[[], Mapping[str, bool]]
"""What shows a state, asked without the product's probes and connections: claim → whether it holds now."""
Contradicted = Callable[[Bundle, Mapping[str, Any]], list[str]]
"""Given facts, and what came of the state in which they were seen: what the product foretells otherwise, in words."""


@dataclass(frozen=True)
class State:
    """A lab as it is now, ready to be looked at.

    Attributes:
        name: of the state; one of those its scene declares.
        inventory: what `environments.yaml` would say.
        claims: what must hold for the lab to be in this state. They are waited for, and hold before and after the look.
        words: names of what is only known once it runs, for expectations to refer to.
        secrets: texts that must not be in the evidence.
        within: seconds to wait for the claims.
        deadline: seconds that the look may take.
        aftermath: does something to the lab once the look has ended, and says what came of it, asked as claims are.
    """

    name: str
    inventory: Mapping[str, Any]
    claims: Claims
    words: Mapping[str, str] = field(default_factory=dict)
    secrets: Sequence[str] = ()
    within: float = 120.0
    deadline: float = 60.0
    aftermath: Callable[[], Mapping[str, Any]] | None = None


@dataclass(frozen=True)
class Scene:
    """How states are brought about, and what is to be found in each.

    Attributes:
        name: of the scene.
        module: where it is defined.
        play: given the lab and a folder to write to, brings each state about and yields it; heals the lab at its end.
        expected: state → runbook → what checks must say.
        faults: faults of the lab that it injects.
        forecasts: state → compares what the product foretells from its facts with its aftermath.
    """

    name: str
    module: str
    play: Callable[[Any, Path], Iterator[State]]
    expected: Mapping[str, Mapping[str, Expected]]
    faults: tuple[str, ...] = ()
    forecasts: Mapping[str, Contradicted] = field(default_factory=dict)

    @property
    def states(self) -> list[str]:
        """The names of its states, in their order."""
        return list(self.expected)

    @property
    def shape(self) -> str:
        """The shape of the lab it needs."""
        return self.module.split(".")[-2]

    def runbooks(self, state: str) -> list[str]:
        """The runbooks that are looked for in a state."""
        return list(self.expected[state])


def scene(
    expected: Mapping[str, Mapping[str, Expected]],
    *,
    faults: tuple[str, ...] = (),
    forecasts: Mapping[str, Contradicted] | None = None,
) -> Callable[[Callable[[Any, Path], Iterator[State]]], Scene]:
    """Make a scene of a generator function; its name is the function's."""

    def made(play: Callable[[Any, Path], Iterator[State]]) -> Scene:
        return Scene(play.__name__.replace("_", "-"), play.__module__, play, expected, faults, forecasts or {})

    return made


class Shape(Protocol):
    """What `tests/live/SHAPE/scenes.py` has beside its scenes."""

    def systems(self) -> dict[str, str]:
        """Versions of the systems that a lab of this shape runs."""

    def lab(self, folder: Path) -> AbstractContextManager[Any]:
        """A lab of this shape: up, filled and well; down afterwards."""

    def lacking(self) -> str:
        """Why such a lab can't run on this machine; "" if it can."""


def shapes() -> list[str]:
    """The names of all shapes: the folders with scenes."""
    return sorted(file.parent.name for file in _LIVE.glob("*/scenes.py"))


def shape_of(name: str) -> Any:
    """A shape, loaded: see Shape."""
    return importlib.import_module(f"live.{name}.scenes")


def scenes_of(shape: str) -> list[Scene]:
    """The scenes of a shape, in the order in which its module defines them."""
    return [
        scene
        for value in vars(shape_of(shape)).values()
        for scene in (value if isinstance(value, list) else [value])
        if isinstance(scene, Scene)
    ]
