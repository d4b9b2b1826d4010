"""Waivers of a history: needed ones, unneeded ones, some about to expire, some expired."""

import datetime as dt
from collections.abc import Mapping, Sequence
from random import Random

from msgspec import Struct

from kafka_lab.history.calendar import Calendar
from kafka_lab.history.chance import chance
from kafka_lab.history.definitions import InventedCheck
from kafka_lab.history.environments import MadeEnvironment
from kafka_lab.history.fate import SimulatedOutcome
from runbook.model.result import Outcome
from runbook.parse.inventory import Waiver

_OWNERS = ("platform", "payments-team", "data-office", "sre-on-call")
_REASONS = (
    "replacement is ordered and comes next quarter",
    "accepted by the owner of the data for this tier",
    "clients must be changed first; planned with their team",
    "a known limit of the present machines",
)
_LASTS = (-20, -3, 5, 12, 40, 90, 200)  # days from the end of the history to the waiver's last day
_KEPT = 8  # weeks that an expired waiver is left in the inventory
_NEEDED, _UNNEEDED = 3, 1  # at most so many of an environment


class SimulatedWaiver(Struct, frozen=True):
    """A waiver, and the weeks in which the inventory held it; the last one not included."""

    waiver: Waiver
    begins: int
    ends: int


def waivers(
    environment: MadeEnvironment,
    definitions: Sequence[InventedCheck],
    fated: Mapping[str, Sequence[SimulatedOutcome]],
    calendar: Calendar,
    seed: int,
) -> list[SimulatedWaiver]:
    """Declare waivers for some of what fails for long, and for something that does not fail."""
    dice = chance(seed, "waivers", environment.name)
    last = min(environment.ends, calendar.weeks) - 1
    lasting = [
        definition for definition in definitions if _failed(fated[definition.check], last) >= min(4, calendar.weeks)
    ]
    passing = [definition for definition in definitions if fated[definition.check][last].outcome is Outcome.PASS]
    chosen = dice.sample(lasting, min(len(lasting), dice.randint(0, _NEEDED)))
    chosen += dice.sample(passing, min(len(passing), dice.randint(0, _UNNEEDED)))
    return [_declare(check, fated[check.check], calendar, dice) for check in chosen]


def _failed(lived: Sequence[SimulatedOutcome], last: int) -> int:
    """For how many weeks up to the last it has failed."""
    count = 0
    while count <= last and lived[last - count].outcome is Outcome.FAIL:
        count += 1
    return count


def _declare(
    definition: InventedCheck, lived: Sequence[SimulatedOutcome], calendar: Calendar, dice: Random
) -> SimulatedWaiver:
    failing = _failed(lived, len(lived) - 1)
    begins = max(0, calendar.weeks - max(failing - 1, 2) + dice.randint(0, 1))
    days = dice.choice(_LASTS)
    narrow = definition.about == "topic" and dice.random() < 0.5  # noqa: PLR2004
    waiver = Waiver(
        check=definition.check,
        owner=dice.choice(_OWNERS),
        reason=dice.choice(_REASONS),
        expires=(calendar.until + dt.timedelta(days=days)).isoformat(),
        rows={"topic": "*-v1"} if narrow else {},
    )
    ends = calendar.weeks + days // 7 + _KEPT
    return SimulatedWaiver(waiver, min(begins, calendar.weeks - 1), ends)
