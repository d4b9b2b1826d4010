"""Cases: stored facts that show a check to pass, to fail, not to apply, not to know. They prove that it can fail.

A cause has them, too: they show it to hold, not to hold, and not to be known.

`tests/cases/RUNBOOK/ID.yaml`, beside the folder of the runbooks:

    base: healthy.json         # a bundle recorded from a real system (runbook check --save), beside this file
    cases:
      - name: a topic has one replica
        expect: fail                       # of a cause: holds, does_not_hold, unknown
        rows: [{name: orders}]             # the offending rows, by key; of a cause what it holds of; omitted: any
        reason: one broker down            # words the reason, or the sentence of the cause, must hold; omitted: any
        facts:                             # what differs from the base, by the fact's name in the block
          topic:
            change: [{where: {name: orders}, set: {replication_factor: 1}}]
            remove: [{name: clicks}]       # rows with these cells
            add: [{name: new, partitions: 1}]     # cells not given are those of the first row
            rows: []                       # instead of all rows of the base
            gaps: [broker 2 did not answer]
            inapplicable: the cluster runs in ZooKeeper mode
        environment: {labels: {tier: prod}, objectives: [availability], params: {ha/x: {spare: 2}}, absent: {}}
        link: {policy: identity}           # what the base's link, from `source` to `target`, declares otherwise

The fact of a first look is called `fact.before`.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct, structs

from runbook.evidence.bundle import FORMAT, Bundle, Kept, inventory_of, load_bundle
from runbook.judge.cause import CompiledCause
from runbook.judge.compiled import Compiled
from runbook.judge.table import BEFORE
from runbook.model.ask import FactQuestion
from runbook.model.block import Cause, Check
from runbook.model.errors import Invalid, Problem, UsageError
from runbook.model.fact import Fact
from runbook.model.link import Mirror
from runbook.model.run import Head, Run
from runbook.parse.block_fields import KINDS
from runbook.parse.inventory import Environment, Inventory, Target
from runbook.parse.old_names import inventory_of_today, old_names
from runbook.parse.runbook import LocatedBlock, Runbook, read_text
from runbook.parse.schema import mended
from runbook.parse.yaml_document import Document, read_yaml
from runbook.run.collection.collected_facts import CollectedFacts
from runbook.run.judgement.case_patch import NO_ROWS, NOT_HELD, CaseProblems, Cells, Patch, has, patched
from runbook.run.judgement.cause_search import Subject, asks_of_block, search_cause
from runbook.run.judgement.runner import Runner
from runbook.run.planning.plan import Selection, asks_of, plan
from runbook.run.sources.compiled_runbooks import compile_checks


class Case(Struct, frozen=True, forbid_unknown_fields=True):
    """One case of a check or a cause.

    Attributes:
        name: what is so in it, in a few words.
        expect: what is to come out: of a check pass, fail, unknown or not_applicable; of a cause the others.
        facts: what differs from the base, by the fact's name in the block; `fact.before` is its first look.
        rows: the offending rows, or what a cause holds of, each by the cells of its key, under the names that columns
            of the probe or view have (`runbook list --probes NAME`); left out: any.
        reason: words that the reason, or the sentence of the cause, must hold; left out: any.
        environment: what the inventory says of it: labels, objectives, params, absent.
        link: what the base's link, from `source` to `target`, declares otherwise.
    """

    name: str
    expect: Literal["pass", "fail", "unknown", "not_applicable", "holds", "does_not_hold"]
    facts: dict[str, Patch] = {}
    rows: list[Cells] | None = None
    reason: str = ""
    environment: dict[str, Any] = {}
    link: dict[str, Any] = {}


class CaseFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A file `tests/cases/RUNBOOK/ID.yaml`: all cases of a check or a cause.

    Attributes:
        base: a bundle beside this file, recorded by `runbook check --save`; without one, every fact begins empty.
        cases: of a check at least one that passes and one that fails.
    """

    cases: list[Case]
    base: str = ""


WRITTEN = {**KINDS, "case-file": CaseFile}
"""What whoever writes a runbook writes, beside prose -> the record of its fields."""


_SOURCE, _TARGET = "source", "target"  # of a case over a link, its environments


