"""Histories of partitions, made at random, and what Kafka's own PartitionChangeBuilder makes of each change."""

import random
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Final, NamedTuple

from runbook.java import find_java
from runbook.rules.election import NOBODY, Election, ElectionMove, ElectionState, ElectionTerms, decided

_JUDGES: Final = Path(__file__).with_name("java")
_JAVA: Final = 17  # that Kafka 4 needs, and that runs a class from its source
_BROKERS: Final = (1, 2, 3, 4, 5)
_CHANGES: Final = 12  # of a partition in one history


class Change(NamedTuple):
    """One change: what was there, what was asked of the controller, and what we say that came of it."""

    before: ElectionState
    terms: ElectionTerms
    election: Election
    isr: tuple[int, ...]
    ended_badly: tuple[int, ...]
    move: ElectionMove | None
    what: str

    @property
    def after(self) -> ElectionState:
        """What our rules make of it."""
        given = {"isr": self.isr, "election": self.election, "ended_badly": self.ended_badly, "move": self.move}
        return decided(self.before, self.terms, **given)  # type: ignore[arg-type]  # by name


def histories(count: int, seed: int) -> Iterator[Change]:
    """The changes of so many partitions, always the same for a seed."""
    for number in range(count):
        yield from _History(random.Random(f"{seed} {number}")).changes()


