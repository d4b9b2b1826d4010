import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec import structs

from kafka_lab import LabState
from kafka_lab.admin import change_settings
from runbook.evidence.bundle import FORMAT, Bundle, Kept, load_bundle, save_bundle
from runbook.evidence.kept_facts import fact_store, keep_facts
from runbook.model.ask import FactQuestion
from runbook.model.fact import Fact, Gap
from runbook.parse.inventory import Environment
from runbook.show.diff import schema
from runbook.stores import open_store
from support.documented import ROOT

PAGE = ROOT / "docs/how-to/what-changed.md"


def acl(*principals: str) -> Fact:
    """ACLs of these principals."""
    rest = {"host": "*", "operation": "Read", "permission": "Allow", "resource_type": "Topic", "resource": "a"}
    cells = {key: [value for _ in principals] for key, value in {**rest, "pattern": "Literal"}.items()}
    return Fact("kafka_acl", {"principal": [*principals], **cells})


def lag(records: int, *gaps: Gap) -> Fact:
    """One voter so far behind."""
    return Fact("kafka_quorum", {"node": [1], "voter": [True], "leader": [True], "lag": [records]}, list(gaps))


def keep(name: str, *facts: Fact, environment: str = "prod", at: str = "2026-11-23T06:00:00.000Z") -> str:
    """Keep facts as a bundle here."""
    kept = [Kept(FactQuestion(environment, "kafka", fact.source), {"": fact}) for fact in facts]
    bundle = Bundle(
        FORMAT, "0", "r1", at, {environment: Environment()}, {environment: {"kafka": []}}, [], kept, typed_gaps=True
    )
    save_bundle(Path(name), bundle)
    return name


def test_something_that_changed_ends_with_1_and_is_named(command: Any):
    old = keep("old.json", acl("User:a"), lag(3))
    new = keep("new.json", acl("User:a", "User:eve"), lag(9), at="2026-11-24T07:30:00.000Z")
    ended = command("diff", old, new)
    assert ended.code == 1
    assert ended.out.splitlines()[0] == "prod: from 2026-11-23 06:00:00 to 2026-11-24 07:30:00 UTC, 25 hours later"
    assert "  new      principal User:eve, host *, operation Read" in ended.out
    assert "1 change of counters and the like left out (--moving)" in " ".join(ended.out.split())


def test_nothing_that_changed_ends_with_0_and_what_moves_by_nature_is_nothing(command: Any):
    old, new = keep("old.json", acl("User:a"), lag(3)), keep("new.json", acl("User:a"), lag(9))
    ended = command("diff", old, new)
    assert (ended.code, "nothing changed\n" in ended.out) == (0, True)
    moving = command("diff", old, new, "--moving")
    assert (moving.code, "lag 3 → 9" in moving.out) == (1, True)


def test_what_one_look_did_not_see_is_neither_gone_nor_the_same(command: Any):
    hidden = Fact("kafka_acl", acl().columns, [Gap("broker 1 is silent")])
    ended = command("diff", keep("old.json", acl("User:a"), lag(3)), keep("new.json", hidden, lag(3)))
    assert ended.code == 3
    assert "nothing changed of what was seen twice" in ended.out
    assert "NEW: broker 1 is silent: 1 row of kafka_acl" in ended.out
    assert "gone" not in ended.out


def test_what_was_none_and_is_hidden_now_may_have_come(command: Any):
    hidden = Fact("kafka_acl", acl().columns, [Gap("broker 1 is silent")])
    ended = command("diff", keep("old.json", acl(), lag(3)), keep("new.json", hidden, lag(3)))
    assert (ended.code, "NEW: broker 1 is silent: kafka_acl" in ended.out) == (3, True)


def test_a_change_decides_although_not_all_was_seen(command: Any):
    gone = keep("new.json", acl())
    assert command("diff", keep("old.json", acl("User:a"), lag(3)), gone).code == 1


def test_nothing_to_compare_ends_with_4(command: Any):
    nothing = keep("old.json", acl())
    ended = command("diff", nothing, nothing)
    assert (ended.code, "nothing changed" in ended.out) == (4, False)


def test_two_looks_that_saw_nothing_say_so_and_why(command: Any):
    """A cluster that was down both times: it said "0 rows seen twice", and nothing else."""
    dead = Fact("kafka_acl", acl().columns, [Gap("connection refused")])
    ended = command("diff", keep("old.json", dead), keep("new.json", dead))
    assert ended.code == 4
    assert ended.out.splitlines()[1:] == [
        "  not known: nothing could be compared",
        "  why      NEW and OLD: connection refused",
        "0 rows seen twice",
    ]
    late = keep("new.json", Fact("kafka_acl", acl().columns, [Gap("it did not answer in 10 s")]))
    assert "NEW: it did not answer in 10 s; OLD: connection refused" in command("diff", "old.json", late).out
    document = json.loads(command("diff", "old.json", late, "--format", "json").out)
    assert document["environments"][0]["blind"] == {"old": "connection refused", "new": "it did not answer in 10 s"}
    nothing = keep("new.json", acl())
    assert "why      neither look saw anything" in command("diff", nothing, nothing).out


