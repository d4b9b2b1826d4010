"""Plan a run before anything is asked: which checks, of which subjects, with which facts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct, structs

from runbook.judge.compiled import Compiled
from runbook.judge.judge import Context
from runbook.model.ask import FactQuestion, ask
from runbook.model.block import SEVERITIES, Cause, Check, FactRequest, Objective, Severity
from runbook.model.column import Column
from runbook.model.errors import Invalid, Problem, did_you_mean
from runbook.model.link import Mirror, values_of
from runbook.model.objective import prevails
from runbook.model.probe import Probe
from runbook.model.run import Expected
from runbook.parse.inventory import FLEET, Inventory, Target
from runbook.parse.runbook import Runbook
from runbook.parse.yaml_document import Path
from runbook.plugins.catalog import catalog
from runbook.run.sources.name_patterns import means

HEAD = "kafka_cluster"  # the probe whose one row says what an environment is
HEAD_MEMBERS = "kafka_broker"  # the probe that says which of its brokers answer; a head names them where a run asked it
HEAD_CONNECTION = "kafka"  # what it is put to
NOT = "!"  # before the value of a label: of environments that have it the check is not asked


class Selection(Struct, frozen=True):
    """Which checks of the named runbooks to run, over which link, by which probes; empty fields select all."""

    only: tuple[str, ...] = ()
    severity: Severity = "info"
    objectives: tuple[Objective, ...] = ()
    link: tuple[str, str] | None = None
    probes: frozenset[str] = frozenset()

    @property
    def everything(self) -> bool:
        """Whether nothing is left out."""
        return self == Selection()

    def takes(self, name: str, check: Check) -> bool:
        """Whether a check is selected; one that is for gates alone has to be named, which a glob does not."""
        if check.gate and not {name, name.rpartition("/")[2]} & {*self.only}:
            return False
        if self.probes and not {request.probe for request in check.facts.values()} <= self.probes:
            return False
        if self.only and not any(means(word, name) for word in self.only):
            return False
        if SEVERITIES.index(check.severity) < SEVERITIES.index(self.severity):
            return False
        return not self.objectives or not check.objectives or bool(set(self.objectives) & set(check.objectives))


class Judgement(Struct, frozen=True):
    """One check of one subject, and what to ask for it.

    Attributes:
        compiled: the check.
        runbook: the runbook it stands in.
        subject_kind, subject: what it is about.
        environment: under which its result is kept.
        targets: the environments whose facts it needs; the first one's parameters and waivers count.
        params: in force.
        overridden: the names of parameters an environment set.
        asks: fact -> one ask per target concerned.
        not_applicable_reason: why it does not apply, known without asking; empty if it does.
        undeclared: whether that is for want of the link that the run is about: then nothing was found out.
        link: as declared, if that is what it is about.
    """

    compiled: Compiled
    runbook: Runbook
    subject_kind: Literal["environment", "link", "fleet"]
    subject: str
    environment: str
    targets: list[Target]
    params: dict[str, Any]
    overridden: list[str]
    asks: dict[str, list[FactQuestion]]
    not_applicable_reason: str = ""
    undeclared: bool = False
    link: Mirror | None = None

    @property
    def asked(self) -> list[Target]:
        """The environments whose facts it reads: what one end of a link tells, a dark other end must not hide."""
        names = {ask.environment for asks in self.asks.values() for ask in asks}
        return [target for target in self.targets if target.name in names]

    @property
    def values(self) -> dict[str, Any]:
        """What `params.x`, `link.x` and `env.name` stand for."""
        return {**values_of(self.params, self.link), "env.name": self.environment}

    def context(self, now: str) -> Context:
        """What its verdict depends on besides facts; `now` is RFC 3339 UTC."""
        of = self.targets[0].environment
        return Context(
            environment=self.environment,
            labels=of.labels if self.subject_kind != "fleet" else {},
            ranking=of.ranking(),
            params=self.params,
            now=now,
            link=self.link,
        )


def plan(
    runbooks: Sequence[tuple[Runbook, Sequence[Compiled]]],
    inventory: Inventory,
    targets: Sequence[Target],
    selection: Selection,
) -> list[Judgement]:
    """Lay out every judgement of a run.

    Raises:
        Invalid: the inventory overrides parameters that a check lacks, or with values it does not allow.
    """
    layout = _Layout(inventory, targets, selection.link)
    judgements: list[Judgement] = []
    for runbook, checks in runbooks:
        for compiled in checks:
            if selection.takes(compiled.placed.name, compiled.check):
                judgements += layout.judgements(runbook, compiled)
    problems = [*layout.problems, *_strangers([runbook for runbook, _ in runbooks], inventory, targets)]
    if problems:
        raise Invalid(list(dict.fromkeys(problems)))
    return judgements


def expected(runbooks: Sequence[tuple[Runbook, Sequence[Compiled]]]) -> list[Expected]:
    """The checks that a whole run of these runbooks is to judge: those that only gates judge are none of them."""
    return [
        Expected(c.placed.name, c.check.severity, c.placed.digest(), book.name, book.front.version)
        for book, checks in runbooks
        for c in checks
        if not c.check.gate
    ]


def _strangers(runbooks: Sequence[Runbook], inventory: Inventory, targets: Sequence[Target]) -> Iterator[Problem]:
    """Yield a problem for parameters of checks that the named runbooks do not have."""
    books = {runbook.name: runbook for runbook in runbooks}
    names = {runbook.name: [placed.name for placed in runbook.checks()] for runbook in runbooks}
    listed_as = {book.name: book.name if book.origin == "built-in" else book.path for book in runbooks}
    parameters = {f"{runbook.name}/*": _all_parameters(runbook) for runbook in runbooks}
    places: list[tuple[Path, dict[str, dict[str, Any]]]] = [
        (("environments", target.name), target.environment.params) for target in targets
    ]
    ends = {target.name for target in targets}
    places += [(("mirrors", i), m.params) for i, m in enumerate(inventory.mirrors) if ends & {m.from_, m.to}]
    for base, params in places:
        for check, given in params.items():
            where = (*base, "params", check)
            known = names.get(check.partition("/")[0])
            if check in parameters:
                for key in sorted(given.keys() - parameters[check]):
                    place = inventory.document.key((*where, key))
                    remedy = did_you_mean(key, sorted(parameters[check]))
                    yield Problem(place, f'no check of {check.removesuffix("/*")} has a parameter "{key}"', remedy)
            elif known is not None and check not in known:
                listed = f"runbook list {listed_as[check.partition('/')[0]]}"
                remedy = did_you_mean(check, known, listed) if "/" in check else _of_checks(books[check], given)
                yield Problem(inventory.document.key(where), f'no check "{check}"', remedy)


def _of_checks(runbook: Runbook, given: Iterable[str]) -> str:
    """What to write in place of a runbook's name: the check below it, or those that have such parameters."""
    parameters = {check.name: check.block.params for check in runbook.checks() if isinstance(check.block, Check)}
    below = [name for name in (f"{runbook.name}/{inside}" for inside in given) if name in parameters]
    if below:
        return f"write {below[0]}: and its parameters"
    having = [check for check, names in parameters.items() if {*given} & {*names}]
    return f"write {' or '.join(having[:3]) or f'{runbook.name}/CHECK'}:"