class _History:
    """A partition and its brokers, which are lost, come back, and are given other replicas."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        replicas = tuple(dice.sample(_BROKERS, dice.choice([1, 2, 3, 3, 3, 4])))
        self.partition = ElectionState(replicas, replicas, leader=replicas[0])
        self.minimum = dice.choice([1, 2, 2, 3])
        self.keeps = dice.random() < 0.7
        self.unclean: Election = "unclean" if dice.random() < 0.15 else "online"
        self.serving = {*_BROKERS}

    def changes(self) -> Iterator[Change]:
        """What happens to it, one after the other."""
        for _ in range(_CHANGES):
            for change in self._happens():
                yield change
                self.partition = change.after

    def _happens(self) -> list[Change]:
        away = [node for node in _BROKERS if node not in self.serving]
        ways = (
            [self._lost] * 4 + [self._in_sync] * 3 + [self._moved, self._elected] + ([self._back] * 4 if away else [])
        )
        return self.dice.choice(ways)()

    def _lost(self) -> list[Change]:
        node = self.dice.choice([*self.partition.replicas, *_BROKERS])
        self.serving.discard(node)
        return [self._change(f"broker {node} is fenced", isr=self._without(node))]

    def _back(self) -> list[Change]:
        node = self.dice.choice([node for node in _BROKERS if node not in self.serving])
        badly = self.dice.random() < 0.5
        changes = []
        if badly and self.keeps:
            changes.append(
                self._change(f"broker {node} registers after a kill", isr=self._without(node), badly=(node,))
            )
            self.partition = changes[0].after
        self.serving.add(node)
        return [*changes, self._change(f"broker {node} is in service")]

    def _in_sync(self) -> list[Change]:
        """The leader says who is in sync: replicas that serve, itself among them."""
        seen = self.partition
        if seen.leader == NOBODY:
            return []
        others = [node for node in seen.replicas if node in self.serving and node != seen.leader]
        chosen = {seen.leader, *self.dice.sample(others, self.dice.randint(0, len(others)))}
        isr = tuple(node for node in seen.replicas if node in chosen)
        return [self._change(f"in sync are {isr}", isr=isr)]

    def _moved(self) -> list[Change]:
        seen = self.partition
        if seen.adding or seen.removing:
            return []
        wanted = tuple(self.dice.sample(_BROKERS, self.dice.choice([1, 1, 2, 3])))
        adding = tuple(node for node in wanted if node not in seen.replicas)
        removing = tuple(node for node in seen.replicas if node not in wanted)
        return [self._change(f"moves to {wanted}", move=ElectionMove((*wanted, *removing), adding, removing))]

    def _elected(self) -> list[Change]:
        how: Election = self.dice.choice(["unclean", "preferred"])
        return [self._change(f"{how} election", election=how)]

    def _without(self, node: int) -> tuple[int, ...]:
        return tuple(one for one in self.partition.isr if one != node)

    def _change(
        self,
        what: str,
        *,
        isr: tuple[int, ...] | None = None,
        badly: tuple[int, ...] = (),
        move: ElectionMove | None = None,
        election: Election | None = None,
    ) -> Change:
        terms = ElectionTerms(frozenset(self.serving), min(self.minimum, len(self.partition.replicas)), self.keeps)
        isr = self.partition.isr if isr is None else isr
        return Change(self.partition, terms, election or self.unclean, isr, badly, move, what)


def as_kafka_says(changes: Sequence[Change], jars: Path) -> list[ElectionState]:
    """What the PartitionChangeBuilder of a release makes of each change.

    Raises:
        JavaError: there is no Java that runs it.
        CalledProcessError: Java ended with an error.
    """
    said = _judged("Elections.java", map(_line, changes), jars)
    return [_read(line) for line in said if line.count(";") == len(ElectionState._fields) - 1]


class Reassignment(NamedTuple):
    """A reassignment under way: its replicas, and who of them is in sync."""

    target: tuple[int, ...]
    adding: tuple[int, ...]
    removing: tuple[int, ...]
    isr: tuple[int, ...]

    def ends(self, release: tuple[int, ...]) -> bool:
        """Whether our rules end it."""
        state = ElectionState(
            (*self.target, *self.removing), self.isr, leader=self.isr[0], adding=self.adding, removing=self.removing
        )
        terms = ElectionTerms(frozenset(_BROKERS), needs=1, keeps_eligible=False, release=release)
        after = decided(state, terms)
        return not (after.adding or after.removing)


def reassignments() -> Iterator[Reassignment]:
    """From one to three replicas to one to three of five brokers, with each set of them in sync."""
    old = (1, 2, 3)
    for count, size in product((1, 2, 3), (1, 2, 3)):
        for target in combinations(_BROKERS, size):
            adding = tuple(node for node in target if node not in old[:count])
            removing = tuple(node for node in old[:count] if node not in target)
            both = (*target, *removing)
            for isr in (some for n in range(1, len(both) + 1) for some in combinations(both, n)):
                if adding or removing:
                    yield Reassignment(target, adding, removing, isr)


def ended_by_kafka(asked: Sequence[Reassignment], jars: Path) -> list[bool]:
    """Which of them the PartitionReassignmentReplicas of a release ends.

    Raises:
        JavaError: there is no Java that runs it.
        CalledProcessError: Java ended with an error.
    """
    lines = (";".join(map(_text, (one.removing, one.adding, (*one.target, *one.removing), one.isr))) for one in asked)
    return [line == "true" for line in _judged("Reassignments.java", lines, jars) if line in {"true", "false"}]


def _judged(judge: str, lines: Iterable[str], jars: Path) -> list[str]:
    words = [str(find_java(_JAVA)), "-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", f"{jars}/*", str(_JUDGES / judge)]
    asked = "".join(f"{line}\n" for line in lines)
    return subprocess.run(
        words, input=asked, capture_output=True, text=True, check=True, timeout=600
    ).stdout.splitlines()


def _line(change: Change) -> str:
    seen, terms = change.before, change.terms
    last = () if seen.last_leader == NOBODY else (seen.last_leader,)
    move = change.move or ElectionMove(seen.replicas, seen.adding, seen.removing)
    state = [seen.replicas, seen.isr, seen.elr, last, (seen.leader,), seen.adding, seen.removing]
    asked = [sorted(terms.serves), (terms.needs,), (str(terms.keeps_eligible).lower(),), (change.election.upper(),)]
    return ";".join(_text(cell) for cell in (*state, *asked, change.isr, change.ended_badly, *move))


def _text(cell: Iterable[object]) -> str:
    return ",".join(map(str, cell))


def _read(line: str) -> ElectionState:
    cells = [tuple(int(word) for word in cell.split(",") if word) for cell in line.split(";")]
    replicas, isr, elr, last, (leader,), adding, removing = cells
    one = last[0] if len(last) == 1 else NOBODY
    return ElectionState(replicas, isr, tuple(sorted(elr)), leader, one, adding, removing)


def differing(changes: Sequence[Change], said: Sequence[ElectionState]) -> list[str]:
    """The changes of which Kafka makes something else than our rules, in words."""
    return [
        f"{change.what} of {change.before} under {change.terms}: Kafka {theirs}, we {change.after}"
        for change, theirs in zip(changes, said, strict=True)
        if change.after != theirs
    ]
