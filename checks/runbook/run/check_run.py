"""A run from its options to its diagnosis: read, plan, ask, judge. Its caller shows what comes, or ends it early."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct, structs

from runbook import __version__
from runbook.evidence.bundle import Bundle, inventory_of, load_bundle
from runbook.judge.cause import CompiledCause
from runbook.judge.compiled import Compiled
from runbook.model import moment
from runbook.model.block import Objective, Severity
from runbook.model.diagnosis import of_environment
from runbook.model.errors import Invalid, Problem, RunbookError, UsageError, did_you_mean
from runbook.model.result import Outcome, Result
from runbook.model.run import Head, Run, Trigger, run_id
from runbook.parse.inventory import FLEET, Inventory, Target
from runbook.parse.old_names import inventory_of_today, old_names
from runbook.parse.runbook import Runbook
from runbook.plugins.catalog import add_user_checks
from runbook.run.collection.collected_facts import Facts
from runbook.run.collection.prewarmed_workers import PrewarmedWorkers
from runbook.run.diagnosis.changes_since import ExplainedObservation, part_failures, put_new_first, tell_changes
from runbook.run.diagnosis.comparison import observation_of_facts
from runbook.run.diagnosis.explanation import JudgedEnvironment, diagnose
from runbook.run.judgement.cause_search import Subject
from runbook.run.judgement.runner import Progress, Runner
from runbook.run.planning.deadline import bounded, deadline_for
from runbook.run.planning.heads import heads_of
from runbook.run.planning.inventory_mistakes import mistakes_of
from runbook.run.planning.plan import (
    HEAD_CONNECTION,
    Judgement,
    Selection,
    asks_of,
    expected,
    plan,
    questions_of_causes,
)
from runbook.run.sources.built_in import BUILT_IN, replaced_by, with_way_on
from runbook.run.sources.chosen_environments import choose
from runbook.run.sources.compiled_causes import known_causes
from runbook.run.sources.compiled_runbooks import compile_sound
from runbook.run.sources.given_files import inventory_of_files, with_files
from runbook.run.sources.inventories import find_inventory, load_inventory
from runbook.run.sources.kept_parameters import as_known_today
from runbook.run.sources.name_patterns import means, one_by_one, unmeant, words_of_today
from runbook.run.sources.runbooks import read_sound
from runbook.run.sources.stdin_inventory import with_standard_input

_OF_GATES: Final = "what it means holds only in the midst of a procedure, and such a check is named in full"


class Options(Struct, kw_only=True, frozen=True):
    """What a run is of.

    Attributes:
        runbooks: files, or names of built-in runbooks; none: all built-in ones.
        inventory: the file of environments; None: the one in force, as for `runbook check`.
        environments: names or globs; none: the only one, else the default.
        only: checks by name or glob, as `replicas-in-sync`, `ha/replicas-in-sync` or `replicas-*`; none: all.
        severity: checks milder than this are left out.
        objectives: only checks of these; none: all.
        deadline: seconds from the first request after which what has not answered is unknown; None: the usual, or
            what two looks need.
        files: manifests to judge, in place of those of the environments that are named, or of an inventory that is
            named, else by themselves; `-` is standard input.
        exclude: patterns of those files, and of folders, that are not read.
        before: a folder that holds the same files as they were; empty where that does not count.
        bundle: judge what this file holds; nothing is contacted.
        collected: judge these facts, and by those checks alone that need no others; nothing is contacted.
        trigger: why the run is made, for who reads the results.
        user_checks: folders with `probes/`, `views/` and `connections/` of one's own.
        link: the source and the target of the one link that checks of links are to look at; all links without.
        words: what a walk was told, as NAME → billing: parameters of checks for gates alone, before the inventory's.
    """

    runbooks: Sequence[str] = ()
    inventory: Path | None = None
    environments: Sequence[str] = ()
    only: Sequence[str] = ()
    severity: Severity = "info"
    objectives: Sequence[Objective] = ()
    deadline: float | None = None
    files: Sequence[str] = ()
    exclude: Sequence[str] = ()
    before: str = ""
    bundle: Path | None = None
    collected: Bundle | None = None
    trigger: Trigger = "manual"
    user_checks: Sequence[Path] = ()
    link: tuple[str, str] | None = None
    words: Mapping[str, str] = {}


class _DiagnosedEnvironment(Struct, frozen=True):
    """What causes were looked for in, which, and the facts as they would be without those that hold."""

    here: JudgedEnvironment
    causes: Sequence[CompiledCause]
    without: Facts


class CheckRun:
    """A run that is under way: follow `events` to their end, or `interrupt` it; then `run` is complete.

    Attributes:
        run: the run; without results until it is complete.
        runbooks: those it is of.
        mistakes: of the project's own runbooks that are left out for them, where none was named.
        named: the environments that were asked for, without those at the other ends of their links.
        store: where the inventory wants results kept; "" where nowhere, or where a bundle was judged.
        store_settings: how that store is reached.
        keep_facts: seconds for which facts are to be kept there; 0 where not at all, as of a run that is
            neither scheduled nor of an incident.
        keeps_facts: whether facts are kept there at all, so that there may be some to compare with.
        looked_at: the environments that it says something of; not those at the other ends of their links.
        runner: its judgements, and the facts they name.
    """

    def __init__(self, options: Options, began: float) -> None:
        """Read and plan; `began` is the moment on the monotonic clock from which loading counts."""
        for folder in options.user_checks:
            add_user_checks(folder)
        _check(options)
        bundle = load_bundle(options.bundle) if options.bundle else options.collected
        inventory = inventory_of(bundle, str(options.bundle)) if bundle else _inventory(options)
        if options.link is not None:
            meant = [mirror for mirror in inventory.mirrors if (mirror.from_, mirror.to) == options.link]
            inventory = structs.replace(inventory, mirrors=meant)
        targets = _targets(bundle, inventory, options.environments)
        if bundle is None:
            inventory = _with_given_files(inventory, [target.name for target in targets], options)
        prewarmed = PrewarmedWorkers()
        # Every run asks this of each cluster; which other libraries it takes is known once runbooks are read.
        if asked := sum(HEAD_CONNECTION in target.connections for target in ([] if bundle else targets)):
            prewarmed.prepare(HEAD_CONNECTION, asked)
        self.runbooks, compiled, self.mistakes = _sound(options.runbooks, prewarmed)
        left_out = [
            f"{file} has mistakes, and none of its checks is judged: runbook lint {file}"
            + "".join(f"; those of the built-in one: runbook check {BUILT_IN}{name}" for name in replaced_by([file]))
            for file in dict.fromkeys(mistake.place.file for mistake in self.mistakes)
        ]
        inventory = inventory_of_today(inventory, old_names(self.runbooks))
        if bundle is not None:
            inventory, unknown = as_known_today(inventory, [check for _, found in compiled for check in found])
            left_out += unknown
        if options.words:
            checks = [check for _, found in compiled for check in found]
            typed = {name: _with_words(of, checks, options.words) for name, of in inventory.targets.items()}
            inventory = structs.replace(inventory, targets=typed)
        targets = [inventory.targets[target.name] for target in targets]
        selection = _selection(options, self.runbooks)
        judgements = plan(compiled, inventory, targets, selection)
        _known(options, selection.only, [check for _, checks in compiled for check in checks])
        concerned = {t.name: t for t in targets} | {t.name: t for j in judgements for t in j.targets}
        self.named = [target.name for target in targets]
        about = {*self.named} | {judgement.environment for judgement in judgements}
        more = questions_of_causes(self.runbooks, judgements) if selection.everything and not bundle else ()
        asks = asks_of(judgements, concerned, more)
        self._limit = options.deadline or deadline_for({ask.looks for ask in asks if ask.looks})
        self.run = _run(options, compiled, bundle, self._limit, complete=selection.everything)
        here = [target for name, target in concerned.items() if name in about]
        names, rejudged = [runbook.name for runbook in self.runbooks], bundle is not None
        self.run.heads = heads_of(here, inventory, names, left_out, rejudged=rejudged, of_files=bool(options.files))
        self.run.heads += [Head(FLEET)] if any(judgement.environment == FLEET for judgement in judgements) else []
        self.run.ends = [Head(name) for name in concerned if name not in about]
        self.store, self.store_settings = ("", {}) if bundle else (inventory.results, inventory.results_settings)
        self.keep_facts = inventory.keep_facts if options.trigger in {"scheduled", "incident"} else 0.0
        self.keeps_facts = bool(self.store and inventory.keep_facts)
        self.runner = Runner(self.run, judgements, asks, inventory)
        self.looked_at = [concerned[name] for name in concerned if name in about]
        self._diagnosed: dict[str, _DiagnosedEnvironment] = {}
        self._began = began
        self._options = options
        self._bundle = bundle
        self._prewarmed = prewarmed

    @property
    def picked(self) -> bool:
        """Whether only some checks are meant, as those of a symptom."""
        return bool(self._options.only)

    def events(self) -> Iterator[Result | Progress]:
        """Ask the systems, or look into the bundle; give each result once it is known, and how far the run is.

        When they end, the run is complete, and what explains its failures is said in it.
        """
        yield from self.judged()
        self.diagnose()

    def judged(self) -> Iterator[Result | Progress]:
        """As `events`, without saying what explains failures."""
        if self._bundle:
            return self.runner.kept(self._bundle)
        folders = [str(folder.resolve()) for folder in self._options.user_checks]
        return self.runner.live(self._limit, folders, self._prewarmed, self._began)

    def interrupt(self) -> None:
        """End it now: what is not judged yet is unknown."""
        self.runner.interrupt()
        self.diagnose()

    def diagnose(self) -> None:
        """Say in the run what explains what failed, once it is complete."""
        judged = self.runner.judged()
        if not any(result.outcome is Outcome.FAIL or result.is_unknown for _, result in judged):
            return
        known = known_causes(self.runbooks)
        for target in self.looked_at:
            mine = [pair for pair in judged if _concerns(target, pair[0])]
            over_links = [judgement for judgement, _ in mine if judgement.subject_kind == "link"]
            ends = {of.name: of for judgement in over_links for of in judgement.targets if of.name != target.name}
            links = {of.link.name: Subject(of.targets[0], of.targets[-1], of.link) for of in over_links if of.link}
            ended, of_links = [*ends.values()], [*links.values()]
            here = JudgedEnvironment(target, self.runner.collected, mine, self.run.started_at, ended, of_links)
            explained = diagnose(here, known.causes, known.effects)
            explained.diagnosis.notes += known.notes
            self.run.diagnoses.append(explained.diagnosis)
            self._diagnosed[target.name] = _DiagnosedEnvironment(here, known.causes, explained.without)

    def tell_changes(self, kept: Bundle, environment: str) -> None:
        """Say in the complete run what changed in an environment since a kept look."""
        facts = self.runner.collected.facts
        as_it_is = observation_of_facts(environment, self.run.started_at, facts)
        explained = of_environment(self.run.diagnoses, environment)
        without = as_it_is
        if explained is not None:
            part_failures(explained, self._diagnosed[environment].here, kept)
        if explained is not None and explained.named:
            seen = self._diagnosed[environment]
            without = observation_of_facts(environment, self.run.started_at, seen.without)
            put_new_first(explained, seen.causes, seen.here, kept)
        tell_changes(self.run, kept, ExplainedObservation(as_it_is, without))

    def collected(self) -> Bundle:
        """The facts that were collected."""
        return self.runner.bundle()


def _concerns(target: Target, judgement: Judgement) -> bool:
    """Whether a judgement belongs to an environment: a link's to where it is judged, a fleet's to each member."""
    if judgement.subject_kind == "fleet":
        return any(target.name == of.name for of in judgement.targets)
    return target.name == judgement.environment


def start(options: Options, *, began: float | None = None) -> CheckRun:
    """Read and plan a run; nothing is asked before its events are followed.

    Args:
        options: what it is of.
        began: the moment on the monotonic clock from which loading counts; None: now.

    Raises:
        UsageError: something asked for is not there; with the remedy.
        Invalid: a runbook or the inventory has mistakes; with all of them.
    """
    return CheckRun(options, time.monotonic() if began is None else began)


def _inventory(options: Options) -> Inventory:
    """The inventory in force.

    Raises:
        Invalid: it has mistakes: with those, too, that only the runbooks tell.
    """
    if options.files and not options.environments and options.inventory is None:
        return inventory_of_files(options.files, options.exclude, options.before)
    try:
        return load_inventory(options.inventory)
    except Invalid as invalid:
        file = find_inventory(options.inventory)
        if file is None:
            raise
        behind = mistakes_of(file, read_sound(options.runbooks)[0])
        raise Invalid(list(dict.fromkeys([*invalid.problems, *behind]))) from None


def _selection(options: Options, books: Sequence[Runbook]) -> Selection:
    probes = options.collected.probes if options.collected else frozenset()
    only = words_of_today(one_by_one(options.only), books)
    return Selection(only, options.severity, (*options.objectives,), options.link, probes)


def _with_given_files(inventory: Inventory, names: Sequence[str], options: Options) -> Inventory:
    """An inventory in which these environments have the files that the command names, and what is piped in.

    Raises:
        UsageError: they can have none, or nothing is piped in.
    """
    if options.files and (options.environments or options.inventory):
        inventory = with_files(inventory, names, options.files, options.exclude, options.before)
    return with_standard_input(inventory, names)


def _sound(
    words: Sequence[str], prewarmed: PrewarmedWorkers
) -> tuple[list[Runbook], list[tuple[Runbook, list[Compiled]]], list[Problem]]:
    """The runbooks that are meant, compiled, and the mistakes of those that are left out, where none was named.

    Raises:
        Invalid: one that was named has mistakes; or all have. What was started early is stopped then.
    """
    try:
        books, problems = read_sound(words)
        compiled, mistakes = compile_sound(books)
        if mistakes and (words or not compiled):
            raise Invalid(with_way_on([*problems, *mistakes]))
    except RunbookError:
        prewarmed.stop()
        raise
    return [book for book, _ in compiled], compiled, [*problems, *mistakes]


def _with_words(target: Target, checks: Iterable[Compiled], words: Mapping[str, str]) -> Target:
    """An environment as if its inventory set for checks of gates what somebody typed: NAME=billing for `name`.

    Raises:
        UsageError: one is no value for its parameter.
    """
    params = {name: {**given} for name, given in target.environment.params.items()}
    for check in checks:
        for name, parameter in check.check.params.items() if check.check.gate else ():
            if name.upper() not in words:
                continue
            try:
                value = parameter.read(words[name.upper()])
            except ValueError as error:
                raise UsageError(f"{name.upper()} of {check.placed.name}: {error}") from error
            params.setdefault(check.placed.name, {})[name] = value
    return structs.replace(target, environment=structs.replace(target.environment, params=params))


def _check(options: Options) -> None:
    if options.deadline is not None:
        bounded(options.deadline)
    if options.bundle and options.trigger == "scheduled":
        raise UsageError(
            "--trigger scheduled: a run --from a bundle looks at nothing, so that it can't count as a round"
        )


def _run(
    options: Options,
    compiled: Sequence[tuple[Runbook, list[Compiled]]],
    bundle: Bundle | None,
    limit: float,
    *,
    complete: bool,
) -> Run:
    """The run as it is before anything is known: why it is made, and what is expected."""
    started_at = bundle.started_at if bundle else moment.now()
    return Run(
        id=bundle.run if bundle else run_id(started_at),
        tool_version=__version__,
        trigger=options.trigger,
        rejudged=options.bundle is not None,
        complete=complete,
        started_at=started_at,
        deadline_ms=round(limit * 1000),
        expected=expected(compiled),
        first_names={c.placed.name: c.placed.first_name for _, checks in compiled for c in checks if c.check.was},
    )


def _targets(bundle: Bundle | None, inventory: Inventory, patterns: Sequence[str]) -> list[Target]:
    if bundle and not patterns:
        if strange := [name for name in bundle.selected if name not in inventory.targets]:
            raise UsageError(
                f"{inventory.file} is about {strange[0]}, and holds no such environment: name one by --env"
            )
        return [inventory.targets[name] for name in bundle.selected or inventory.targets]
    return choose(inventory, patterns)


def _known(options: Options, words: Sequence[str], checks: Sequence[Compiled]) -> None:
    """See that each word of --only means a check that it selects.

    Raises:
        UsageError: it means none, or by a pattern those alone that hold only in the midst of a procedure.
    """
    names = [check.placed.name for check in checks]
    word = unmeant(words, names)
    if word is not None:
        known = names if "/" in word else [name.rpartition("/")[2] for name in names]
        listed = " ".join(["runbook list", *options.runbooks])
        raise UsageError(f"--only {word}: no such check; {did_you_mean(word, known, listed)}")
    for word in words:
        if not any(Selection((word,)).takes(check.placed.name, check.check) for check in checks):
            named = next(name for name in names if means(word, name))
            raise UsageError(f"--only {word}: {_OF_GATES}: --only {named}")
