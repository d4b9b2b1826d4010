"""`runbook results`: verify, list, import, expect."""

import itertools
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from runbook.evidence.snapshot import read_snapshot
from runbook.evidence.store import write_run
from runbook.model.result import Outcome, WaiverUse
from support.kept_runs import kept_run

Command = Callable[..., Any]
NOTHING_THERE = "kafka: {bootstrap.servers: '127.0.0.1:1'}"
INVENTORY = f"environments:\n  prod: {{{NOTHING_THERE}}}\n  test: {{{NOTHING_THERE}}}\nresults: kept\n"


@pytest.fixture
def store(here: Path) -> Path:
    """A store of three runs over two environments, which the inventory names."""
    (here / "environments.yaml").write_text(INVENTORY)
    for number in range(3):
        write_run(here / "kept", kept_run("prod", "test", number=number))
    return here / "kept"


def file_of(store: Path, environment: str, number: int) -> Path:
    return next(store.glob(f"runs/{environment}/*/*{number:012x}.jsonl"))


def test_a_store_as_it_was_written_is_said_to_be(command: Command, store: Path) -> None:
    for ended in (command("results", "verify"), command("results", "verify", str(store))):
        assert ended.code == 0
        assert ended.out.endswith("6 files, 24 records, all as they were written\n")


def test_an_empty_store_is_nothing_to_verify(command: Command, here: Path) -> None:
    ended = command("results", "verify", str(here / "none"))
    assert (ended.code, ended.out) == (4, f"{here / 'none'} holds no results\n")


def test_every_kind_of_tampering_is_named_with_file_and_line(command: Command, store: Path) -> None:
    def tamper(environment: str, number: int, change: Any) -> str:
        file = file_of(store, environment, number)
        lines = file.read_bytes().splitlines(keepends=True)
        file.write_bytes(b"".join(change(lines)))
        return file.relative_to(store).as_posix()

    flipped = tamper("prod", 0, lambda x: [x[0], x[1].replace(b"because", b"becaose"), *x[2:]])
    dropped = tamper("prod", 1, lambda x: [x[0], *x[2:]])
    reordered = tamper("prod", 2, lambda x: [x[0], x[2], x[1], x[3]])
    cut = tamper("test", 0, lambda x: x[:2])
    added = tamper("test", 1, lambda x: [*x[:2], x[1].replace(b"because", b"whatever"), *x[2:]])
    ended = command("results", "verify")
    assert ended.code == 1
    assert ended.out.splitlines() == [
        f"{flipped}:2: changed after it was written",
        f"{dropped}:2: dropped: 1 before it, as the manifest counts 3 lines",
        f"{reordered}:2: moved: it was written after what is line 3 now",
        f"{cut}:2: the end of the file is missing: this line is no manifest, which counts the lines",
        f"{added}:3: added: the lines around it follow each other without it",
        "kept: 6 files, 22 records, 5 not as they were written",
    ]


def test_a_file_under_another_name_and_a_changed_snapshot_are_named(command: Command, store: Path) -> None:
    assert command("results", "expect", "ha").code == 0
    [snapshot] = store.glob("expected/*/*.json")
    snapshot.write_bytes(snapshot.read_bytes().replace(b'"prod"', b'"prof"'))
    file_of(store, "prod", 0).rename(file_of(store, "test", 1))
    ended = command("results", "verify")
    assert ended.code == 1
    assert ": it is not what was written there: changed after it was written" in ended.out
    assert ":1: its environment is not the one it is filed under" in ended.out


def test_runs_are_listed_by_environment_the_newest_first(command: Command, store: Path) -> None:
    ended = command("results", "list", "--env", "pr*", "--limit", "2")
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert lines[0] == "prod  (3 runs)"
    assert [line.split()[0] for line in lines[1:]] == [file_of(store, "prod", number).stem for number in (2, 1)]
    assert lines[1].endswith("2026-11-03 10:00  scheduled  1 pass, 1 fail")
    assert command("results", "list", "--env", "nope").code == 4


