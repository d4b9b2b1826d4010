"""A run: what was asked, of what, when, and what came of it."""

import os
from collections.abc import Iterator
from typing import Any, Final, Literal

from msgspec import Struct, field

from runbook.model.block import Objective, Severity
from runbook.model.diagnosis import Diagnosis, of_environment
from runbook.model.result import Result

VERSION = 3
"""Of a run's file. Raised when a reader of the version before would misread it; new fields alone do not. 2: waivers of
the inventory, `generated`. 3: what a cluster did not say of itself is null, no empty text and no -1. Readers take every
version up to their own."""

_NOTABLE: Final = 5.0  # seconds of loading that people wonder about: our judgement

Trigger = Literal["scheduled", "manual", "incident", "ci"]


class DeclaredWaiver(Struct, frozen=True):
    """A waiver that the inventory declared for a check of the run's runbooks, and whether something needed it.

    Attributes:
        check, owner, reason, expires, rows: as in the inventory.
        needed: something it names fails, or its check is unknown; and it had not expired.
    """

    check: str
    owner: str
    reason: str
    expires: str
    rows: dict[str, str]
    needed: bool


class DeclaredUnobserved(Struct, frozen=True):
    """What the inventory declared that nobody looks at: a connection or a probe.

    Attributes:
        of: its name.
        because, owner, until: as in the inventory; no owner and no end where it calls absent what always exists.
        ended: whether the day had passed, so that its checks count as unknown.
    """

    of: str
    because: str
    owner: str
    until: str
    ended: bool = False


class DeclaredWaivers(Struct, kw_only=True):
    """What an inventory declared of an environment.

    Attributes:
        waivers: those for checks of the run's runbooks.
    """

    waivers: list[DeclaredWaiver] = field(default_factory=list)


class Head(DeclaredWaivers):
    """What one environment said of itself.

    Attributes:
        environment: its name.
        cluster_id, kafka_version, mode: as the cluster says; None if it did not.
        brokers, answering: how many are registered, and how many answered; None if not known.
        silent: the brokers that did not answer; None where the run did not ask which.
        ranking: the objectives in force, the most important first.
        collected_at: RFC 3339 UTC; `now` of its expressions.
        notes: what a reader must know before the results: ranking overrides, expired and unused waivers, a wrong
            cluster.
        mirrored_to: environments to which the inventory has it mirrored.
        waivers: those declared for checks of the run's runbooks.
        unobserved: what nobody looks at by declaration.
        labels: those of the inventory, such as tier: prod.
        owner: who answers for the environment, as the inventory says; empty if it names nobody.
        owners: shell pattern of topics -> who answers for them; the longest that fits.
        place: where the inventory has it, as FILE:LINE:COLUMN; empty where none was read, as of a bundle.
    """

    environment: str
    cluster_id: str | None = None
    kafka_version: str | None = None
    mode: str | None = None
    brokers: int | None = None
    answering: int | None = None
    silent: list[int] | None = None
    ranking: list[Objective] = field(default_factory=list)
    collected_at: str = ""
    notes: list[str] = field(default_factory=list)
    mirrored_to: list[str] = field(default_factory=list)
    unobserved: list[DeclaredUnobserved] = field(default_factory=list)
    labels: dict[str, str] = {}
    owner: str = ""
    owners: dict[str, str] = {}
    place: str = ""

    def __post_init__(self) -> None:
        """Read what version 2 wrote for not known: an empty text, and a count of -1."""
        self.cluster_id, self.kafka_version, self.mode = (
            value or None for value in (self.cluster_id, self.kafka_version, self.mode)
        )
        self.brokers, self.answering = (None if count == -1 else count for count in (self.brokers, self.answering))


class Expected(Struct, frozen=True):
    """A check a complete run would have judged: the denominator of coverage."""

    check: str
    severity: Severity
    check_digest: str
    runbook: str
    runbook_version: str


class Run(Struct):
    """One run over one or more environments.

    Attributes:
        id: sortable by start, unique.
        tool_version: of this package.
        trigger: why it ran; only scheduled, complete runs are scored.
        complete: whether every check of the named runbooks was selected.
        started_at: RFC 3339 UTC.
        took_ms: wall time, in milliseconds, with that of loading.
        deadline_ms: how long systems may take to answer, from the first request on.
        loading_ms: the part of `took_ms` before the first request, or all of it if there was none; 0 of a bundle, for
            which nothing is asked.
        heads: one for each environment.
        results: one for each check and subject.
        expected: every check of the named runbooks.
        interrupted: whether a person stopped it; what was not judged by then is `unknown`.
        generated: whether it was made up, to have something to look at; nothing was measured.
        rejudged: whether its facts came out of a bundle: nothing was looked at, so that it is never scored.
        ends: of environments that were asked as the other end of a link, and that no result is about.
        diagnoses: what explains its failures, one for each environment where something is wrong.
        first_names: check -> the name that it had first, of those that were renamed.
    """

    id: str
    tool_version: str
    trigger: Trigger
    complete: bool
    started_at: str
    deadline_ms: int
    heads: list[Head] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    expected: list[Expected] = field(default_factory=list)
    took_ms: int = 0
    interrupted: bool = False
    generated: bool = False
    rejudged: bool = False
    ends: list[Head] = field(default_factory=list)
    diagnoses: list[Diagnosis] = field(default_factory=list)
    loading_ms: int = 0
    first_names: dict[str, str] = {}

    def time_spent(self) -> str:
        """How long was asked, of how long that may take; and how long loading took, where that is notable."""
        loading = self.loading_ms / 1000
        asked = f"{self.took_ms / 1000 - loading:.1f} s of {self.deadline_ms / 1000:g} s"
        return "; ".join(filter(None, (asked, notable_loading(loading))))


def notable_loading(seconds: float) -> str:
    """How long loading took, in words; empty where nobody wonders about it."""
    return f"loading took {seconds:.1f} s" if seconds >= _NOTABLE else ""


class NamedCause(Struct, frozen=True):
    """A cause that held when an environment was looked at, and that followed from no other.

    Attributes:
        cause: the name of its block, RUNBOOK/ID.
        says: the cause in one sentence.
        explains: failing checks that passed when judged again without it.
        keys: what it is about: column → values; empty where it is told of all at once, and in files of before.
    """

    cause: str
    says: str
    explains: list[str] = []
    keys: dict[str, list[Any]] = {}

    @property
    def same(self) -> tuple[str, str]:
        """What it has in common with the same cause when it is named again, where its sentence counts further."""
        return self.cause, repr(sorted(self.keys.items())) if self.keys else self.says


def named_causes(run: Run, environment: str) -> Iterator[NamedCause]:
    """The causes that a run names for an environment, what explains most first."""
    diagnosis = of_environment(run.diagnoses, environment)
    named = diagnosis.named if diagnosis else []
    yield from (NamedCause(cause.cause, cause.says, cause.explains, cause.keys) for cause in named)


def run_id(started_at: str) -> str:
    """A name for a run that sorts by time: its start, RFC 3339 UTC, to the second, and 48 random bits."""
    day, _, time = started_at.partition("T")
    return f"{day.replace('-', '')}T{time[:8].replace(':', '')}Z-{os.urandom(6).hex()}"
