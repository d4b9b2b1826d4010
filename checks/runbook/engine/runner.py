"""Run a plan: fetch facts, from workers or from a bundle, and judge each check as soon as its facts are there."""

import datetime as dt
import queue
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from runbook.engine.ask import Ask, in_force
from runbook.engine.bundle import FORMAT, Bundle, Kept
from runbook.engine.catalog import catalog
from runbook.engine.common_cause import common
from runbook.engine.fact import Fact, Gap
from runbook.engine.gather import compute_view, together, unreachable
from runbook.engine.inventory import Inventory, Target
from runbook.engine.judge import Context, judge
from runbook.engine.plan import HEAD, Judgement, judged_columns
from runbook.engine.result import Evidence, Outcome, Result, Verdict
from runbook.engine.run import Run
from runbook.engine.table import BEFORE
from runbook.engine.waiver import apply_waivers
from runbook.engine.worker import blank
from runbook.engine.workers import Answered, Work, Workers


class Progress(Struct, frozen=True):
    """How far a run is."""

    facts: int
    facts_in_all: int
    checks: int
    checks_in_all: int
    waiting_for: list[str]


Facts = dict[Ask, dict[str, Fact]]


class Runner:
    """One run of one plan. Iterate over `events`; `run` is complete when they end, or when `interrupt` was called."""

    def __init__(self, run: Run, judgements: Sequence[Judgement], asks: Sequence[Ask], inventory: Inventory) -> None:
        """Prepare a run; nothing is asked yet."""
        self.run = run
        self._judgements = list(judgements)
        self._open = list(judgements)
        self._asks = list(asks)
        self._inventory = inventory
        self._facts: Facts = {}
        self._views: dict[tuple[Any, ...], Fact] = {}
        self._digests: dict[int, str] = {}
        self._notes: dict[str, list[str]] = {}
        self._began = time.monotonic()

    def live(self, end: float, user_checks: list[str]) -> Iterator[Result | Progress]:
        """Ask the systems; yield results as they become known. `end` is the deadline on the monotonic clock."""
        works = self._works()
        workers = Workers(works, end, user_checks)
        waiting = sum(len(work.asks) for work in works)
        try:
            yield from self._judge_ready()
            while waiting:
                answered = self._next(workers)
                if answered is None:
                    break
                waiting -= 1
                self._facts[answered.ask] = answered.facts
                yield from self._judge_ready()
        finally:
            workers.stop()
        late = "it had not answered by the deadline"
        yield from self._finish(late)

    def kept(self, bundle: Bundle) -> Iterator[Result | Progress]:
        """Judge what a bundle holds."""
        self._works()
        self._facts |= {kept.ask: kept.facts for kept in bundle.kept}
        yield from self._judge_ready()
        yield from self._finish("the bundle does not hold it: it was collected for other checks")

    def interrupt(self) -> None:
        """Finish at once: what is not judged yet is unknown."""
        self.run.interrupted = True
        for _ in self._finish("the run was interrupted"):
            pass

    def bundle(self) -> Bundle:
        """What was collected."""
        targets = self._targets()
        return Bundle(
            format=FORMAT,
            tool_version=self.run.tool_version,
            run=self.run.id,
            started_at=self.run.started_at,
            environments={name: target.environment for name, target in targets.items()},
            connections={name: sorted(target.connections) for name, target in targets.items()},
            mirrors=self._inventory.mirrors,
            kept=[Kept(ask, self._facts[ask]) for ask in sorted(self._facts, key=_order)],
        )

    def _targets(self) -> dict[str, Target]:
        names = {head.environment for head in self.run.heads} | {t.name for j in self._judgements for t in j.targets}
        return {name: self._inventory.targets[name] for name in sorted(names) if name in self._inventory.targets}

    def _works(self) -> list[Work]:
        """Group the asks by worker, answering at once those that no connection can."""
        works: dict[tuple[str, str], list[Ask]] = {}
        for ask in self._asks:
            target = self._inventory.targets[ask.environment]
            if ask.connection in target.connections:
                works.setdefault((ask.environment, ask.connection), []).append(ask)
            else:
                self._facts[ask] = unreachable(ask, target)
        return [
            Work(environment, kind, self._inventory.targets[environment].connections[kind], asks)
            for (environment, kind), asks in works.items()
        ]

    def _next(self, workers: Workers) -> Answered | None:
        """The next answer; None when there will be none in time."""
        while True:
            try:
                return workers.answers.get(timeout=0.1)
            except queue.Empty:
                # Workers give up by themselves at the deadline; a little later, something is wrong with them.
                if workers.left() <= 0:
                    try:
                        return workers.answers.get(timeout=0.2)
                    except queue.Empty:
                        return None

    def _judge_ready(self) -> Iterator[Result | Progress]:
        waiting: list[Judgement] = []
        ready: list[Judgement] = []
        for judgement in self._open:
            (ready if self._is_ready(judgement) else waiting).append(judgement)
        self._open = waiting
        for judgement in ready:
            yield self._judge(judgement)
        yield self._progress()

    def _progress(self) -> Progress:
        missing = [ask for ask in self._asks if ask not in self._facts]
        return Progress(
            facts=len(self._asks) - len(missing),
            facts_in_all=len(self._asks),
            checks=len(self._judgements) - len(self._open),
            checks_in_all=len(self._judgements),
            waiting_for=sorted({f"{ask.probe} of {ask.environment}" for ask in missing}),
        )

    def _is_ready(self, judgement: Judgement) -> bool:
        if judgement.barred:
            return True
        needed = [ask for asks in judgement.asks.values() for ask in asks]
        pinned = [self._head_ask(target) for target in judgement.targets if target.environment.cluster_id]
        return all(ask in self._facts for ask in [*needed, *pinned] if ask is not None)

    def _finish(self, reason: str) -> Iterator[Result | Progress]:
        """Answer what is still open with a reason, judge it, and complete the run."""
        for ask in self._asks:
            if ask not in self._facts:
                facts = {"": blank(ask, f"{ask}: {reason}")}
                self._facts[ask] = facts | ({BEFORE: facts[""]} if ask.looks else {})
        yield from self._judge_ready()
        order = {(j.compiled.placed.name, j.environment, j.subject): i for i, j in enumerate(self._judgements)}
        self.run.results.sort(key=lambda result: order[result.check, result.environment, result.subject])
        self._complete_heads()
        self.run.took_ms = round((time.monotonic() - self._began) * 1000)

    def _head_ask(self, target: Target) -> Ask | None:
        return next((a for a in self._asks if a.environment == target.name and a.probe == HEAD), None)

    def _complete_heads(self) -> None:
        for head in self.run.heads:
            target = self._inventory.targets.get(head.environment)
            ask = self._head_ask(target) if target else None
            if target is None or ask is None:
                continue
            head.ranking = target.environment.ranking().default
            fact = self._facts[ask][""]
            head.collected_at = fact.collected_at
            row = next(fact.rows(), {})
            head.cluster_id = row.get("cluster_id") or ""
            head.kafka_version = row.get("kafka_version") or ""
            head.mode = row.get("mode") or ""
            for name in ("brokers", "answering"):
                value = row.get(name)
                setattr(head, name, -1 if value is None else value)
            head.notes += dict.fromkeys(self._notes.get(head.environment, []))

    def _judge(self, judgement: Judgement) -> Result:
        facts: dict[str, Fact] = {}
        if judgement.barred:
            verdict = Verdict(Outcome.NOT_APPLICABLE, judgement.barred)
        elif wrong := self._wrong_cluster(judgement):
            verdict = Verdict(Outcome.UNKNOWN, wrong, gaps=[Gap(wrong)])
        else:
            facts = self._collect(judgement)
            verdict = judge(judgement.compiled, facts, self._context(judgement))
        result = self._result(judgement, verdict, facts)
        self.run.results.append(result)
        return result

    def _context(self, judgement: Judgement) -> Context:
        target = judgement.targets[0]
        return Context(
            environment=judgement.environment,
            labels=target.environment.labels,
            ranking=target.environment.ranking(),
            params=judgement.params,
            now=self.run.started_at,
        )

    def _wrong_cluster(self, judgement: Judgement) -> str:
        for target in judgement.targets:
            pinned = target.environment.cluster_id
            ask = self._head_ask(target) if pinned else None
            if ask is None:
                continue
            fact = self._facts[ask][""]
            found = next(iter(fact.columns.get("cluster_id", [])), None)
            if found is None:
                why = "; ".join(gap.reason for gap in fact.gaps) or "it does not say"
                return f"whether this is cluster {pinned} could not be found out: {why}"
            if found != pinned:
                return f"this is cluster {found}; the inventory pins {target.name} to {pinned}"
        return ""

    def _collect(self, judgement: Judgement) -> dict[str, Fact]:
        """Every fact and view a check names."""
        facts: dict[str, Fact] = {}
        for name, asks in judgement.asks.items():
            answers = [self._facts[ask] for ask in asks]
            if judgement.subject_kind == "fleet":
                facts[name] = together(asks, [answer[""] for answer in answers])
                continue
            facts[name] = answers[0][""]
            if BEFORE in answers[0]:
                facts[f"{name}.{BEFORE}"] = answers[0][BEFORE]
        for name, request in judgement.compiled.check.views.items():
            given = in_force(request.with_, judgement.params)
            facts[name] = self._view(request.view, [facts[of] for of in request.of], given)
        return facts

    def _view(self, name: str, inputs: list[Fact], given: dict[str, Any]) -> Fact:
        key = (name, *map(id, inputs), repr(given))
        if key not in self._views:
            self._views[key] = compute_view(name, inputs, given)
        return self._views[key]

    def _result(self, judgement: Judgement, verdict: Verdict, facts: Mapping[str, Fact]) -> Result:
        compiled, runbook = judgement.compiled, judgement.runbook
        check, name = compiled.check, compiled.placed.name
        target = judgement.targets[0]
        now = dt.datetime.fromisoformat(self.run.started_at)
        waived = apply_waivers(name, verdict, judged_columns(compiled), target.environment.waivers, now)
        self._notes.setdefault(judgement.environment, []).extend(waived.notes)
        probes = [catalog("probes").load(request.probe).PROBE for request in check.facts.values()]
        return Result(
            check=name,
            environment=judgement.environment,
            outcome=verdict.outcome,
            reason=verdict.reason,
            rows=waived.rows,
            title=check.title,
            severity=check.severity,
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
            proof=next((probe.proof for probe in probes if probe.proof != "observed"), "observed"),
            remedy=check.remedy,
            evidence=[self._evidence(fact_name, fact) for fact_name, fact in facts.items()],
            runbook=runbook.name,
            runbook_version=runbook.front.version,
            runbook_digest=runbook.digest,
            check_digest=compiled.placed.digest(),
        )

    def _evidence(self, name: str, fact: Fact) -> Evidence:
        if id(fact) not in self._digests:  # many checks rest on the same, large facts
            self._digests[id(fact)] = fact.digest()
        return Evidence(name, fact.source, self._digests[id(fact)], len(fact), fact.complete, fact.collected_at)


def _order(ask: Ask) -> tuple[str, ...]:
    return (ask.environment, ask.connection, ask.probe, ask.given, ask.window, ask.looks)
