"""Small runbooks, facts and environments, for tests that need one and care about a line of it."""

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from runbook.evidence.bundle import FORMAT, Bundle, Kept
from runbook.judge.compiled import Compiled, compile_check
from runbook.judge.judge import Context
from runbook.model.ask import FactQuestion
from runbook.model.fact import Fact, Gap
from runbook.model.link import Mirror
from runbook.model.objective import Ranking
from runbook.model.old_gaps import from_sentence
from runbook.model.result import JudgedRow, Outcome, Result
from runbook.model.run import Expected, Head, Run
from runbook.parse.inventory import Environment, Inventory, Target
from runbook.parse.runbook import Runbook, parse_runbook
from runbook.parse.yaml_document import read_yaml
from runbook.plugins.catalog import catalog
from runbook.run.judgement.runner import Runner
from runbook.run.planning.plan import Selection, asks_of, plan

FAKES = Path(__file__).with_name("fakes")
FRONT = """---
title: A small runbook
version: 1.0.0
changes:
  - {version: 1.0.0, date: 2026-11-21, note: first}
---
"""
NOW = "2026-11-21T10:00:00+00:00"
Facts = dict[tuple[str, str], Fact | dict[str, Fact]]
ROWS = "facts: {row: {probe: fake_row}}\n"
EACH = ROWS + "expect: {each: row, that: row.size <= 10}"
GOOD, BAD = [{"name": "a", "size": 1}], [{"name": "a", "size": 11}]
LINK = """
    over: link
    facts: {src: {probe: fake_row, at: source}, dst: {probe: fake_row, at: target}}
    views: {double: {view: fake_double, of: {row: src}}}
    expect: {all: dst, that: size(dst.name) >= size(double.name)}
"""
FLEET_SAME = "over: fleet\n" + ROWS + "expect: {same: row, by: [name], value: [size]}"


def check_text(body: str, identity: str = "any", **fields: str) -> str:
    """A check block; `fields` replace or add to its head, `body` is the rest of its YAML."""
    head = {"id": identity, "title": "It is as it should be", "severity": "high"} | fields
    lines = [f"{name}: {value}" for name, value in head.items()]
    return "\n".join(["```yaml {.check}", *lines, textwrap.dedent(body).strip("\n"), "```", ""])


def small_runbook(*blocks: str, name: str = "small") -> Runbook:
    """A runbook of these blocks."""
    return parse_runbook(FRONT + "\n".join(blocks), name, f"{name}.md")


def compiled(body: str, **fields: str) -> Compiled:
    """The one check of a runbook, compiled."""
    [placed] = small_runbook(check_text(body, **fields)).checks()
    return compile_check(placed)


def fact(
    probe: str, rows: Sequence[Mapping[str, Any]] = (), gaps: Sequence[str | Gap] = (), *, inapplicable: str = ""
) -> Fact:
    """The fact of a probe or view; cells that a row does not name are not known."""
    room, attribute = ("probes", "PROBE") if probe in catalog("probes") else ("views", "VIEW")
    columns = getattr(catalog(room).load(probe), attribute).columns
    table = {column.name: [row.get(column.name) for row in rows] for column in columns}
    assert all(set(row) <= set(table) for row in rows), "a row names a column that is not there"
    missing = [gap if isinstance(gap, Gap) else from_sentence(gap) for gap in gaps]
    return Fact(probe, table, missing, inapplicable, NOW)


def context(ranking: Ranking | None = None, params: Mapping[str, Any] | None = None, **labels: str) -> Context:
    """The side of an environment named prod."""
    return Context("prod", labels, ranking or Ranking(), dict(params or {}), NOW)


def inventory(*mirrors: Mirror, **targets: Target) -> Inventory:
    """An inventory of these targets."""
    return Inventory("inventory.yaml", read_yaml("{}", "inventory.yaml"), targets, list(mirrors))


def target(name: str, connections: Mapping[str, Any] | None = None, **environment: Any) -> Target:
    """An environment with a connection to nothing, unless others are given."""
    kinds = {"fake": {}} if connections is None else connections
    return Target(name, Environment(**environment), dict(kinds))


def empty_run(*environments: str, **fields: Any) -> Run:
    """A run that has not begun."""
    values: dict[str, Any] = {"complete": True, "started_at": NOW, "deadline_ms": 10_000} | fields
    return Run("20261121T100000Z-0123456789ab", "0.0.0", "manual", heads=[Head(e) for e in environments], **values)


def result(check: str, environment: str, outcome: Outcome = Outcome.PASS, **fields: Any) -> Result:
    """A result like any other; `fields` replace some of its own."""
    values: dict[str, Any] = {
        "reason": "because",
        "rows": [JudgedRow({"topic": "a"}, "bad")],
        "title": "It is so",
        "severity": "high",
        "objectives": [],
        "subject": environment,
        "subject_kind": "environment",
        "judged": 1,
        "failed": 0,
        "undecided": 0,
        "gaps": [],
        "common": [],
        "waiver": None,
        "ranking": [],
        "params": {},
        "overridden": [],
        "proof": "observed",
        "remedy": "",
        "evidence": [],
        "runbook": "small",
        "runbook_version": "1.0.0",
        "runbook_digest": "",
        "check_digest": "",
    }
    return Result(check=check, environment=environment, outcome=outcome, **(values | fields))


def runner_of(ends: Inventory, *blocks: str, chosen: list[str] | None = None, heads: tuple[str, ...] = ()) -> Runner:
    """A runner of these checks over all, or the chosen, environments."""
    book = small_runbook(*blocks)
    checks = [compile_check(placed) for placed in book.checks()]
    targets = [ends.targets[name] for name in chosen or ends.targets]
    judgements = plan([(book, checks)], ends, targets, Selection())
    concerned = {t.name: t for t in targets} | {t.name: t for j in judgements for t in j.targets}
    run = empty_run(*concerned, *heads)
    run.expected = [
        Expected(c.placed.name, c.check.severity, c.placed.digest(), book.name, book.front.version) for c in checks
    ]
    return Runner(run, judgements, asks_of(judgements, concerned), ends)


def stored(facts: Facts) -> Bundle:
    """A bundle of facts by environment and probe; two looks are given as {"before": …, "": …}."""
    kept = []
    for (environment, probe), fact in facts.items():
        [connection] = catalog("probes").load(probe).PROBE.connections
        looks = {"": fact} if isinstance(fact, Fact) else dict(fact)
        ask = FactQuestion(environment, connection, probe, looks="" if isinstance(fact, Fact) else "1s")
        kept.append(Kept(ask, looks))
    return Bundle(FORMAT, "0", "r", NOW, {}, {}, [], kept, typed_gaps=True)


def judged(ends: Inventory, facts: Facts, *blocks: str, heads: tuple[str, ...] = ()) -> Run:
    """The run of these checks over stored facts."""
    runner = runner_of(ends, *blocks, heads=heads)
    for _ in runner.kept(stored(facts)):
        pass
    return runner.run
