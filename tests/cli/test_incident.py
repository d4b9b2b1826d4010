"""One page of what is on record of an incident."""

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from msgspec import structs

from runbook.evidence.bundle import FORMAT, Bundle, Kept
from runbook.evidence.kept_facts import fact_store, keep_facts
from runbook.model.ask import FactQuestion
from runbook.model.fact import Fact, Gap
from runbook.model.result import Outcome
from runbook.parse.inventory import Environment
from runbook.procedure.walk_file import SUFFIX
from runbook.procedure.walk_record import Done, Ended, Entry, NoteTaken, Overruled, Paused, Resumed
from runbook.stores import open_store
from support.kept_incident import SPAN, fails, gate, keep, keep_walk, page
from support.small_runbooks import fact, result
from support.small_walks import BEGUN, written

HOSTILE = "<script>|`x`*\x1b[31m"


@pytest.fixture
def incident(here: Path) -> Path:
    """Three looks and a walk, with what was before and after it."""
    keep(4, fails("ha/too-early"))
    keep(6, fails("ha/a"), result("ha/b", "prod", Outcome.UNKNOWN, reason="no answer"), cause="broker 2 is down")
    keep(7, result("ha/a", "prod"), result("ha/b", "prod"), fails("ha/c"), cause=HOSTILE)
    keep(9, fails("ha/too-late"))
    at = "2026-11-24T06:45:00.000Z"
    entries = [
        structs.replace(BEGUN, at=at),
        Done("step 1", "ada", at),
        NoteTaken("step 2", "ada", at, "bob decided"),
        Overruled("after step 2", "bob", at, "no time", ["small/moved"]),
        Ended("completed", "ada", at),
    ]
    (here / "walks").mkdir()
    (here / "walks" / f"w{SUFFIX}").write_bytes(written(entries))
    return here


def keep_look(hour: int, seen: Fact, *, of_incident: bool = False) -> None:
    """Keep the facts of a run of that hour."""
    began, name = f"2026-11-24T0{hour}:30:00.000Z", f"20261124T0{hour}3000Z-0123456789ab"
    kept = [Kept(FactQuestion("prod", "kafka", "kafka_topic"), {"": seen})]
    bundle = Bundle(FORMAT, "0", name, began, {"prod": Environment()}, {}, [], kept, ["prod"], typed_gaps=True)
    keep_facts(fact_store(open_store("kept")), bundle, dt.timedelta(days=30), of_incident=of_incident)


@pytest.mark.usefixtures("incident")
def test_it_says_what_failed_why_and_what_was_done_by_whom(command: Any) -> None:
    text = page(command)
    assert "named at 2026-11-24 06:30:00: broker 2 is down" in text
    assert "2 looks; 2 checks failed at some time." in text
    assert "When last looked at, until 2026-11-24 07:30:00, 1 failed: ha/c." in text
    for line in (
        "| 2026-11-24 06:30:00 | check (manual) | 0 pass, 1 fail, 1 unknown |",
        "| fails now: ha/a |",
        "| unknown now: ha/b |",
        "| passes now: ha/a, ha/b |",
        "| fails now: ha/c |",
        "small#move: step 1 is said to be done |",
        "| ada | small#move: noted at step 2: bob decided |",
        "| bob | small#move: gate after step 2 overruled (small/moved): no time |",
    ):
        assert line in text
    assert "| at 2026-11-24 06:30:00 | no answer | ha/b |" in text
    assert "too-early" not in text
    assert "too-late" not in text


def test_looks_that_were_not_whole_are_marked_as_in_the_list_of_results(command: Any, here: Path) -> None:
    (here / "walks").mkdir()
    keep(6, fails("ha/a"))
    keep(7, fails("ha/a"), complete=False, interrupted=True)
    text = page(command)
    assert "| check (manual) | 0 pass, 1 fail, 0 unknown |" in text
    assert "| check (manual) | 0 pass, 1 fail, 0 unknown (not all checks; interrupted) |" in text
    assert "(not all checks; interrupted)" in command("results", "list", "kept").out


@pytest.mark.usefixtures("here")
def test_a_gate_of_a_walk_is_a_look_at_what_it_saw(command: Any) -> None:
    keep(6, fails("ha/a"), fails("ha/b"))
    keep_walk(gate("prod", "ha/a"))
    text = page(command)
    assert "- 1 look and 1 gate of walks; 2 checks failed at some time." in text
    assert "- When last looked at, until 2026-11-24 07:10:00, 1 failed, seen last at 2026-11-24 06:30:00: ha/b." in text