def test_so_many_rows_are_shown_and_json_has_all(command: Any):
    old, new = keep("old.json", lag(1)), keep("new.json", Fact("kafka_quorum", {**lag(1).columns, "voter": [False]}))
    save = [keep("old.json", acl("User:a"), lag(1)), keep("new.json", acl("User:b"), *[lag(1)])]
    assert command("diff", old, new).code in (1, 3)
    ended = command("diff", *save, "--rows", "1")
    assert ("gone" in ended.out, "  new " in ended.out, "… 1 more: --rows all" in ended.out) == (True, False, True)
    assert "  new " in command("diff", *save, "--rows", "all").out
    document = json.loads(command("diff", *save, "--rows", "1", "--format", "json").out)
    assert [change["kind"] for change in document["environments"][0]["changes"]] == ["went", "came"]


def test_the_document_fits_its_schema_and_every_field_is_documented(command: Any):
    old, new = keep("old.json", acl("User:a"), lag(1)), keep("new.json", acl("User:a", "User:\x1b[2J"))
    ended = command("diff", old, new, "--format", "json")
    document = json.loads(ended.out)
    Draft202012Validator(schema()).validate(document)
    assert document["exit_code"] == ended.code == 1
    assert "\x1b" not in ended.out + command("diff", old, new).out
    fields = {name for record in schema()["$defs"].values() for name in record.get("properties", ())}
    page = PAGE.read_text("utf-8")
    assert {name for name in fields if f"`{name}`" not in page} == set()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("no.json",), "can't be read"),
        (("old.json", "new.json", "--env", "stage"), "old.json holds no environment stage; it has prod"),
        (("old.json", "other.json"), "other.json holds nothing of prod: its environments are stage"),
        (("old.json", "--inventory", "i.yaml"), "i.yaml has no environment prod to look at now; it has stage"),
        (("old.json", "new.json", "--format", "yaml"), "--format yaml"),
        (("old.json", "new.json", "--rows", "few"), "--rows few"),
        (("old.json", "new.json", "--deadline", "soon"), "--deadline"),
    ],
)
def test_what_is_not_there_is_said(arguments: tuple[str, ...], said: str, command: Any):
    for name in ("old.json", "new.json"):
        keep(name, acl("User:a"))
    keep("other.json", acl("User:a"), environment="stage")
    Path("i.yaml").write_text("environments: {stage: {kafka: {bootstrap.servers: localhost:1}}}")
    ended = command("diff", *arguments)
    assert ended.code == 2
    assert said in ended.err


def test_the_systems_as_they_are_now_that_do_not_answer_are_no_change(command: Any):
    keep("old.json", acl("User:a"), Fact("of_our_own", {"name": ["a"]}))
    Path("i.yaml").write_text("environments: {prod: {kafka: {bootstrap.servers: 'localhost:1'}}}")
    ended = command("diff", "old.json", "--inventory", "i.yaml", "--deadline", "3s")
    assert ended.code == 3
    assert "1 row of kafka_acl" in ended.out
    assert "of_our_own" in ended.out  # a probe that is not known here tells nothing
    Path("absent.yaml").write_text("environments: {prod: {absent: {kafka: none of ours}}}")
    gone = command("diff", "old.json", "--inventory", "absent.yaml")
    assert (gone.code, "it does not apply: prod has no kafka: none of ours" in " ".join(gone.out.split())) == (3, True)


NOTHING_THERE = "absent: {kafka: none of ours}"
KEEPING = f"environments: {{prod: {{{NOTHING_THERE}}}}}\nresults: {{to: kept, keep_facts: 14d}}\n"


def test_scheduled_runs_keep_their_facts_where_the_inventory_wants_it_and_others_do_not(command: Any, here: Path):
    Path("environments.yaml").write_text(KEEPING)
    command("check", "ha", "--trigger", "manual")
    assert (len([*here.rglob("*.jsonl")]), [*here.rglob("*.json.gz")]) == (1, [])
    Path("without.yaml").write_text(KEEPING.replace(", keep_facts: 14d", ""))
    command("check", "ha", "--trigger", "scheduled", "--inventory", "without.yaml")
    assert [*here.rglob("*.json.gz")] == []
    command("check", "ha", "--trigger", "scheduled")
    [facts] = here.rglob("*.json.gz")
    assert f"{facts.name.removesuffix('.json.gz')}.jsonl" in [file.name for file in here.rglob("*.jsonl")]
    ended = command("diff", "last")
    assert (ended.code, "nothing changed" in ended.out) == (4, False)  # nothing of it applies
    command("check", "ha", "--trigger", "incident")
    [of_incident] = {*here.rglob("*.json.gz")} - {facts}
    assert of_incident.name.endswith(".incident.json.gz")


def test_facts_that_cannot_be_kept_are_told_and_the_results_are_kept(command: Any, here: Path):
    Path("environments.yaml").write_text(KEEPING)
    (here / "kept").mkdir()
    (here / "kept" / "facts").write_text("in the way")
    ended = command("check", "ha", "--trigger", "scheduled")
    assert (ended.code, "the results are kept, but not all of the facts" in ended.err) == (2, True)
    assert len([*here.rglob("*.jsonl")]) == 1


