"""The page for contributors, followed to the letter in a copy: its check, its fact and its cause do what it says."""

import os
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from support.documented import ROOT, fences, titled

PAGE = "docs/contributing.md"
CHECK, CAUSE = "topics-keep-an-hour", "a-topic-keeps-too-little"
PROBE, ITS_TEST = "checks/runbook/probes/kafka_rack.py", "tests/probes/test_kafka_rack.py"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout, with all that the page adds to it."""
    root = tmp_path_factory.mktemp("checkout")
    for folder in ("checks", "runbooks", "tests/cases", "tests/probes"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "tests" / "support").symlink_to(ROOT / "tests" / "support")  # whose recordings are those of the checkout
    for file in ("pyproject.toml", "tests/conftest.py"):
        shutil.copy(ROOT / file, root / file)
    for title in (PROBE, ITS_TEST, f"tests/cases/topics/{CHECK}.yaml", f"tests/cases/topics/{CAUSE}.yaml"):
        (root / title).write_text(titled(PAGE, title), "utf-8")
    with (root / "runbooks" / "topics.md").open("a", encoding="utf-8") as book:
        for kind, name in (("check", CHECK), ("cause", CAUSE)):
            [text] = [one.text for one in fences(PAGE) if one.text.startswith(f"id: {name}\n")]
            book.write(f"\n## What {name} says\n\n```yaml {{.{kind}}}\n{text}```\n")
    return root


@cache
def ran(copy: Path, line: str) -> str:
    """What a command of the page prints in the copy; it must end well."""
    words = shlex.split(line)
    variables = {"PYTHONPATH": str(copy / "checks"), "NO_COLOR": "1"}
    program = [sys.executable] if words[0] == "python" else [sys.executable, "-m", words[0]]
    done = subprocess.run(
        [*program, *words[1:]],
        cwd=copy,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=800,
    )
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("judge the check", ["nothing wrong", "3 cases right, 0 wrong", "1 pass   0 fail   0 unknown"]),
        ("judge the cause", ["nothing wrong", "3 cases right, 0 wrong"]),
        ("see the fact", ["1 passed", "Registered brokers in it."]),
    ],
)
def test_what_the_page_adds_is_as_it_says(copy: Path, title: str, said: list[str]) -> None:
    lines = [line.removeprefix("$ ") for line in titled(PAGE, title).splitlines()]
    assert [line for line, one in zip(lines, said, strict=True) if one not in ran(copy, line)] == []


def test_kept_evidence_is_opened_as_the_page_says(tmp_path: Path) -> None:
    lines = [line.removeprefix("$ ") for line in titled(PAGE, "open kept evidence").splitlines()]
    both = " && ".join(lines).replace("seen.json", str(tmp_path / "seen.json")) + "; test $? = 1"  # as checks fail
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-c", both],
        cwd=ROOT,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=800,
    )
    assert done.returncode == 0, done.stderr
    assert "broker 2" in next(line for line in done.stdout.splitlines() if line.startswith("CAUSE"))
