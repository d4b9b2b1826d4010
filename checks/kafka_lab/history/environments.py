"""The environments of a history: tiers, regions, sizes, how well they are kept, and when they were silent."""

from typing import Literal

from msgspec import Struct

from kafka_lab.history.chance import chance, digest

Tier = Literal["prod", "dr", "stage", "test", "dev"]

TIERS: tuple[Tier, ...] = ("prod", "dr", "stage", "test", "dev")
_REGIONS = ("eu", "us", "ap", "me", "sa")
_BROKERS = {"prod": (6, 9, 12), "dr": (6, 9), "stage": (3, 5, 6), "test": (3, 5), "dev": (3,)}
_TOPICS = {"prod": 140, "dr": 120, "stage": 60, "test": 40, "dev": 25}
# The share of checks that fail without any incident, at the beginning. Invented, as all of this.
_WORSENS = 6  # every sixth environment; the others get better over the year
_UNKEPT = {"prod": 0.03, "dr": 0.035, "stage": 0.05, "test": 0.07, "dev": 0.1}


class MadeEnvironment(Struct, frozen=True):
    """An environment that does not exist.

    Attributes:
        name: as in prod-eu-1.
        tier: what it is for.
        mirrored_from: the environment it is the second site of; empty if none.
        cluster_id: as a cluster would say.
        brokers, topics: how many.
        unkept: the share of failing checks, without incidents, in the first week and in the last.
        begins, ends: the weeks in which it exists, the last one not included.
        silent: weeks in which it sent nothing though it exists.
        minute: of Monday at which its weekly run begins, in UTC.
    """

    name: str
    tier: Tier
    mirrored_from: str
    cluster_id: str
    brokers: int
    topics: int
    unkept: tuple[float, float]
    begins: int
    ends: int
    silent: frozenset[int]
    minute: int

    @property
    def region(self) -> str:
        """Where it stands, as its name says."""
        return self.name.split("-")[1]

    def rack(self, broker: int) -> str:
        """The rack of a broker: they stand in three by turns."""
        return f"az-{'abc'[(broker - 1) % 3]}"

    def expected(self, week: int) -> bool:
        """Whether it exists in a week."""
        return self.begins <= week < self.ends

    def speaks(self, week: int) -> bool:
        """Whether its weekly run comes in a week."""
        return self.expected(week) and week not in self.silent

    def kafka(self, week: int) -> str:
        """The version it runs: each is upgraded at a time of its own."""
        return "4.1.1" if week >= self.minute % 40 else "4.0.0"


def environments(count: int, weeks: int, seed: int) -> list[MadeEnvironment]:
    """Make environments, the same for the same seed; of many, one begins late, one retires, some fall silent."""
    return [_environment(number, weeks, seed) for number in range(count)]


def _environment(number: int, weeks: int, seed: int) -> MadeEnvironment:
    tier = TIERS[number % len(TIERS)]
    place = f"{_REGIONS[number // len(TIERS) % len(_REGIONS)]}-{number // (len(TIERS) * len(_REGIONS)) + 1}"
    name = f"{tier}-{place}"
    dice = chance(seed, "environment", name)
    start = _UNKEPT[tier] * dice.uniform(0.7, 1.5)
    begins, ends, silent = _life(number, weeks)
    return MadeEnvironment(
        name=name,
        tier=tier,
        mirrored_from=f"prod-{place}" if tier == "dr" else "",
        cluster_id=f"made-up-{digest(seed, name)[:14]}",
        brokers=dice.choice(_BROKERS[tier]),
        topics=round(_TOPICS[tier] * dice.uniform(0.6, 1.6)),
        unkept=(start, start * (dice.uniform(1.2, 1.7) if number % _WORSENS == 0 else dice.uniform(0.35, 0.9))),
        begins=begins,
        ends=ends,
        silent=silent,
        minute=dice.randrange(60, 300),
    )


def _life(number: int, weeks: int) -> tuple[int, int, frozenset[int]]:
    """When it exists and is silent: by its number, so that every history of some size has one of each kind."""
    match number % 25:
        case 13:
            return weeks * 6 // 10, weeks, frozenset()
        case 17:
            return 0, max(1, weeks * 7 // 10), frozenset()
        case 8:
            return 0, weeks, frozenset(range(max(1, weeks - 5), weeks))
        case 22:
            return 0, weeks, frozenset(range(weeks // 3, weeks // 3 + min(4, weeks // 4)))
        case _:
            return 0, weeks, frozenset()
