"""Objectives in conflict: which of two contradictory checks holds, for an environment and for each topic."""

from fnmatch import fnmatchcase
from functools import lru_cache

from msgspec import Struct, field

from runbook.model.block import Check, Objective

# Used where an environment ranks nothing. Our judgement: acknowledged data outlives an outage.
DEFAULT: tuple[Objective, ...] = ("durability", "availability", "throughput", "latency")


class TopicRanking(Struct, frozen=True, forbid_unknown_fields=True):
    """The ranking of the topics whose names match a shell pattern."""

    topics: str
    ranking: list[Objective]


class Ranking(Struct, frozen=True, forbid_unknown_fields=True):
    """Objectives, the most important first; the first topic pattern that matches wins."""

    default: list[Objective] = field(default_factory=lambda: list(DEFAULT))
    topics: list[TopicRanking] = []

    def of(self, topic: str) -> tuple[Objective, ...]:
        """The ranking in force for a topic."""
        return _rank(self.default_key(), topic)

    def default_key(self) -> "tuple[tuple[Objective, ...], tuple[tuple[str, tuple[Objective, ...]], ...]]":
        """The ranking as a value that can be cached by."""
        return tuple(self.default), tuple((topic.topics, tuple(topic.ranking)) for topic in self.topics)


@lru_cache(maxsize=4096)
def _rank(
    ranking: "tuple[tuple[Objective, ...], tuple[tuple[str, tuple[Objective, ...]], ...]]", topic: str
) -> tuple[Objective, ...]:
    default, topics = ranking
    return next((ranked for pattern, ranked in topics if fnmatchcase(topic, pattern)), default)


def prevails(check: Check, ranking: tuple[Objective, ...] | list[Objective]) -> bool:
    """Whether a check applies under a ranking: its own best objective stands above all it contradicts.

    A check that contradicts nothing always applies. An objective that is not ranked stands below all that are.
    """
    if not check.against:
        return True

    def place(objective: Objective) -> int:
        return list(ranking).index(objective) if objective in ranking else len(ranking)

    return min(map(place, check.objectives), default=len(ranking)) < min(map(place, check.against))