@pytest.mark.parametrize(
    ("subject", "begun"), [("prod", {"rehearsal": True}), ("us", {"source": "us", "target": "prod"})]
)
@pytest.mark.usefixtures("here")
def test_a_gate_tells_nothing_of_kept_facts_or_of_the_other_end_of_a_link(
    command: Any, subject: str, begun: dict[str, Any]
) -> None:
    keep(6, result("ha/a", "prod"))
    keep_walk(gate(subject, "ha/a", outcome=Outcome.FAIL), **begun)
    text = page(command)
    assert "- 1 look; 0 checks failed at some time." in text
    assert "until 2026-11-24 06:30:00, none failed." in text


@pytest.mark.parametrize(
    ("last", "said"),
    [
        (Ended("completed", "bob", "2026-11-24T07:20:00.000Z"), "completed by bob at 2026-11-24 07:20:00"),
        (Ended("given up", "bob", "2026-11-24T07:20:00.000Z", "late"), "given up by bob at 2026-11-24 07:20:00: late"),
        (Paused("bob", "2026-11-24T07:20:00.000Z"), "paused by bob at 2026-11-24 07:20:00"),
        (Resumed("bob", "2026-11-24T07:20:00.000Z", attended=True), "under way, as of 2026-11-24 07:20:00"),
    ],
)
@pytest.mark.usefixtures("here")
def test_each_walk_says_how_it_ended(command: Any, last: Entry, said: str) -> None:
    keep(6)
    keep_walk(last)
    assert f"- small/move: Move it, begun by ada; {said}\n" in page(command)


@pytest.mark.usefixtures("incident")
def test_what_is_not_on_record_is_said(command: Any) -> None:
    text = page(command)
    assert "- Looks whose results were not kept: write results: into the inventory, or --results with a check." in text
    assert "no walks are kept in nowhere" in command("incident", *SPAN, "--walks", "nowhere").out


@pytest.mark.usefixtures("incident")
def test_a_file_that_was_changed_is_named_and_its_line_is_left_out(command: Any) -> None:
    [file] = Path("kept").rglob("20261124T063000Z-*.jsonl")
    file.write_bytes(file.read_bytes().replace(b"no answer", b"no Answer"))
    text = page(command)
    assert "run 20261124T063000Z-0123456789ab: line 3: it is not what was written there" in text
    assert "no Answer" not in text


@pytest.mark.usefixtures("incident")
def test_what_changed_between_kept_facts_is_told(command: Any) -> None:
    for hour, minimum in ((5, 2), (6, 3)):
        keep_look(hour, fact("kafka_topic", [{"name": "payments", "min_insync_replicas": minimum}]))
    assert "- 2026-11-24 06:30:00 changed topic payments: min\\_insync\\_replicas 2 → 3" in page(command)


@pytest.mark.usefixtures("incident")
def test_where_no_facts_are_kept_it_says_how_they_come_to_be_and_no_command_that_fails(command: Any) -> None:
    text = page(command)
    assert "- what changed: kept keeps no facts of prod. Before there is a next incident, write into the" in text
    assert "results: \\{to: kept, keep\\_facts: 14d\\}; runs with --trigger incident and scheduled ones keep" in text
    assert "runbook diff" not in text
    inventory = "environments: {prod: {}}\nresults: {to: kept, keep_facts: 14d}\n"
    Path("environments.yaml").write_text(inventory)
    assert "The inventory wants them (keep\\_facts:); runbook check --trigger scheduled keeps them\n" in page(command)
    keep_look(4, fact("kafka_topic", [{"name": "payments"}]), of_incident=True)
    text = page(command)
    assert "- what changed: kept keeps facts of fewer than two runs around that time" in text
    assert "runbook diff last" not in text  # it would find none
    keep_look(5, fact("kafka_topic", [{"name": "payments"}]))
    [first] = Path("kept").rglob("*.incident.json.gz")
    first.unlink()
    text = page(command)
    assert "- what changed: kept keeps facts of fewer than two runs around that time" in text
    assert "What has changed until now: runbook diff last --env prod\n" in text


@pytest.mark.usefixtures("incident")
def test_facts_that_are_missing_at_the_end_did_not_stay_the_same(command: Any) -> None:
    keep_look(5, seen := fact("kafka_topic", [{"name": "payments", "min_insync_replicas": 2}]))
    keep_look(6, Fact("kafka_topic", {name: [] for name in seen.columns}, [Gap("connection refused")]))
    text = page(command)
    assert "Nothing could be compared: nothing was seen twice." in text
    assert "- the last look: connection refused: 1 row of kafka\\_topic" in text


@pytest.mark.usefixtures("incident")
def test_nothing_that_others_wrote_is_markup(command: Any) -> None:
    text = page(command)
    kinds = {part.type for token in MarkdownIt("commonmark").parse(text) for part in (token, *(token.children or ()))}
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "code_block", "fence", "code_inline"}
    assert "\x1b" not in text