_NO_OUTCOME: Final[Mapping[type, tuple[str, ...]]] = {
    Check: ("severity", "consequence"),
    Cause: ("first", "avoid", "procedure", "proof"),
}
"""Kind of block → what of it no case proves anything of: what is done about it, and how much it weighs."""


class Tried(Struct, frozen=True):
    """What came of a case: `wrong` says how it differs from what is expected; empty if it does not."""

    block: str
    case: str
    expect: str
    wrong: str


class CameOut(Struct, frozen=True):
    """What is so over the facts of a case.

    Attributes:
        outcome: in the words of `Case.expect`, or another word where nothing can be expected.
        reason: what is said of it.
        rows: the offending rows, or what a cause holds of, by key.
    """

    outcome: str
    reason: str
    rows: list[Cells]


def case_file(runbook: Path, block: Check | Cause) -> Path:
    """Where the cases of a check or a cause of a runbook file are: under its id, or an old one where that is there."""
    folder = runbook.resolve().parents[1] / "tests" / "cases" / runbook.stem
    files = [folder / f"{name}.yaml" for name in (block.id, *block.was)]
    return next((file for file in files if file.exists()), files[0])


def cases_of_block(runbook: Runbook, placed: LocatedBlock, block: Check | Cause) -> Path:
    """Where the cases of a block are: beside its runbook, or where what it extends has them, if they prove it, too.

    An amendment that may change the outcome is proved by cases of one's own.
    """
    own = case_file(Path(runbook.path), block)
    came = placed.base or placed
    if runbook.own is None or own.exists() or came.source.start.file == runbook.path:
        return own
    same = {name: getattr(came.block, name) for name in _NO_OUTCOME[type(block)]}
    alike = structs.replace(placed, block=structs.replace(block, **same))
    return own if alike.digest() != came.digest() else case_file(Path(came.source.start.file), block)


def read_cases(file: Path, shown: str, problems: list[Problem]) -> tuple[CaseFile, Document]:
    """Read the cases of a block; mistakes that leave cases to judge are added to `problems`.

    Raises:
        Invalid: nothing is left; with the problems of the file.
    """
    document = read_yaml(read_text(file, shown), shown, found=problems)
    cases = mended(document, CaseFile, "case file", problems)
    if cases is None:
        raise Invalid(problems)
    return cases, document


def try_cases(runbook: Runbook, ready: Compiled | CompiledCause, file: Path, shown: str) -> list[Tried]:
    """Judge every case of a check, or look for a cause in each of its cases.

    Raises:
        Invalid: the case file has mistakes, names facts or columns that are not there, or its base is no bundle.
    """
    problems: list[Problem] = []
    cases, document = read_cases(file, shown, problems)
    base = _base(cases, file, document, problems)
    if base is None:
        raise Invalid(problems)
    verify = _verifying(runbook, ready) if isinstance(ready, CompiledCause) else []
    tried: list[Tried] = []
    for i, case in enumerate(cases.cases):
        case_problems = CaseProblems(document, ("cases", i), problems, cases.base)
        came = _come_out(runbook, ready, verify, case, base, case_problems)
        if came is not None:
            tried.append(Tried(ready.placed.name, case.name, case.expect, _difference(case, came)))
    if problems:
        raise Invalid(problems)
    return tried


def _verifying(runbook: Runbook, cause: CompiledCause) -> list[Compiled]:
    """The checks that verify a cause: what their parameters are set to is in force for it."""
    verify = tuple(check for check in runbook.checks() if check.block.id in cause.cause.verify)
    return compile_checks(structs.replace(runbook, parts=verify))[0]


def _base(cases: CaseFile, file: Path, document: Document, problems: list[Problem]) -> Bundle | None:
    if not cases.base:
        return _empty()
    try:
        return _loaded(file.parent / cases.base)
    except UsageError as error:  # it is not there, or is no bundle
        remedy = "base: names a file beside this one, or is left out"
        problems.append(Problem(document.place(("base",)), str(error), remedy))
        return None


def _loaded(file: Path) -> Bundle:
    """A base, read once while it stays as it is: most case files of a runbook name the same."""
    try:
        stands = file.stat()
    except OSError:
        return load_bundle(file)  # which says what is the matter
    return _bundle(file, (stands.st_mtime_ns, stands.st_size))