def _all_parameters(runbook: Runbook) -> set[str]:
    """The parameters of all checks of a runbook."""
    checks = [placed.block for placed in runbook.checks()]
    return {name for check in checks if isinstance(check, Check) for name in check.params}


class _Layout:
    """Lays out judgements over the environments of a run, and notes what their parameters have wrong.

    Attributes:
        problems: mistakes in parameters of the inventory, in the order in which they were met.
    """

    def __init__(self, inventory: Inventory, targets: Sequence[Target], link: tuple[str, str] | None) -> None:
        self.problems: list[Problem] = []
        self._inventory = inventory
        self._targets = targets
        self._link = link

    def judgements(self, runbook: Runbook, compiled: Compiled) -> Iterator[Judgement]:
        """Every judgement of a check."""
        if compiled.check.over == "environment":
            for target in self._targets:
                yield self._judgement(runbook, compiled, "environment", [target])
        elif compiled.check.over == "fleet":
            # Environments with other labels are left out; if all are, the check is barred for the first one's.
            meant = [target for target in self._targets if not _label_bars(compiled.check, target)]
            meant = meant or list(self._targets[:1])
            if meant:
                yield self._judgement(runbook, compiled, "fleet", meant)
        else:
            yield from self._links(runbook, compiled)

    def _links(self, runbook: Runbook, compiled: Compiled) -> Iterator[Judgement]:
        names = {target.name for target in self._targets}
        judged: set[str] = set()
        declared = {(mirror.from_, mirror.to) for mirror in self._inventory.mirrors}
        undeclared = self._link is not None and self._link not in declared
        for mirror in self._inventory.mirrors:
            if names & {mirror.from_, mirror.to}:
                judged.add(mirror.to)
                ends = [self._inventory.targets[mirror.to], self._inventory.targets[mirror.from_]]
                yield self._judgement(runbook, compiled, "link", ends, mirror)
        for target in self._targets:
            if target.name not in judged:  # every check a run expects has a result
                lone = self._judgement(runbook, compiled, "environment", [target])
                links = [mirror.name for mirror in self._inventory.mirrors if mirror.from_ == target.name]
                why = f"links are judged where they lead to: {', '.join(links)}" if links else ""
                why = why or f"the inventory names no mirror from or to {target.name}"
                if undeclared and self._link is not None:
                    why = f"the inventory does not name the mirror from {' to '.join(self._link)}, which this is about"
                yield structs.replace(lone, asks={}, not_applicable_reason=why, undeclared=undeclared)

    def _judgement(
        self,
        runbook: Runbook,
        compiled: Compiled,
        kind: Literal["environment", "link", "fleet"],
        targets: list[Target],
        link: Mirror | None = None,
    ) -> Judgement:
        check, first = compiled.check, targets[0]
        params, overridden = self._parameters(compiled, first, link)
        values = values_of(params, link)
        asks = {}
        homeless = check.over == "link" and link is None  # nothing is asked, and what `link.x` stands for is not known
        for name, request in [] if homeless else check.facts.items():
            concerned = {"source": targets[-1:], "target": targets[:1]}.get(request.at or "", targets)
            probe = compiled.sources.probes[name]
            asks[name] = [one for target in concerned for one in questions(target, probe, request, values)]
        return Judgement(
            compiled=compiled,
            runbook=runbook,
            subject_kind=kind,
            subject=FLEET if kind == "fleet" else link.name if link is not None else first.name,
            environment=FLEET if kind == "fleet" else first.name,
            targets=targets,
            params=params,
            overridden=overridden,
            asks=asks,
            not_applicable_reason=_not_applicable_reason(compiled, first),
            link=link,
        )

    def _parameters(self, compiled: Compiled, target: Target, link: Mirror | None) -> tuple[dict[str, Any], list[str]]:
        """Those in force, and the names of those that the inventory sets: of the link before those of its target."""
        declared = compiled.check.params
        given = dict(self._given(compiled, target.environment.params, ("environments", target.name)))
        if link is not None:
            given |= dict(self._given(compiled, link.params, ("mirrors", self._inventory.mirrors.index(link))))
        defaults = {key: parameter.default for key, parameter in declared.items()}
        return defaults | given, sorted(given)

    def _given(
        self, compiled: Compiled, params: Mapping[str, Mapping[str, Any]], where: Path
    ) -> Iterator[tuple[str, Any]]:
        """The parameters that a place of the inventory sets for a check: of its whole runbook, then its own."""
        name, declared = compiled.placed.name, compiled.check.params
        for entry in (f"{compiled.placed.runbook}/*", name):
            for key, value in params.get(entry, {}).items():
                place = self._inventory.document.key((*where, "params", entry, key))
                if key not in declared:
                    if entry == name:  # what stands for a whole runbook is meant for those checks that have it
                        remedy = did_you_mean(key, [*declared])
                        self.problems.append(Problem(place, f'{name} has no parameter "{key}"', remedy))
                    continue
                if fault := declared[key].fault(value):
                    self.problems.append(Problem(place, f"{key} of {name}: {fault}", declared[key].help))
                yield key, value