@pytest.mark.parametrize(
    "words",
    [
        ("results", "list", "prod"),
        ("results", "verify", "prod"),
        ("results", "import", "prod", "there"),
        ("diff", "last", "--env", "prod", "--results", "prod"),
    ],
)
def test_an_environment_in_place_of_a_store_is_told_from_an_empty_folder(
    command: Command, store: Path, words: tuple[str, ...]
) -> None:
    ended = command(*words)
    assert ended.code == 2
    assert "there is no folder prod: that is an environment" in ended.err
    assert "runbook results list --env prod" in ended.err
    (store.parent / "environments.yaml").write_text("nothing: [")
    if words[0] == "results":  # where nobody knows the environments, it is a folder that is not there
        assert "prod holds no results" in command(*words).out
    store.rename("prod")
    assert "there is no folder" not in command(*words).err


def test_a_listing_says_what_is_special_about_a_run(command: Command, store: Path) -> None:
    run = kept_run(number=9, generated=True, complete=False, outcomes=[Outcome.UNKNOWN])
    write_run(store, run)
    file = file_of(store, "prod", 0)
    file.write_bytes(file.read_bytes().replace(b"because", b"becaose"))
    said = command("results", "list", "--env", "prod").out
    assert "1 unknown  (not all checks; made up, nothing was measured)" in said
    assert "(not as it was written: runbook results verify)" in said


def test_what_a_waiver_excuses_is_listed_as_waived(command: Command, store: Path) -> None:
    run = kept_run(number=9)
    run.results[1].rows[0] = structs.replace(run.results[1].rows[0], waived=True)
    run.results[1].failed = 1
    run.results[1].waiver = WaiverUse("sre", "a reason to wait", "2026-12-01", 1)
    write_run(store, run)
    assert "  1 pass, 1 waived" in command("results", "list", "--env", "prod").out


def test_importing_brings_what_is_whole_once_and_names_the_rest(command: Command, store: Path, here: Path) -> None:
    file = file_of(store, "prod", 1)
    file.write_bytes(file.read_bytes()[:-10])
    first = command("results", "import", str(store), str(here / "copy"))
    assert first.code == 1
    assert first.out.splitlines()[0].startswith(f"left out: {file.relative_to(store)}: line 4: it is cut off")
    assert "5 brought into" in first.out
    again = command("results", "import", str(store), str(here / "copy"))
    assert "0 brought into" in again.out
    assert "5 were there already, 1 left out" in again.out
    assert command("results", "verify", str(here / "copy")).code == 0


def test_importing_what_holds_no_run_asks_whether_it_is_meant(command: Command, here: Path) -> None:
    odd = here / "odd" / "runs" / "prod"
    odd.mkdir(parents=True)
    for number in range(60):
        (odd / f"note-{number}.jsonl").write_text("{}\n", "utf-8")
    lines = command("results", "import", "odd", "copy").out.splitlines()
    assert [line.startswith("left out: ") for line in lines] == [True] * 3 + [False] * 2
    assert lines[3] == "… 57 more; nothing in odd is a run that is whole: are results there?"


def test_importing_from_an_empty_store_says_so(command: Command, here: Path) -> None:
    assert command("results", "import", str(here / "none"), str(here / "copy")).code == 4


def test_what_is_expected_is_written_down_and_what_changed_is_shown(command: Command, here: Path) -> None:
    (here / "environments.yaml").write_text(INVENTORY)
    first = command("results", "expect", "ha", "--env", "prod")
    assert first.code == 0
    assert first.out.splitlines()[0] == "prod is to be checked against ha"
    assert "expected from now on: 1 environment, " in first.out
    assert len(first.out.splitlines()) == 2  # all checks are new, so that none is named
    second = command("results", "expect", "ha", "gc")
    assert second.out.splitlines()[:2] == ["prod is to be checked against gc", "test is to be checked against gc, ha"]
    assert "gc/most-pauses-are-short is a new check" in second.out.splitlines()
    command("results", "expect", "ha")
    third = command("results", "expect", "ha")
    assert "nothing changed, nothing written" in third.out
    retired = command("results", "expect", "ha", "--env", "test")
    assert "prod is no longer to be checked against ha" in retired.out.splitlines()
    back = command("results", "expect", "ha", "--env", "prod", "--add")
    assert [line for line in back.out.splitlines() if " checked " in line] == ["prod is to be checked against ha"]
    snapshots = [read_snapshot(file.read_bytes()) for file in (here / "kept").glob("expected/*/*.json")]
    assert len(snapshots) == 5
    last = max(snapshots, key=lambda snapshot: snapshot.at)
    assert last.environments == {"prod": ["ha"], "test": ["ha"]}
    assert {check.runbook for check in last.checks} == {"ha"}