@lru_cache(maxsize=4)
def _bundle(file: Path, _stands: tuple[int, int]) -> Bundle:
    return load_bundle(file)


def _environment(case_problems: CaseProblems, given: Mapping[str, Any], start: Environment) -> Environment:
    merged = msgspec.to_builtins(start) | dict(given)
    merged.pop("cluster_id", None)  # a case is about another cluster than the one that was recorded
    try:
        return msgspec.convert(merged, Environment)
    except msgspec.ValidationError as error:
        case_problems.add(("environment",), f"environment of the case: {error}", "as in an inventory")
        return start


def _empty() -> Bundle:
    now = "2026-01-01T00:00:00.000Z"
    return Bundle(FORMAT, "", "case", now, {"stored": Environment()}, {"stored": []}, [], [])


def _come_out(
    runbook: Runbook,
    ready: Compiled | CompiledCause,
    verify: list[Compiled],
    case: Case,
    base: Bundle,
    case_problems: CaseProblems,
) -> CameOut | None:
    compiled = ready if isinstance(ready, Compiled) else ready.compiled
    inventory = _inventory(compiled, case, base, case_problems)
    if case.environment:
        inventory = inventory_of_today(inventory, old_names([runbook]))
    for name in case.facts:
        if name.removesuffix(f".{BEFORE}") not in compiled.check.facts:
            case_problems.add(("facts", name), f'{compiled.placed.name} has no fact "{name}"', _known(compiled))
            return None
    if isinstance(ready, Compiled):
        return _judged(runbook, ready, case, base, inventory, case_problems)
    return _looked_for((runbook, verify), ready, case, base, inventory, case_problems)


def _judged(
    runbook: Runbook, compiled: Compiled, case: Case, base: Bundle, inventory: Inventory, case_problems: CaseProblems
) -> CameOut | None:
    target = next(iter(inventory.targets.values()))
    try:
        judgements = plan([(runbook, [compiled])], inventory, [target], Selection((compiled.placed.name,)))
    except Invalid as error:  # of the parameters, which no file holds but that of the case
        for problem in error.problems:
            case_problems.add(("environment", "params"), problem.message, problem.remedy)
        return None
    asks = {t.name: t for judgement in judgements for t in judgement.targets}
    run = Run("case", "", "manual", complete=True, started_at=base.started_at, deadline_ms=0, heads=[Head(target.name)])
    runner = Runner(run, judgements, asks_of(judgements, asks), inventory)
    facts = {kept.ask: kept.facts for kept in base.kept}
    for judgement in judgements:
        _patch_facts(compiled, case, judgement.asks, facts, case_problems)
    for _ in runner.kept(structs.replace(base, kept=[Kept(ask, fact) for ask, fact in facts.items()])):
        pass
    result = run.results[0]
    return CameOut(result.outcome, result.reason, [row.key for row in result.rows if row.outcome == "fail"])


def _looked_for(
    verified: tuple[Runbook, list[Compiled]],
    cause: CompiledCause,
    case: Case,
    base: Bundle,
    inventory: Inventory,
    case_problems: CaseProblems,
) -> CameOut:
    """As in a run: also what parameters of the checks under `verify` are set to is in force."""
    target, source = next(iter(inventory.targets.values())), inventory.targets.get(_SOURCE)
    subject = Subject(target, source, next(iter(inventory.mirrors), None))  # of an environment there are neither
    facts = {kept.ask: kept.facts for kept in base.kept}
    _patch_facts(cause.compiled, case, asks_of_block(cause, subject), facts, case_problems)
    judgements = plan([verified], inventory, [target], Selection())
    looked = search_cause(cause, subject, CollectedFacts(facts), judgements, base.started_at)
    if looked is None:
        return CameOut("not looked for", "neither the case nor its base holds all of its facts", [])
    certain = [finding for finding in looked.findings if finding.certain]
    if certain:
        return CameOut("holds", "; ".join(finding.says for finding in certain), [finding.keys for finding in certain])
    doubts = [*(finding.doubt for finding in looked.findings), looked.unseen]
    return CameOut("unknown" if any(doubts) else "does_not_hold", "; ".join(filter(None, doubts)), [])


