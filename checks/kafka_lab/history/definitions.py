"""The checks of a history: those of the built-in runbooks, filled up with invented ones in invented runbooks."""

from collections.abc import Sequence
from itertools import product
from typing import Literal

from msgspec import Struct

from kafka_lab.history.chance import chance, digest
from kafka_lab.history.environments import Tier
from kafka_lab.history.invented import INVENTED, Invented
from runbook.judge.effect_words import worded
from runbook.model.block import SEVERITIES, Check, Objective, Severity
from runbook.model.probe import Proof
from runbook.model.run import Expected
from runbook.parse.runbook import LocatedBlock, Runbook, read_runbook
from runbook.plugins.content import builtin_runbooks

About = Literal["partition", "topic", "broker", "environment"]
"""What a row of the check is about."""

_ABOUT: dict[str, About] = {
    "partition": "partition",
    "replica": "partition",
    "move": "partition",
    "topic": "topic",
    "broker": "broker",
    "log_dir": "broker",
    "config": "broker",
    "setting": "broker",
    "balance": "broker",
    "share": "broker",
}


class InventedCheck(Struct, frozen=True):
    """A check, and how its definition changed during the history.

    Attributes:
        check, title, severity, objectives, remedy, proof: as in the runbook.
        effect: as there, for the default values of parameters.
        about: what its rows are about.
        over_link: whether its subject is a link between two environments.
        tiers: where its runbook applies; everywhere if empty.
        begins: the first week in which it exists.
        changed: the weeks in which its digest changed.
        ease: how seldom it fails, 1 for the average.
        present: its digest in the last week.
        runbook, runbook_digest: where it stands.
        versions: week from which it is in force -> version of the runbook, ascending.
    """

    check: str
    title: str
    severity: Severity
    objectives: tuple[Objective, ...]
    effect: str
    remedy: str
    proof: Proof
    about: About
    over_link: bool
    tiers: frozenset[Tier]
    begins: int
    changed: tuple[int, ...]
    ease: float
    present: str
    runbook: str
    runbook_digest: str
    versions: tuple[tuple[int, str], ...]

    def applies(self, tier: Tier) -> bool:
        """Whether its runbook applies to environments of a tier."""
        return not self.tiers or tier in self.tiers

    def version(self, week: int) -> str:
        """The version of its runbook in a week."""
        return [version for begins, version in self.versions if begins <= week][-1]

    def digest(self, week: int) -> str:
        """Its digest in a week; before the last change another than today's."""
        to_come = sum(change > week for change in self.changed)
        return digest(self.present, to_come) if to_come else self.present

    def expected(self, week: int) -> Expected:
        """What a run of a week says of it."""
        return Expected(self.check, self.severity, self.digest(week), self.runbook, self.version(week))


def definitions(count: int, weeks: int, seed: int) -> list[InventedCheck]:
    """Make the checks of a history: at most three of five are real, the rest invented."""
    books = [read_runbook(path, origin="built-in") for path in sorted(builtin_runbooks().glob("*.md"))]
    real = [(book, placed) for book in books for placed in book.checks() if _is_of_one_environment(placed)]
    releases = {name: _releases(name, weeks, seed) for name in [*(book.name for book in books), *INVENTED]}
    made = [_real(book, placed, weeks, releases[book.name]) for book, placed in real[: max(1, count * 3 // 5)]]
    each = [
        [_invented(name, kind, pair, weeks, releases[name]) for pair in product(kind.things, kind.properties)]
        for name, kind in INVENTED.items()
    ]
    in_turn = [check for turn in zip(*each, strict=True) for check in turn]
    return sorted([*made, *in_turn[: count - len(made)]], key=lambda one: one.check)


def most_definitions() -> int:
    """How many checks a history can have."""
    return sum(len(kind.things) * len(kind.properties) for kind in INVENTED.values())


def _is_of_one_environment(placed: LocatedBlock) -> bool:
    return isinstance(placed.block, Check) and placed.block.over == "environment"


def _releases(name: str, weeks: int, seed: int) -> tuple[int, ...]:
    """The weeks in which a runbook got a new version: none in a short history, else two."""
    if weeks < 8:  # noqa: PLR2004 - our judgement: two months
        return ()
    dice = chance(seed, "releases", name)
    return (weeks * dice.randrange(15, 45) // 100, weeks * dice.randrange(60, 92) // 100)


def _versions(present: str, releases: Sequence[int]) -> tuple[tuple[int, str], ...]:
    major, minor, _ = map(int, present.split("."))
    number = major * 10 + minor
    before = [f"{past // 10}.{past % 10}.0" for past in range(max(0, number - len(releases)), number)]
    return tuple(zip([0, *releases], [*before, present][-len(releases) - 1 :], strict=False))


def _drift(check: str, releases: Sequence[int]) -> tuple[int, tuple[int, ...], float]:
    """When a check began, when its digest changed, how easy it is. Without the seed: two histories agree on it."""
    dice = chance("drift", check)
    begins = dice.choice(releases) if releases and dice.random() < 0.06 else 0  # noqa: PLR2004
    changed = tuple(week for week in releases if week > begins and dice.random() < 0.1)  # noqa: PLR2004
    return begins, changed, dice.lognormvariate(0.0, 0.8)


def _real(book: Runbook, placed: LocatedBlock, weeks: int, releases: tuple[int, ...]) -> InventedCheck:
    check = placed.block
    assert isinstance(check, Check)
    about = check.expect.each or check.expect.same or check.expect.window or ""
    begins, changed, ease = _drift(placed.name, releases)
    defaults = {f"params.{name}": parameter.default for name, parameter in check.params.items()}
    return InventedCheck(
        check=placed.name,
        title=check.title,
        severity=check.severity,
        objectives=tuple(check.objectives),
        effect=worded(check.effect, "{failed}", "{judged}", defaults),
        remedy=check.remedy,
        proof="observed",
        about=_ABOUT.get(about, "environment"),
        over_link=False,
        tiers=frozenset(),
        begins=min(begins, weeks - 1),
        changed=changed,
        ease=ease,
        present=placed.digest(),
        runbook=book.name,
        runbook_digest=book.digest,
        versions=_versions(book.front.version, releases),
    )


def _invented(
    runbook: str, kind: Invented, words: tuple[str, str], weeks: int, releases: tuple[int, ...]
) -> InventedCheck:
    sentence = " ".join(words)
    check = f"{runbook}/{sentence.lower().replace(' ', '-')}"
    begins, changed, ease = _drift(check, releases)
    dice = chance("invented", check)
    return InventedCheck(
        check=check,
        title=f"{sentence} (generated)",
        severity=dice.choices(SEVERITIES, (1, 3, 5, 4, 1))[0],
        objectives=(),
        effect=f"{{failed}} of {{judged}} are not as this invented check wants them: {sentence.lower()}",
        remedy="",
        proof="drilled" if kind.drilled and dice.random() < 0.5 else "observed",  # noqa: PLR2004
        about=dice.choice(kind.about),
        over_link=kind.links,
        tiers=frozenset(kind.tiers),
        begins=min(begins, weeks - 1),
        changed=changed,
        ease=ease,
        present=digest("definition", check),
        runbook=runbook,
        runbook_digest=digest("runbook", runbook),
        versions=_versions("1.2.0", releases),
    )