def kept_run(day: int, *principals: str, environment: str = "prod", of_incident: bool = False) -> None:
    """Keep facts of a run of that day."""
    keep("b.json", acl(*principals), environment=environment, at=f"2026-11-{day:02}T06:00:00.000Z")
    whole = structs.replace(load_bundle(Path("b.json")), run=f"202611{day:02}T060000Z-abc")
    keep_facts(fact_store(open_store("kept")), whole, dt.timedelta(days=30), of_incident=of_incident)


def test_runs_whose_facts_are_kept_are_looks_by_their_id_how_that_begins_or_as_the_last(command: Any):
    Path("environments.yaml").write_text(KEEPING)
    kept_run(16, "User:a")
    kept_run(23, "User:a", "User:b")
    ended = command("diff", "20261116", "last")
    assert (ended.code, "from 2026-11-16 06:00:00 to 2026-11-23 06:00:00 UTC, 7 days later" in ended.out) == (1, True)
    assert "principal User:b" in ended.out
    assert command("diff", "20261123T060000Z-abc", "last").code == 0
    elsewhere = command("diff", "20261116", "last", "--env", "prod", "--results", "kept")
    assert elsewhere.out == ended.out


def test_the_last_look_is_never_one_at_an_incident(command: Any):
    Path("environments.yaml").write_text(KEEPING)
    kept_run(24, "User:b", of_incident=True)
    assert "kept keeps facts of prod from looks at incidents only: 20261124T060000Z-abc" in command("diff", "last").err
    kept_run(23, "User:a")
    ended = command("diff", "last", "20261124")
    assert "from 2026-11-23 06:00:00 to 2026-11-24 06:00:00 UTC" in ended.out
    assert "principal User:b" in ended.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("20261101", "last"), "from the run 20261101: the last are 20261123T060000Z-abc"),
        (
            ("last", "--env", "stage"),
            "kept keeps no facts of stage yet. The inventory wants them of scheduled runs (keep_facts:), and none",
        ),
        (
            ("last", "--env", "stage"),
            "has kept them since. Make one:\n    runbook check --env stage --trigger scheduled\n",
        ),
        (
            ("last", "--env", "stage", "-i", "without.yaml", "--results", "kept"),
            "Let scheduled runs (--trigger scheduled) keep them, in the inventory:\n    results: {to: kept, ",
        ),
        (("last", "--env", "stage"), "runbook diff --help"),  # no page that only a clone of the repository has
        (
            ("last", "--env", "*"),
            "--env * means 2 environments, and the facts of each are kept for themselves: name one of stage, prod",
        ),
        (("last", "--results", "kafka://broker:9092/results"), "is no place for facts"),
        (("lost",), "the bundle lost can't be read"),
        (("yesterday",), "A run whose facts are kept is last, or when it was as its id begins (20261123, in UTC)"),
    ],
)
def test_a_kept_look_that_is_not_there_is_said(arguments: tuple[str, ...], said: str, command: Any):
    Path("environments.yaml").write_text(KEEPING.replace("{prod:", "{stage: {}, prod:") + "default: prod\n")
    Path("without.yaml").write_text("environments: {stage: {}}")
    kept_run(23, "User:a")
    ended = command("diff", *arguments)
    assert ended.code == 2
    assert said in ended.err


def test_a_check_that_sees_nothing_any_more_does_not_say_that_nothing_changed(command: Any):
    where = "environments: {prod: {kafka: {bootstrap.servers: '127.0.0.1:1'}}}\n"
    Path("environments.yaml").write_text(f"{where}results: {{to: kept, keep_facts: 14d}}\n")
    kept_run(23, "User:a")
    said = " ".join(command("check", "security", "--deadline", "3s").out.split())
    assert "CHANGED not known: nothing could be compared with what was seen Mon 2026-11-23 06:00 UTC" in said
    assert "why now: " in said
    assert "CHANGED nothing" not in said


@pytest.mark.live
def test_two_looks_at_a_healthy_lab_differ_in_nothing_but_what_somebody_changed(
    command: Any, healthy_lab: LabState, lab_inventory: Path
):
    at = ("--inventory", str(lab_inventory), "--deadline", "30s")
    assert command("check", "ha", *at, "--save", "old.json").code in (0, 1, 3)
    quiet = command("diff", "old.json", *at)
    assert (quiet.code, "  nothing changed\n" in quiet.out) == (0, True), quiet.out
    change_settings(healthy_lab, "topic", {"clicks": {"retention.ms": "3600000"}})
    try:
        changed = command("diff", "old.json", *at)
    finally:
        change_settings(healthy_lab, "topic", {"clicks": {"retention.ms": None}})
    assert changed.code == 1
    assert "topic clicks: " in changed.out.splitlines()[1]
    assert "overrides retention.ms not set → 3600000" in " ".join(changed.out.split())
