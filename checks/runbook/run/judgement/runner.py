"""Run a plan: fetch facts, from workers or from a bundle, and judge each check as soon as its facts are there."""

import collections
import datetime as dt
import time
from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET, Struct, structs

from runbook.evidence.bundle import FORMAT, Bundle, Kept
from runbook.judge.common_cause import common
from runbook.judge.judge import judge
from runbook.judge.table import BEFORE
from runbook.judge.waiver import apply_waivers
from runbook.model import moment
from runbook.model.ask import FactQuestion
from runbook.model.block import Check
from runbook.model.errors import nearest
from runbook.model.fact import Fact, Gap
from runbook.model.gap_kind import GapKind
from runbook.model.probe import Proof
from runbook.model.result import Evidence, Outcome, Result, Verdict
from runbook.model.run import DeclaredUnobserved, DeclaredWaiver, Head, Run
from runbook.model.sentence import shown
from runbook.parse.inventory import Inventory, Target, Waiver
from runbook.parse.runbook import LocatedBlock
from runbook.plugins.catalog import catalog
from runbook.run.collection.collected_facts import CollectedFacts
from runbook.run.collection.fact_assembly import facts_without_asking, settings_of, stored
from runbook.run.collection.pinned_cluster import untold
from runbook.run.collection.prewarmed_workers import PrewarmedWorkers
from runbook.run.collection.worker import blank
from runbook.run.collection.workers import Work, Workers, awaited
from runbook.run.planning.plan import HEAD, HEAD_MEMBERS, Judgement, judged_columns


class Progress(Struct, frozen=True):
    """How far a run is; `loading` while nothing was asked yet, as libraries are being loaded."""

    facts: int
    facts_in_all: int
    checks: int
    checks_in_all: int
    waiting_for: list[str]
    loading: bool = False


Facts = dict[FactQuestion, dict[str, Fact]]

_BY_SENTENCES = (
    "the bundle was kept before gaps had kinds: why something was not seen stands in the sentences of that time"
)