def _known(compiled: Compiled) -> str:
    return "known: " + ", ".join(compiled.check.facts)


def _inventory(compiled: Compiled, case: Case, base: Bundle, case_problems: CaseProblems) -> Inventory:
    """The base's inventory with the case's changes; a link check gets the two ends it needs."""
    inventory = inventory_of(base, "case")
    first = next(iter(inventory.targets.values()))
    environment = _environment(case_problems, case.environment, first.environment)
    kinds: dict[str, dict[str, Any]] = {
        kind: {}
        for probe in compiled.sources.probes.values()
        for kind in probe.connections
        if kind not in environment.absent
    }
    names = [first.name] if compiled.check.over != "link" else [_TARGET, _SOURCE]
    targets = {name: Target(name, environment, dict(kinds)) for name in names}
    mirrors = [_link(case, inventory, case_problems)] if compiled.check.over == "link" else []
    return structs.replace(inventory, targets=targets, mirrors=mirrors)


def _link(case: Case, base: Inventory, case_problems: CaseProblems) -> Mirror:
    declared = msgspec.to_builtins(base.mirrors[0]) if base.mirrors else {}
    try:
        return msgspec.convert(declared | {"from": _SOURCE, "to": _TARGET} | case.link, Mirror)
    except msgspec.ValidationError as error:
        case_problems.add(("link",), f"link of the case: {error}", "as a mirror of an inventory")
        return Mirror(_SOURCE, _TARGET)


def _patch_facts(
    compiled: Compiled,
    case: Case,
    asks: Mapping[str, list[FactQuestion]],
    kept: dict[FactQuestion, dict[str, Fact]],
    case_problems: CaseProblems,
) -> None:
    for name, asked in asks.items():
        for ask in asked:
            _patch_fact(compiled, case, name, ask, kept, case_problems)


def _patch_fact(
    compiled: Compiled,
    case: Case,
    name: str,
    ask: FactQuestion,
    kept: dict[FactQuestion, dict[str, Fact]],
    case_problems: CaseProblems,
) -> None:
    columns = compiled.sources.columns[name]
    looks = ("", BEFORE) if ask.looks else ("",)
    before = kept.get(ask, {})
    facts: dict[str, Fact] = {}
    for suffix in looks:
        shown = f"{name}.{suffix}" if suffix else name
        fact = before.get(suffix)
        if fact is None and shown not in case.facts:
            return  # the runner then says that the base does not hold it
        lacking = NO_ROWS
        if fact is None:
            fact = Fact(ask.probe, {column.name: [] for column in columns})
            lacking = NOT_HELD.format(case_problems.base) if case_problems.base else NO_ROWS
        patch = case.facts.get(shown, Patch())
        facts[suffix] = patched(fact, columns, patch, case_problems.within("facts", shown), lacking)
    kept[ask] = facts


def _difference(case: Case, came: CameOut) -> str:
    if came.outcome != case.expect:
        return f"is {came.outcome}: {came.reason}"
    if case.reason and case.reason not in came.reason:
        return f"gives another reason: {came.reason}"
    if case.rows is not None:
        missing = [row for row in case.rows if not any(has(key, row) for key in came.rows)]
        surplus = [key for key in came.rows if not any(has(key, row) for row in case.rows)]
        if missing or surplus:
            told = [f"missing {_named(missing)}"] if missing else []
            told += [f"not expected {_named(surplus)}"] if surplus else []
            return f"rows differ: {'; '.join(told)}{_key_words(missing, came.rows)}"
    return ""


def _key_words(missing: Sequence[Cells], came: Sequence[Cells]) -> str:
    """By which columns rows are named, where a row that is expected has none of those; else nothing."""
    columns = dict.fromkeys(column for row in came for column in row)
    if not came or all(columns.keys() & row.keys() for row in missing):
        return ""
    return f"; a row is named by its key, which is {' and '.join(columns)} here"


def _named(rows: Sequence[Cells]) -> str:
    return ", ".join(" ".join(f"{column} {value}" for column, value in row.items()) for row in rows)