@pytest.mark.usefixtures("incident")
def test_it_is_written_where_asked(command: Any) -> None:
    ended = command("incident", *SPAN, "--out", "page.md")
    assert (ended.code, ended.out, ended.err) == (0, "", "kept: record of the incident in page.md\n")
    assert Path("page.md").read_text().startswith("# Incident record: prod")


@pytest.mark.parametrize(("name", "code"), [("page", 0), ("page.TXT", 0), ("page.html", 2), ("page.json", 2)])
@pytest.mark.usefixtures("incident")
def test_a_file_whose_ending_promises_no_markdown_is_refused(command: Any, name: str, code: int) -> None:
    ended = command("incident", *SPAN, "--out", name)
    assert (ended.code, Path(name).exists()) == (code, code == 0)
    assert ("--out page." in ended.err and "the page is Markdown: name it .md or .txt" in ended.err) == (code == 2)


@pytest.mark.parametrize("words", [("incident",), ("pauses",)])
@pytest.mark.usefixtures("here")
def test_the_help_says_that_one_environment_is_meant(command: Any, words: tuple[str, ...]) -> None:
    said = " ".join(command(*words, "--help").out.split())
    assert "One environment, by name or glob. Default: the only one" in said
    assert "Environment, or glob. Repeatable." not in said


@pytest.mark.usefixtures("here")
def test_nothing_on_record_is_no_success(command: Any) -> None:
    Path("kept").mkdir()
    ended = command("incident", *SPAN)
    assert (ended.code, "Nothing is on record." in ended.out) == (4, True)


@pytest.mark.usefixtures("here")
def test_a_run_judged_from_a_bundle_is_no_look(command: Any) -> None:
    keep(6, fails("ha/a"), rejudged=True)
    assert command("incident", *SPAN).code == 4


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            ("--from", "noon"),
            "--from noon: write a moment, as 2026-11-24T06:00, a time of the last 24 hours in UTC, as",
        ),
        (("--from", "24:00"), "--from 24:00: write a moment"),
        (("--to", "2026-11-24T05:00"), "--from 2026-11-24T06:00 is not before --to 2026-11-24T05:00"),
        (("--results", "nowhere"), "nowhere"),
    ],
)
@pytest.mark.usefixtures("here")
def test_what_is_meant_must_be_there(command: Any, more: tuple[str, ...], said: str) -> None:
    ended = command("incident", *SPAN, *more)
    assert ended.code in (2, 4)
    assert said in ended.err + ended.out


@pytest.mark.usefixtures("incident")
def test_an_environment_that_nobody_knows_is_told_and_gets_no_page(command: Any) -> None:
    Path("environments.yaml").write_text("environments: {stage: {}}")
    arguments = ("incident", "--env", "prdo", *SPAN[2:], "--walks", "walks", "--out", "page.md")
    done = command(*arguments)
    assert (done.code, done.out, Path("page.md").exists()) == (2, "", False)
    assert "no environment prdo in kept or environments.yaml: did you mean prod? known: prod, stage" in done.err
    assert command("incident", "--env", "stage", *SPAN[2:], "--walks", "walks").code == 4  # known, and nothing is kept


@pytest.mark.usefixtures("here")
def test_no_name_of_a_check_is_cut_where_many_fail(command: Any):
    names = [f"schema-governance/a-name-as-long-as-any-check-of-ours-has-here-{number}" for number in range(9)]
    keep(6, *map(fails, names))
    text = command("incident", *SPAN).out
    listed = f"{', '.join(names[:5])} and 4 more"
    assert f", 9 failed: {listed}." in text
    assert f"| fails now: {listed} |" in text


@pytest.mark.usefixtures("incident")
def test_what_was_changed_and_changed_back_is_told_with_the_looks_that_saw_it(command: Any) -> None:
    for hour, minimum, copies in ((5, 2, 3), (6, 1, 3), (7, 2, 2)):
        seen = fact("kafka_topic", [{"name": "payments", "min_insync_replicas": minimum, "replication_factor": copies}])
        keep_look(hour, seen, of_incident=hour > 5)
    text = page(command)
    assert "## What changed since the kept facts of 2026-11-24 05:30:00\n" in text
    wanted = (
        "- 2026-11-24 06:30:00 changed topic payments: min\\_insync\\_replicas 2 → 1 (kafka\\_topic)\n"
        "- 2026-11-24 07:30:00 changed topic payments: replication\\_factor 3 → 2 (kafka\\_topic)\n"
        "- 2026-11-24 07:30:00 as before again: topic payments: min\\_insync\\_replicas 2 (kafka\\_topic)\n"
    )
    assert wanted in text