def _not_applicable_reason(compiled: Compiled, target: Target) -> str:
    """Why a check does not apply to an environment, as far as the inventory tells."""
    check = compiled.check
    if bar := _label_bars(check, target):
        return bar
    by_topic = any(column.entity == "topic" for column in judged_columns(compiled))
    ranking = target.environment.ranking()
    if not by_topic and not prevails(check, ranking.default):
        ranked = " > ".join(ranking.default)
        return f"holds where {' or '.join(check.objectives)} ranks higher; in force here: {ranked}"
    return ""


def _label_bars(check: Check, target: Target) -> str:
    labels = target.environment.labels
    for label, values in check.labels.items():
        wanted = [value for value in values if not value.startswith(NOT)]
        if label in labels and f"{NOT}{labels[label]}" in values:
            return f"not meant for {label} {labels[label]}"
        if wanted and labels.get(label) not in wanted:
            is_now = f"{label} is {labels[label]}" if label in labels else f"{label} is not set"
            return f"meant for {label} {' or '.join(wanted)}; here {is_now}"
    return ""


def judged_columns(compiled: Compiled) -> tuple[Column, ...]:
    """The columns of the rows that are judged one by one; none where whole columns are."""
    return () if compiled.mode == "all" else compiled.columns


def questions(target: Target, probe: Probe, request: FactRequest, values: Mapping[str, Any]) -> list[FactQuestion]:
    """What is put to an environment for a fact: one question for each way to the probe."""
    return [ask(target.name, way, request, values) for way in target.ways_to(probe)]