class Runner:
    """One run of one plan. Iterate over `events`; `run` is complete when they end, or when `interrupt` was called."""

    def __init__(
        self, run: Run, judgements: Sequence[Judgement], asks: Sequence[FactQuestion], inventory: Inventory
    ) -> None:
        """Prepare a run; nothing is asked yet."""
        self.run = run
        self._judgements = list(judgements)
        self._results: dict[int, Result] = {}
        self._asks = dict.fromkeys(asks)
        self._inventory = inventory
        self._facts: Facts = {}
        self.collected = CollectedFacts(self._facts)
        self._digests: dict[int, str] = {}
        self._check_digests = {expected.check: expected.check_digest for expected in run.expected}
        self._notes: dict[str, list[str]] = {}
        self._excused: dict[str, list[Waiver]] = {}
        self._workers: Workers | None = None
        self._began = time.monotonic()
        self._heads = {ask.environment: ask for ask in self._asks if ask.probe == HEAD}
        self._open = dict(self._asks)
        self._needs = [self._needed(judgement) for judgement in self._judgements]
        self._needed_by: dict[FactQuestion, list[int]] = {}
        for number, needs in enumerate(self._needs):
            for ask in needs:
                self._needed_by.setdefault(ask, []).append(number)
        self._ready = collections.deque(number for number, needs in enumerate(self._needs) if not needs)

    def _needed(self, judgement: Judgement) -> set[FactQuestion]:
        """What must be answered before a check can be judged."""
        if judgement.not_applicable_reason:
            return set()
        pinned = [target.name for target in judgement.asked if target.environment.cluster_id]
        heads = {self._heads[name] for name in pinned if name in self._heads}
        return heads | {ask for asks in judgement.asks.values() for ask in asks}

    def _know(self, ask: FactQuestion, facts: dict[str, Fact]) -> None:
        """Take the answer to an ask."""
        self._facts[ask] = facts
        self._open.pop(ask, None)
        for number in self._needed_by.pop(ask, ()):
            self._needs[number].discard(ask)
            if not self._needs[number]:
                self._ready.append(number)

    def live(
        self,
        seconds: float,
        user_checks: list[str],
        prewarmed: PrewarmedWorkers | None = None,
        began: float | None = None,
    ) -> Iterator[Result | Progress]:
        """Ask the systems; yield results as they become known.

        Args:
            seconds: from the first request to the deadline.
            user_checks: folders with code of users.
            prewarmed: processes that were started before.
            began: since when what the run took counts, on the monotonic clock; None: since it was prepared.
        """
        self._began = self._began if began is None else began
        self._workers = workers = Workers(self._works(), seconds, user_checks, prewarmed)
        try:
            yield from self._judge_ready()
            for answered in workers.come():
                if answered is not None:
                    self._know(answered.ask, answered.facts)
                yield from self._judge_ready()
        finally:
            workers.stop()
        yield from self._finish("it had not answered by the deadline", GapKind.DEADLINE)

    def kept(self, bundle: Bundle) -> Iterator[Result | Progress]:
        """Judge what a bundle holds; nothing is loaded that connects."""
        self._grouped()
        if not bundle.typed_gaps and any(fact.gaps for kept in bundle.kept for fact in kept.facts.values()):
            for head in self.run.heads:
                self._notes.setdefault(head.environment, []).append(_BY_SENTENCES)
        for kept in bundle.kept:
            if kept.ask not in self._facts:  # a connection that is declared absent stays so
                self._know(kept.ask, stored(kept.ask, kept.facts))
        yield from self._judge_ready()
        yield from self._finish("the bundle does not hold it: it was collected for other checks", GapKind.NOT_KEPT)

    def interrupt(self) -> None:
        """Finish at once: what is not judged yet is unknown."""
        if self._workers is not None:
            self._workers.stop()
        self.run.interrupted = True
        for _ in self._finish("the run was interrupted", GapKind.INTERRUPTED):
            pass

    def judged(self) -> list[tuple[Judgement, Result]]:
        """Every check with its result; none before all are there, nor of a cluster known to be another than pinned."""
        return [
            (judgement, self._results[number])
            for number, judgement in enumerate(self._judgements)
            if number in self._results
            and (
                judgement.not_applicable_reason or not self._wrong_cluster(judgement) or untold(judgement, self._facts)
            )
        ]

    def bundle(self) -> Bundle:
        """What was collected."""
        targets = self._targets()
        inside = [m for m in self._inventory.mirrors if m.from_ in targets and m.to in targets]
        mirrors = [structs.replace(m, canary=None) for m in inside]  # nothing is written from a bundle
        return Bundle(
            format=FORMAT,
            tool_version=self.run.tool_version,
            run=self.run.id,
            started_at=self.run.started_at,
            environments={
                name: structs.replace(target.environment, canary=None, measure=UNSET)
                for name, target in targets.items()
            },
            connections={
                name: {kind: sorted(target.connections[kind]) for kind in sorted(target.connections)}
                for name, target in targets.items()
            },
            mirrors=mirrors,
            selected=self._selected(),
            kept=[Kept(ask, self._facts[ask]) for ask in sorted(self._facts, key=_order)],
            typed_gaps=True,
        )

    def _targets(self) -> dict[str, Target]:
        names = {head.environment for head in (*self.run.heads, *self.run.ends)} | {
            t.name for j in self._judgements for t in j.targets
        }
        return {name: self._inventory.targets[name] for name in sorted(names) if name in self._inventory.targets}

    def _selected(self) -> list[str]:
        """The environments that were asked for by name; the other end of a link is in a bundle without being so."""
        named = {t.name for j in self._judgements if j.subject_kind != "link" for t in j.targets}
        return sorted(named or {t.name for j in self._judgements for t in j.targets})

    def _works(self) -> list[Work]:
        return [
            Work(environment, kind, settings_of(self._inventory.targets[environment], kind), asks)
            for (environment, kind), asks in self._grouped().items()
        ]

    def _grouped(self) -> dict[tuple[str, str], list[FactQuestion]]:
        """Group the asks by environment and connection, answering at once those that no connection can."""
        works: dict[tuple[str, str], list[FactQuestion]] = {}
        for ask in self._asks:
            target = self._inventory.targets[ask.environment]
            if (facts := facts_without_asking(ask, target, moment.read(self.run.started_at))) is not None:
                self._know(ask, facts)
            else:
                works.setdefault((ask.environment, ask.connection), []).append(ask)
        return works

    def _judge_ready(self) -> Iterator[Result | Progress]:
        # An interrupt may come anywhere: what is ready stays so until its result is kept.
        while self._ready:
            number = self._ready[0]
            if number not in self._results:
                self._results[number] = self._judge(self._judgements[number])
            self._ready.popleft()
            yield self._results[number]
        yield self._progress()

    def _progress(self) -> Progress:
        return Progress(
            facts=len(self._asks) - len(self._open),
            facts_in_all=len(self._asks),
            checks=len(self._results),
            checks_in_all=len(self._judgements),
            waiting_for=awaited(self._open),
            loading=bool(self._open) and self._workers is not None and self._workers.clock.asked_at is None,
        )

    def _finish(self, reason: str, kind: GapKind) -> Iterator[Result | Progress]:
        """Answer what is still open with a reason, judge it, and complete the run."""
        for ask in list(self._open):
            facts = {"": blank(ask, Gap(f"{ask}: {reason}", kind=kind))}
            self._know(ask, facts | ({BEFORE: facts[""]} if ask.looks else {}))
        yield from self._judge_ready()
        self.run.results = [self._results[number] for number in sorted(self._results)]
        self._complete_heads()
        ended = time.monotonic()
        self.run.took_ms = round((ended - self._began) * 1000)
        if self._workers is not None:
            self.run.loading_ms = round(((self._workers.clock.asked_at or ended) - self._began) * 1000)

    def _complete_heads(self) -> None:
        known = {expected.check for expected in self.run.expected}
        books = {expected.runbook for expected in self.run.expected}
        for head in (*self.run.heads, *self.run.ends):
            notes = list(self._notes.get(head.environment, []))
            target = self._inventory.targets.get(head.environment)
            if target is not None:
                head.ranking = target.environment.ranking().default
                needed = self._excused.get(head.environment, [])
                head.waivers = [
                    DeclaredWaiver(w.check, w.owner, w.reason, w.expires, w.rows, w in needed)
                    for w in target.environment.waivers
                    if w.check.partition("/")[0] in books
                ]
                head.unobserved = _unobserved(target, moment.read(self.run.started_at))
                notes += [
                    f"{one.of} was to be observed again by now: {one.owner} did without it until {one.until}; give the "
                    "connection, or a later day"
                    for one in head.unobserved
                    if one.ended
                ]
                notes += [
                    f"the waiver of {waiver.owner} for {waiver.check} names no check of that runbook"
                    + (f": did you mean {near}?" if (near := nearest(waiver.check, sorted(known))) else "")
                    for waiver in target.environment.waivers
                    if waiver.check.partition("/")[0] in books and waiver.check not in known
                ]
            head.notes = list(dict.fromkeys([*head.notes, *notes]))
            if head.environment in self._heads:
                _introduce(head, self._facts[self._heads[head.environment]][""])
            for ask, looks in self._facts.items():
                if (ask.environment, ask.probe, ask.looks) == (head.environment, HEAD_MEMBERS, ""):
                    head.silent = [row["broker"] for row in looks[""].rows() if row.get("answers") is False]

    def _judge(self, judgement: Judgement) -> Result:
        facts: dict[str, Fact] = {}
        if judgement.not_applicable_reason:
            verdict = Verdict(
                Outcome.UNKNOWN if judgement.undeclared else Outcome.NOT_APPLICABLE, judgement.not_applicable_reason
            )
        elif wrong := self._wrong_cluster(judgement):
            verdict = Verdict(Outcome.UNKNOWN, wrong, gaps=untold(judgement, self._facts) or [Gap(wrong)])
        else:
            facts = self.collected.of(judgement)
            verdict = judge(judgement.compiled, facts, judgement.context(self.run.started_at))
        return self._result(judgement, verdict, facts)

    def _wrong_cluster(self, judgement: Judgement) -> str:
        for target in judgement.asked:
            pinned = target.environment.cluster_id
            if not pinned:
                continue
            ask = self._heads.get(target.name)
            if ask is None:
                return f"whether this is cluster {pinned} could not be found out: there is no kafka connection to ask"
            fact = self._facts[ask][""]
            found = next(iter(fact.columns.get("cluster_id", [])), None)
            if found is None:
                why = shown(*(gap.reason for gap in fact.gaps)) or "it does not say"
                return f"whether this is cluster {pinned} could not be found out: {why}"
            if found != pinned:
                return f"this is cluster {found}; the inventory pins {target.name} to {pinned}"
        return ""

    def _result(self, judgement: Judgement, verdict: Verdict, facts: Mapping[str, Fact]) -> Result:
        compiled, runbook = judgement.compiled, judgement.runbook
        check, name = compiled.check, compiled.placed.name
        target = judgement.targets[0]
        now = moment.read(self.run.started_at)
        waived = apply_waivers(name, verdict, judged_columns(compiled), target.environment.waivers, now)
        self._notes.setdefault(judgement.environment, []).extend(waived.notes)
        self._excused.setdefault(judgement.environment, []).extend(waived.needed)
        proof = _proof(check)
        return Result(
            check=name,
            environment=judgement.environment,
            outcome=verdict.outcome,
            reason=_attested(verdict) if proof == "attested" else verdict.reason,
            rows=waived.rows,
            title=check.title,
            severity=check.severity,
            consequence=check.consequence,
            objectives=check.objectives,
            subject=judgement.subject,
            subject_kind=judgement.subject_kind,
            judged=verdict.judged,
            failed=verdict.failed,
            undecided=verdict.undecided,
            gaps=verdict.gaps,
            common=common([row for row in waived.rows if not row.waived], verdict.gaps),
            waiver=waived.use,
            ranking=target.environment.ranking().default,
            params=judgement.params,
            overridden=judgement.overridden,
            proof=proof,
            remedy=verdict.remedy or check.remedy,
            evidence=[self._evidence(fact_name, fact) for fact_name, fact in facts.items()],
            runbook=runbook.name,
            runbook_version=runbook.front.version,
            runbook_digest=runbook.digest,
            check_digest=self._check_digest(compiled.placed),
            unobserved=verdict.unobserved,
        )

    def _check_digest(self, placed: LocatedBlock) -> str:
        if placed.name not in self._check_digests:  # each check is judged for every environment
            self._check_digests[placed.name] = placed.digest()
        return self._check_digests[placed.name]

    def _evidence(self, name: str, fact: Fact) -> Evidence:
        if id(fact) not in self._digests:  # many checks rest on the same, large facts
            self._digests[id(fact)] = fact.digest()
        return Evidence(name, fact.source, self._digests[id(fact)], len(fact), fact.complete, fact.collected_at)


