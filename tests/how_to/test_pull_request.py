"""Twelve changes to 300 resources: each format says the five that are bad, at their lines, and nothing of the seven."""

import json
import os
import re
import subprocess
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml
from PIL import Image

from browser import pull_request as pictured
from how_to.test_gates import RUNBOOK, TOP, act
from how_to.test_manifests import PAGE
from support.documented import titled
from support.pull_request import BASE, CHANGES, git, repository

EXPECTED: dict[str, Any] = yaml.safe_load((TOP / "tests/records/pull_request.yaml").read_text("utf-8"))
BAD: dict[str, dict[str, str]] = EXPECTED["bad"]
CHECK = ("check", "kubernetes", "--manifests", "clusters", "--manifests", "teams", "--base", BASE)
COMMAND = re.compile(r"::(?P<level>\w+) file=(?P<file>[^,]+),line=(?P<line>\d+),col=\d+,title=(?P<title>[^:]*)::(.*)")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pull request, checked out."""
    return repository(tmp_path_factory.mktemp("platform"))


def check(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [RUNBOOK, *CHECK, *options]
    environment = os.environ | {"XDG_CONFIG_HOME": str(folder.parent)}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )


def line_of(folder: Path, change: str) -> tuple[str, int]:
    """Where a bad change stands: the line that it added and that has what is expected there."""
    wanted = BAD[change]
    diff = git(folder, "diff", "-U0", BASE, "--", wanted["file"])
    number = 0
    for line in diff.splitlines():
        if head := re.match(r"@@ -\S+ \+(\d+)", line):
            number = int(head[1]) - 1
        elif line.startswith("+") and not line.startswith("+++"):
            number += 1
            if wanted["line"] in line:
                return wanted["file"], number
    raise AssertionError(f"{change}: no line of {wanted['file']} has {wanted['line']}")


def test_the_record_is_of_these_changes() -> None:
    assert [*BAD, *EXPECTED["good"]] == [*CHANGES]


def test_annotations_are_at_the_bad_lines_and_nowhere_else(folder: Path) -> None:
    began = time.monotonic()
    done = check(folder, "--format", "github")
    took = time.monotonic() - began
    assert done.returncode == EXPECTED["codes"]["all"], done.stderr
    found = [said for line in done.stdout.splitlines() if (said := COMMAND.fullmatch(line))]
    assert len(BAD) <= len(found) <= EXPECTED["most_annotations"]
    for change, wanted in BAD.items():
        at = line_of(folder, change)
        there = [said for said in found if (said["file"], int(said["line"])) == at]
        assert len(there) == 1, change
        assert wanted["check"] in there[0][0], change
    levels = [said["level"] for said in found]
    assert levels == sorted(levels, key=("error", "warning", "notice").index)
    assert took < 10 * EXPECTED["seconds"]  # tests/benchmarks/pull_request.py measures; here others work, too


def test_the_page_shows_what_this_request_gets(folder: Path) -> None:
    renew = "renew them: .venv/bin/python tests/browser/pull_request.py"
    assert titled(PAGE, pictured.SAMPLE) == pictured.sample(folder), renew
    found = pictured.annotations(check(folder, "--format", "github").stdout)
    with Image.open(pictured.PICTURE) as picture:
        assert picture.info["annotations"] == pictured.digest(found), renew


def test_without_the_bad_changes_it_passes(tmp_path: Path) -> None:
    good = repository(tmp_path / "good", {name: CHANGES[name] for name in EXPECTED["good"]})
    done = check(good, "--format", "github")
    assert done.returncode == EXPECTED["codes"]["good"], done.stdout
    assert "::" not in done.stdout
    assert int(re.findall(r"(\d+) known", done.stdout)[0]) > 4


@pytest.mark.parametrize("format_", ["github", "console", "markdown", "sarif", "junit", "json"])
def test_what_is_old_is_said_to_be_so_and_the_password_is_not_said(folder: Path, format_: str) -> None:
    done = check(folder, "--format", format_)
    assert done.returncode == EXPECTED["codes"]["all"]
    assert EXPECTED["never_shown"] not in done.stdout
    assert "waived until" not in done.stdout
    assert "failing namespaces" not in done.stdout
    for wanted in BAD.values():
        assert wanted["check"] in done.stdout
        assert wanted["file"] in done.stdout


def test_a_test_report_names_the_new_line_first(folder: Path) -> None:
    cases = {
        case.get("name"): case for case in ET.fromstring(check(folder, "--format", "junit").stdout).iter("testcase")
    }
    failed = {name for name, case in cases.items() if case.find("failure") is not None}
    assert failed == {wanted["check"] for wanted in BAD.values()} | {*EXPECTED["besides"]}
    for change, wanted in BAD.items():
        case = cases[wanted["check"]]
        assert (case.get("file"), int(case.get("line") or 0)) == line_of(folder, change)


def test_code_scanning_gets_what_is_old_suppressed(folder: Path) -> None:
    [run] = json.loads(check(folder, "--format", "sarif").stdout)["runs"]
    new = [result for result in run["results"] if "suppressions" not in result]
    assert len(new) <= EXPECTED["most_annotations"]
    said = {each["justification"] for one in run["results"] for each in one.get("suppressions", [])}
    assert said == {"known in main already"} | {
        each for each in said if re.fullmatch(r"known \d+ of \d+, in main already", each)
    }


def test_the_action_and_the_hook_say_the_same(folder: Path) -> None:
    done = act(folder, manifests="clusters\nteams\n", base=BASE)
    assert done.returncode == 1, done.stderr
    assert done.stdout == check(folder, "--format", "github").stdout
    [hook] = yaml.safe_load((TOP / ".pre-commit-hooks.yaml").read_text("utf-8"))
    words = [RUNBOOK, *hook["entry"].split()[1:], "clusters"]
    clean = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert clean.returncode == 0, clean.stdout  # all is committed, so nothing is new since HEAD


def test_the_job_of_gitlab_writes_its_report_and_ends_with_the_code(folder: Path) -> None:
    _, jobs = yaml.safe_load_all((TOP / ".gitlab/check-manifests.yml").read_text("utf-8"))
    tools = folder.parent / "bin"
    tools.mkdir(exist_ok=True)
    if not (tools / "runbook").exists():
        (tools / "runbook").symlink_to(RUNBOOK)
    given = {
        "MANIFESTS": "clusters",
        "OPTIONS": "--manifests teams",
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": git(folder, "rev-parse", BASE).strip(),
    }
    environment = os.environ | given | {"PATH": f"{tools}:{os.environ['PATH']}"}
    script = "\n".join(["set -e", *jobs["kafka-manifests"]["script"]])
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 1, done.stderr
    assert "teams/fraud/prod/connectors.yaml" in done.stdout
    assert int(ET.parse(folder / "report.xml").getroot().get("failures") or 0) == len(BAD) + len(EXPECTED["besides"])
