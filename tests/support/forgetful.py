"""Who walks a procedure and leaves steps out without saying so: what notices it, and when."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec import Struct

from kafka_lab import LabState
from kafka_lab.errors import LabError
from runbook.procedure.walk_record import Record
from support.careful_walker import Hand, Walked
from support.kept_walks import why_unnoticed
from support.repeating import Interrupted, Repeating

STAYS, STAYS_LONG = 3, 28
"""Looks at a gate until it is taken for one that waits for what was left out; after what nothing is to notice."""
_GATE = re.compile(r"^gate (.*): CLOSED")
_CHECK = re.compile(r"^  (?:FAIL|ERROR|UNKNOWN|NOT[_ ]APPLICABLE)\s+([^\s:,]+)", re.MULTILINE)


Notes = Callable[[Sequence[str]], None]
"""Keeps lines for the end of a run."""


def wrong(*sets: Sequence[int]) -> list[Any]:
    """The right walk, and walks in which these steps are left out until something notices it."""
    return [
        pytest.param((), id="right"),
        *(pytest.param(steps, id=f"without {','.join(map(str, steps))}", marks=pytest.mark.thorough) for steps in sets),
    ]


class LeftOut(Struct):
    """A step that was left out, and what noticed it: a gate with its checks, a command that failed; "" if nothing."""

    step: int
    noticed: str = ""


class _Forgotten(Struct):
    hand: Hand
    commands: Sequence[str]
    since: list[tuple[int, Hand, Sequence[str]]]


class Forgetful:
    """Who leaves steps out, and does them, and again what was done since, once something notices it.

    Of two that are left out the first is done belatedly before the second is left out, if nothing had noticed it yet.

    Attributes:
        steps: their numbers.
        found: what came of each of them.
    """

    def __init__(self, steps: Sequence[int] = (), once: Sequence[int] = (), moot: Sequence[int] = ()) -> None:
        """Leave out the steps of these numbers.

        Those of `once` can't be done a second time, and need not be. Those that are `moot` are not done belatedly: a
        later step has done their work.
        """
        self.steps = steps
        self._once = once
        self._moot = moot
        self._pending: _Forgotten | None = None
        self._walked: Walked | None = None
        self.found: list[LeftOut] = []

    @property
    def way(self) -> str:
        """How it is walked, in words."""
        return f"without {', '.join(map(str, self.steps))}" if self.steps else "right"

    @property
    def unnoticed(self) -> list[int]:
        """Steps of which nothing noticed that they were left out."""
        return [left_out.step for left_out in self.found if not left_out.noticed]

    @property
    def noticed(self) -> dict[int, str]:
        """The number of each step that was left out, and what noticed it; "" if nothing."""
        return {left_out.step: left_out.noticed for left_out in self.found}

    def lines(self, procedure: str) -> list[str]:
        """A line for each step that was left out, as the end of a run tells them."""
        return [f"{procedure} step {left_out.step}: {left_out.noticed or 'NOT NOTICED'}" for left_out in self.found]

    def walks(self, walked: Walked, hands: Sequence[Hand]) -> Record:
        """Walk to the end; gives the record."""
        self._walked = walked
        return walked.by([self._of(number, hand) for number, hand in enumerate(hands, 1)], self._at_a_closed_gate)

    def _of(self, number: int, hand: Hand) -> Hand:
        def leaves_out(commands: Sequence[str]) -> None:
            self._remembers()
            self.found.append(LeftOut(number))
            self._pending = _Forgotten(hand, commands, [])

        def acts(commands: Sequence[str]) -> None:
            try:
                hand(commands)
            except (AssertionError, OSError, LabError) as error:
                if self._pending is None:
                    raise
                self._noticed(f"by the command of step {number}: {' '.join(str(error).split())[-160:]}")
                hand(commands)
            if self._pending is not None:
                self._pending.since.append((number, hand, commands))

        return leaves_out if number in self.steps else acts

    def _at_a_closed_gate(self, looks: int) -> None:
        assert self._walked is not None
        if looks == (STAYS_LONG if self._is_explained() else STAYS) and self._pending is not None:
            gate = self._walked.output[self._walked.output.rindex("\ngate ") + 1 :]
            found = _GATE.match(gate)
            assert found is not None
            self._noticed(f"{found[1]}: {', '.join(_CHECK.findall(gate))}")

    def _is_explained(self) -> bool:
        """Whether it is said why nothing notices the step: a gate that stays shut for a while is a slow one then."""
        assert self._walked is not None
        return bool(self.found) and self.found[-1].step in why_unnoticed().get(
            self._walked.procedure.replace("#", "/"), {}
        )

    def _noticed(self, by: str) -> None:
        self.found[-1].noticed = by
        self._remembers()

    def _remembers(self) -> None:
        """Do what was left out, and again what has been done since."""
        if self._pending is not None:
            forgotten, self._pending = self._pending, None
            if self.found[-1].step in self._moot:
                return
            forgotten.hand(forgotten.commands)
            for number, hand, commands in forgotten.since:
                if number not in self._once:
                    hand(commands)


Person = Forgetful | Repeating | Interrupted
"""Who walks: right or leaving steps out, doing each twice, or with brokers that are killed meanwhile."""
Walker = Callable[[LabState], Person]
"""Makes one of them, for the lab at which they walk."""


def walkers(*sets: Sequence[int], once: Sequence[int] = (), killed: bool = True) -> list[Any]:
    """Who walks right, who leaves these steps out until something notices it, and who does each step twice.

    The last two do so as the tool dies after each step, and as a broker of the lab is killed in the middle of each.

    `once` are steps that whoever left one out does not do again. Not `killed` where brokers are not started as the
    lab starts them.
    """
    breaks = [pytest.param(Interrupted, id="interrupted", marks=pytest.mark.thorough)]

    def forgets(steps: Sequence[int]) -> Walker:
        return lambda _: Forgetful(steps, once)

    return [
        *(pytest.param(forgets(*param.values), id=param.id, marks=param.marks) for param in wrong(*sets)),
        pytest.param(lambda _: Repeating(), id="twice", marks=pytest.mark.thorough),
        *(breaks if killed else []),
    ]


def ways(*sets: tuple[Sequence[int], Sequence[int]]) -> list[Any]:
    """Who walks two procedures, there and back, as `walkers` walk one; `sets` are what is left out of both."""
    there, back = (walkers(*of_one) for of_one in zip(*sets, strict=True))
    return [
        pytest.param(*one.values, *other.values, id=f"{one.id} and {other.id}", marks=one.marks)
        for one, other in zip(there, back, strict=True)
    ]
