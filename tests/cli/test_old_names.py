"""A block gets another id: what was written, kept and begun under the old one goes on as if nothing had happened.

Each test does the same before and after the renaming, in a project of its own.
"""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from support.small_walks import KEPT, MOVE

OURS = Path("runbooks/ours.md")
WAIVER = {"check": "ours/bad", "owner": "ann", "reason": "moves to new disks", "expires": "2030-01-01"}


@pytest.fixture
def bundle(knowledge: Path) -> str:
    """Kept facts of an environment whose inventory waives `ours/bad`; the runbook has no cases."""
    OURS.parent.mkdir(exist_ok=True)
    OURS.write_text(MOVE, "utf-8")
    kept = json.loads(KEPT.read_text("utf-8"))
    kept["environments"]["lab"] |= {"waivers": [WAIVER], "params": {"ours/bad": {}}}
    file = knowledge / "facts.json"
    file.write_text(json.dumps(kept), "utf-8")
    return str(file)


def rename() -> None:
    """Call the check `bad` worse, and the procedure `move` shift."""
    text = (
        OURS.read_text("utf-8")
        .replace("id: bad\n", "id: worse\nwas: [bad]\n")
        .replace("[bad]\n    stop", "[worse]\n    stop")
    )
    OURS.write_text(text.replace("id: move\n", "id: shift\nwas: [move]\n"), "utf-8")


def verdicts(command: Any, *arguments: str) -> list[dict[str, Any]]:
    done = command("check", *arguments, "-f", "json")
    document = json.loads(done.out)
    assert not [note for one in document["environments"] for note in one["notes"] if "names no check" in note]
    return [
        {name: value for name, value in result.items() if name not in ("check", "runbook_digest")}
        for result in document["results"]
    ]


def test_a_bundle_has_the_same_verdicts_and_its_waiver_is_honoured(command: Any, bundle: str) -> None:
    before = verdicts(command, "ours", "--from", bundle)
    rename()
    assert verdicts(command, "ours", "--from", bundle) == before
    assert [result["waived"] for result in before if result["outcome"] == "fail"] == [True]


@pytest.mark.parametrize(
    "asked", [["ours#bad"], ["ours/bad"], ["bad"], ["ours", "--only", "bad"], ["ours", "--only", "ours/bad"]]
)
def test_a_check_is_found_by_its_old_name_which_is_said_once(command: Any, bundle: str, asked: list[str]) -> None:
    rename()
    done = command("check", *asked, "--from", bundle, "-f", "json")
    assert [result["check"] for result in json.loads(done.out)["results"]] == ["ours/worse"]
    assert done.err == f"{asked[-1]} is called ours#worse now\n"


def test_an_inventory_is_right_with_old_names_and_lint_remarks_the_new_ones(command: Any, bundle: str) -> None:  # noqa: ARG001
    rename()
    text = (
        "environments:\n  lab:\n    params: {ours/bad: {}}\n    waivers: ["
        + json.dumps(WAIVER | {"expires": "2026-12-31"})
        + "]\n"
    )
    Path("environments.yaml").write_text(text, "utf-8")
    done = command("lint", "ours", "-i", "environments.yaml")
    assert [line.partition(": ")[2] for line in done.out.splitlines() if "environments.yaml" in line] == [
        "ours/bad is called ours/worse now"
    ] * 2


def test_a_walk_goes_on_through_the_renamed_procedure_and_its_gates(
    command: Any, bundle: str, monkeypatch: Any
) -> None:
    def walk(answers: str, *arguments: str) -> Any:
        monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
        return command("procedure", "walk", *arguments, "--from", bundle, "--by", "ada", "--no-terminal")

    begun = walk("\n\np\n", "ours#move", "--record", "w.jsonl")  # the gate behind step 2, of `bad`, is closed
    assert begun.code == 3, begun.out + begun.err
    rename()
    done = walk("o\nit is known to us\n", "--resume", "w.jsonl", "ours#move")
    assert done.err == "ours#move is called ours#shift now\n"
    assert done.code == 1, done.out + done.err
    assert "goes on" in done.out


def test_what_is_shown_found_and_tested_by_an_old_name(command: Any, bundle: str) -> None:  # noqa: ARG001
    rename()
    now = "bad is called ours/worse now\n"
    assert command("show", "ours#bad").err == "ours#bad is called ours#worse now\n"
    assert command("find", "bad").err == now
    assert "ours#worse" in command("find", "bad").out
    Path("tests/cases/ours").mkdir(parents=True)
    cases = "cases: [{name: none, expect: unknown, facts: {broker: {gaps: [no answer]}}}]\n"
    Path("tests/cases/ours/bad.yaml").write_text(cases, "utf-8")
    done = command("test", "ours", "--only", "ours/bad")
    assert (done.code, done.out) == (0, "1 case right, 0 wrong, 0 checks and causes without cases\n")


@pytest.mark.parametrize(
    ("was", "message"),
    [
        ("[good]", "ours/good is the name of a block today"),
        ("[ha/every-broker-answers]", "ha/every-broker-answers is the name of a block today"),
        ("[move]", "ours/move is an old name of ours/worse already"),
    ],
)
def test_a_name_that_would_mean_two_blocks_is_refused(command: Any, bundle: str, was: str, message: str) -> None:  # noqa: ARG001
    rename()
    OURS.write_text(OURS.read_text("utf-8").replace("was: [bad]", f"was: {was}"), "utf-8")
    assert message in command("lint", "ours").out


def test_what_is_expected_is_the_same_after_a_renaming(command: Any, bundle: str) -> None:  # noqa: ARG001
    Path("environments.yaml").write_text("environments:\n  lab: {params: {ours/bad: {}}}\nresults: kept\n", "utf-8")
    assert "ours/bad is a new check" not in command("results", "expect", "ours").out
    rename()
    assert "nothing changed, nothing written" in command("results", "expect", "ours").out