def head_of(target: Target) -> FactQuestion:
    """The question that asks an environment which cluster it is."""
    return ask(target.name, HEAD_CONNECTION, FactRequest(HEAD), {})


def asks_of(
    judgements: Sequence[Judgement], targets: Mapping[str, Target], of_causes: Iterable[FactQuestion] = ()
) -> list[FactQuestion]:
    """Every question of a run, once: what checks need, what each environment's head needs, and what causes need."""
    heads = [head_of(target) for target in targets.values() if HEAD_CONNECTION in target.connections]
    needed = [
        a
        for judgement in judgements
        if not judgement.not_applicable_reason
        for asks in judgement.asks.values()
        for a in asks
    ]
    return list(dict.fromkeys([*heads, *needed, *of_causes]))


def questions_of_causes(runbooks: Iterable[Runbook], judgements: Sequence[Judgement]) -> list[FactQuestion]:
    """Every question of the runbooks' causes, of each environment or link of which a check of theirs is judged."""
    known = catalog("probes")
    found: dict[FactQuestion, None] = {}
    for book in runbooks:
        mine = [judgement for judgement in judgements if judgement.runbook is book]
        asked = [request for judgement in mine for request in judgement.compiled.check.facts.values()]
        subjects = {
            (judgement.subject_kind, judgement.subject): judgement
            for judgement in mine
            if not judgement.not_applicable_reason
        }
        for cause in (placed.block for placed in book.placed() if isinstance(placed.block, Cause)):
            more = [request for request in cause.facts.values() if request not in asked and request.probe in known]
            for judgement in subjects.values() if more else ():
                if judgement.subject_kind != cause.over:
                    continue
                for request in more:
                    concerned = judgement.targets[-1] if request.at == "source" else judgement.targets[0]
                    probe, values = known.load(request.probe).PROBE, values_of({}, judgement.link)
                    found |= dict.fromkeys(questions(concerned, probe, request, values))
    return [*found]
