"""Every process that this tool starts goes through one launcher, and none takes code out of the folder one is in."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from runbook.safety import child_process

CHECKS = Path(__file__).parents[2] / "checks"
LAUNCHER = CHECKS / "runbook" / "safety" / "child_process.py"
STARTS = {
    "subprocess",
    "multiprocessing",
    "pty",
    "pexpect",
    "webbrowser",
    "concurrent.futures.process",
    "_posixsubprocess",
}
"""Modules that start processes."""
BEGINS = ("exec", "spawn", "posix_spawn", "system", "popen", "fork", "startfile")
"""How the functions of `os` are called that do."""
OTHERS = {"ProcessPoolExecutor", "ProxyCommand", "create_subprocess_exec", "create_subprocess_shell", "echo_via_pager"}
"""What does so in other modules: of asyncio, paramiko and click."""
FORKS = {CHECKS / "runbook" / "run" / "collection" / "fork_process.py"}
"""A copy of a process that the launcher started, and no other program."""
_NAMED = [[name] for name in STARTS]
"""What an import by a text is given first."""
ONLY_TYPES = {CHECKS / "runbook" / "run" / "collection" / "prewarmed_workers.py"}


def starters(file: Path) -> list[str]:
    """What a module has to start processes with."""
    found = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names if name.name in STARTS]
        elif isinstance(node, ast.ImportFrom) and node.module in STARTS:
            taken = {name.name for name in node.names}
            found += [] if file in ONLY_TYPES and taken == {"Popen"} else [node.module]
        elif isinstance(node, ast.ImportFrom):
            taken = {name.name for name in node.names}
            found += sorted(taken & OTHERS) + [
                name for name in taken if node.module == "os" and name.startswith(BEGINS)
            ]
        elif isinstance(node, ast.Call) and [getattr(one, "value", None) for one in node.args[:1]][:1] in _NAMED:
            found.append(f"import of {ast.unparse(node.args[0])}")
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            full = f"{node.value.id}.{node.attr}"
            forks = node.attr == "fork" and file in FORKS
            found += [full] if node.value.id == "os" and node.attr.startswith(BEGINS) and not forks else []
            found += [full] if node.attr in OTHERS else []
        elif isinstance(node, ast.keyword) and node.arg == "shell" and ast.unparse(node.value) != "False":
            found += [] if file.parent.name == "cli" else ["shell="]  # there it is a shell to complete words in
    return found


def test_nothing_else_starts_a_process() -> None:
    modules = sorted(CHECKS.rglob("*.py"))
    assert starters(LAUNCHER)
    assert {str(file): found for file in modules if file != LAUNCHER and (found := starters(file))} == {}


SHADOW = "print('shadow')\nraise SystemExit(3)\n"


@pytest.fixture
def poisoned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to stand in, with a module that anybody may have put there."""
    (tmp_path / "textwrap.py").write_text(SHADOW)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_python_of_ours_and_those_that_it_starts_take_no_module_of_the_folder(poisoned: Path) -> None:
    grandchild = "import os, sys; os.execv(sys.executable, [sys.executable, '-c', 'import textwrap; print(1)'])"
    assert child_process.finish([sys.executable, "-c", grandchild]).stdout == b"1\n"
    assert child_process.finish_text([sys.executable, "-c", "import textwrap; print(2)"]).stdout == "2\n"
    told_by_flag = child_process.finish(child_process.python_module("textwrap"), environment=os.environ)
    assert told_by_flag.stdout.startswith(b"Hello there")  # as the library's own says, not the shadow
    started = child_process.start([sys.executable, "-c", "import textwrap; print(3)"], stdout=child_process.PIPE)
    assert started.communicate()[0] == b"3\n"
    program = poisoned / "program.py"
    program.write_text("import textwrap; print(4)")
    assert child_process.finish(child_process.python_file(program)).stdout == b"4\n"
    as_ever = subprocess.run([sys.executable, "-c", "import textwrap"], capture_output=True, check=False)
    assert as_ever.stdout == b"shadow\n"  # what a Python does that nobody told


def test_a_program_of_the_users_gets_the_users_own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    shown = [sys.executable, "-c", "import os; print(os.environ.get('PYTHONSAFEPATH'), os.environ.get('MORE'))"]
    assert child_process.finish(shown, environment=os.environ).stdout == b"None None\n"
    assert child_process.finish(shown, environment=child_process.for_children({"MORE": "x"})).stdout == b"1 x\n"


def test_it_may_take_so_long_and_gets_what_is_given() -> None:
    with pytest.raises(child_process.TookTooLong):
        child_process.finish([sys.executable, "-c", "import time; time.sleep(60)"], patience=0.2)
    echo = [sys.executable, "-c", "import sys; sys.stdout.write(sys.stdin.read()); sys.exit(4)"]
    assert child_process.finish(echo, given=b"word").stdout == b"word"
    assert child_process.finish(echo).returncode == 4