def test_a_spoiled_snapshot_is_passed_over_with_a_word(command: Command, store: Path) -> None:
    command("results", "expect", "ha")
    [file] = store.glob("expected/*/*.json")
    file.write_bytes(b"{}")
    ended = command("results", "expect", "ha")
    assert ended.code == 0
    assert "is passed over: it is no snapshot" in ended.err
    assert "prod is to be checked against ha" in ended.out


def test_without_a_store_the_remedy_is_told(command: Command, here: Path) -> None:
    (here / "environments.yaml").write_text(f"environments: {{prod: {{{NOTHING_THERE}}}}}\n")
    ended = command("results", "verify")
    assert ended.code == 2
    assert "Name a folder or an address, or write results: in the inventory" in ended.err


@pytest.mark.usefixtures("knowledge")
def test_in_a_project_the_results_of_its_weekly_round_are_meant(command: Command) -> None:
    assert command("results", "expect", "first").code == 0
    assert command("results", "verify").out.startswith("site-data/results: 1 file, ")


def test_results_can_be_a_mapping_with_settings_whose_secrets_are_references(command: Command, here: Path) -> None:
    inventory = (
        f"environments: {{prod: {{{NOTHING_THERE}}}}}\n"
        "results: {to: 'kafka://127.0.0.1:1/t', settings: {sasl.password: {env: NOT_SET_ANYWHERE}}}\n"
    )
    (here / "environments.yaml").write_text(inventory)
    ended = command("results", "verify")
    assert ended.code == 2
    assert "sasl.password is to come from the environment variable NOT_SET_ANYWHERE, which is not set" in ended.err
    (here / "environments.yaml").write_text(inventory.replace("{env: NOT_SET_ANYWHERE}", "geheim"))
    warned = command("results", "import", "kafka://127.0.0.1:1/t?properties=/none", "copy")
    assert "geheim" not in warned.err + warned.out


def test_a_store_that_can_not_be_written_costs_no_report(command: Command, here: Path) -> None:
    (here / "environments.yaml").write_text(f"environments: {{prod: {{{NOTHING_THERE}}}}}\n")
    (here / "file").write_text("")
    for where in (str(here / "file"), "nope://x"):
        ended = command("check", "ha", "--env", "prod", "--deadline", "1s", "--results", where)
        assert ended.code == 2
        assert "unknown" in ended.out
        assert "the results could not be kept: " in ended.err


def test_a_check_keeps_its_results_at_an_address(command: Command, here: Path) -> None:
    (here / "environments.yaml").write_text(f"environments: {{prod: {{{NOTHING_THERE}}}}}\n")
    where = f"file://{here}/far"
    command("check", "ha", "--env", "prod", "--deadline", "1s", "--results", where)
    ended = command("results", "verify", where)
    assert (ended.code, "all as they were written" in ended.out) == (0, True)
    [file] = (here / "far").glob("runs/prod/*/*.jsonl")
    assert msgspec.json.decode(file.read_bytes().splitlines()[0])["kind"] == "run"


def test_verifying_costs_in_proportion_to_the_records(command: Command, here: Path) -> None:
    def seconds(runs: int, folder: str) -> float:
        for number in range(runs):
            write_run(here / folder, kept_run(number=number, outcomes=list(itertools.repeat(Outcome.PASS, 50))))
        began = time.process_time()
        assert command("results", "verify", str(here / folder)).code == 0
        return time.process_time() - began

    seconds(1, "warm")
    assert seconds(40, "many") < 40 * max(seconds(4, "few"), 0.005)