def _unobserved(target: Target, now: dt.datetime) -> list[DeclaredUnobserved]:
    """What an environment declares that nobody looks at, but for what it gives a connection to."""
    declared = target.environment.not_observed()
    return [
        DeclaredUnobserved(of, one.because, one.owner, one.until, one.ended(now))
        for of, one in sorted(declared.items())
        if of not in target.connections
    ]


def _introduce(head: Head, fact: Fact) -> None:
    """Fill in what a cluster says of itself."""
    head.collected_at = fact.collected_at
    row = next(fact.rows(), {})
    for name in ("cluster_id", "kafka_version", "mode", "brokers", "answering"):
        setattr(head, name, row.get(name))


def _order(ask: FactQuestion) -> tuple[str, ...]:
    return (ask.environment, ask.connection, ask.probe, ask.given, ask.window, ask.looks)


def _proof(check: Check) -> Proof:
    """How a check knows: by the one of its probes that does not observe, if there is one."""
    proofs: list[Proof] = [catalog("probes").load(request.probe).PROBE.proof for request in check.facts.values()]
    return next((proof for proof in proofs if proof != "observed"), "observed")


def _attested(verdict: Verdict) -> str:
    """The reason of a verdict over what people signed off: a pass says that nobody but them saw it."""
    signed = verdict.outcome is Outcome.PASS
    return f"{verdict.reason}, as people attest: this tool did not see it" if signed else verdict.reason
