"""What becomes of each check in each week: well kept or not, incidents, spells, flapping, weeks without an answer.

The shares below are invented; they are there so that a scorecard has something of everything to show.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Literal

from msgspec import Struct

from kafka_lab.history.chance import chance
from kafka_lab.history.definitions import InventedCheck
from kafka_lab.history.environments import MadeEnvironment
from runbook.model.result import Outcome

Cause = Literal["", "incident", "unkept", "spell", "flapping", "away", "rights", "drill", "no_such_thing"]

_INCIDENTS_A_YEAR = {"prod": 2.0, "dr": 1.2, "stage": 1.5, "test": 1.0, "dev": 0.8}
_LONGEST_INCIDENT = 3  # weeks
_HIT = 0.4  # of the checks about brokers and partitions, by an incident
_BLINDED = 0.15  # of the rest, by the broker that is away
_SPELL, _FLAPS, _TURNS, _AWAY, _NO_SUCH_THING, _NO_RIGHTS = 0.05, 0.004, 0.75, 0.002, 0.06, 0.004


class Incident(Struct, frozen=True):
    """A broker that is out of order from one week up to another, which is not included."""

    begins: int
    ends: int
    broker: int


class SimulatedOutcome(Struct, frozen=True):
    """The outcome of a check in one week, and why.

    Attributes:
        outcome: of the verdict.
        cause: what stands behind it.
        broker: the one that an incident, or an unanswered question, is about; 0 if none.
        bout: names what holds on over weeks: the same bout has the same offending rows.
    """

    outcome: Outcome
    cause: Cause = ""
    broker: int = 0
    bout: int = 0


_PASSES = SimulatedOutcome(Outcome.PASS)
_HAS_NONE = SimulatedOutcome(Outcome.NOT_APPLICABLE, "no_such_thing")


def incidents(environment: MadeEnvironment, weeks: int, seed: int) -> list[Incident]:
    """The incidents of an environment, in their order; none begins before the one before has ended."""
    dice = chance(seed, "incidents", environment.name)
    found: list[Incident] = []
    often = _INCIDENTS_A_YEAR[environment.tier] / 52
    week = 0
    while week < weeks:
        if dice.random() < often:
            ends = min(weeks, week + dice.randint(1, _LONGEST_INCIDENT))
            found.append(Incident(week, ends, dice.randint(1, environment.brokers)))
            week = ends
        week += 1
    return found


def fates(
    definition: InventedCheck, environment: MadeEnvironment, happened: Sequence[Incident], weeks: int, seed: int
) -> list[SimulatedOutcome]:
    """What becomes of one check in one environment, week by week."""
    dice = chance(seed, "fate", environment.name, definition.check)
    if dice.random() < _NO_SUCH_THING:
        return [_HAS_NONE] * weeks
    if definition.proof == "drilled":
        return list(_drills(dice, weeks))
    lived = _kept(definition, environment, dice, weeks)
    _spells(lived, dice)
    if dice.random() < _FLAPS:
        _flap(lived, dice)
    if dice.random() < _NO_RIGHTS:
        lived = [SimulatedOutcome(Outcome.UNKNOWN, "rights")] * dice.randint(1, weeks) + lived
    for week in range(weeks):
        if dice.random() < _AWAY:
            lived[week] = SimulatedOutcome(Outcome.UNKNOWN, "away", dice.randint(1, environment.brokers))
    for incident in happened:
        _strike(lived, definition, incident, dice)
    return lived[:weeks]


def _kept(definition: InventedCheck, environment: MadeEnvironment, dice: Random, weeks: int) -> list[SimulatedOutcome]:
    """Fails while the environment is kept worse than this check would need; that drifts over the year."""
    luck = dice.random()
    first, last = environment.unkept
    fails = SimulatedOutcome(Outcome.FAIL, "unkept", 0, 1)
    return [
        fails if luck < (first + (last - first) * week / max(1, weeks - 1)) * definition.ease else _PASSES
        for week in range(weeks)
    ]


def _spells(lived: list[SimulatedOutcome], dice: Random) -> None:
    """Now and then something breaks and is mended after some weeks."""
    weeks = len(lived)
    if dice.random() < min(1.0, _SPELL * weeks / 13):
        begins = dice.randrange(weeks)
        lasts = min(weeks, 1 + int(dice.expovariate(1 / 4)))
        spell = SimulatedOutcome(Outcome.FAIL, "spell", 0, 2 + begins)
        for week in range(begins, min(weeks, begins + lasts)):
            lived[week] = spell


def _flap(lived: list[SimulatedOutcome], dice: Random) -> None:
    """It fails and passes by turns in the second half."""
    fails, now = SimulatedOutcome(Outcome.FAIL, "flapping", 0, 1000), False
    for week in range(len(lived) // 2, len(lived)):
        now = not now if dice.random() < _TURNS else now
        lived[week] = fails if now else _PASSES


def _strike(lived: list[SimulatedOutcome], definition: InventedCheck, incident: Incident, dice: Random) -> None:
    near = definition.about in {"broker", "partition"}
    if dice.random() >= (_HIT if near else _BLINDED):
        return
    outcome: Outcome = Outcome.FAIL if near else Outcome.UNKNOWN
    struck = SimulatedOutcome(outcome, "incident", incident.broker, 2000 + incident.begins)
    for week in range(incident.begins, incident.ends):
        if lived[week].outcome is not Outcome.NOT_APPLICABLE:
            lived[week] = struck


def _drills(dice: Random, weeks: int) -> Iterator[SimulatedOutcome]:
    """A drill holds for half a year; many teams drill late."""
    since = dice.randrange(26)
    late = dice.randrange(0, 20)
    for _ in range(weeks):
        since += 1
        if since > 26 + late:
            since, late = 1, dice.randrange(0, 20)
        yield _PASSES if since <= 26 else SimulatedOutcome(Outcome.FAIL, "drill", 0, since)  # noqa: PLR2004 - half a year
