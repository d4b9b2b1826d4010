"""What can't be shown costs nothing that was to be kept, and never passes for a verdict or a mistake of ours."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import Struct

from kafka_lab.waiting import wait_until
from runbook.cli import commands, reference
from runbook.terminal.safe_stdout import NotShown
from support.terminals import Terminal

ASCII = {"PYTHONIOENCODING": "ascii"}
UNKNOWN = 3
CTRL_S, CTRL_Q = "\x13", "\x11"


class Shown(Struct, frozen=True):
    """How a command line of a shell ended, and what it wrote where it could."""

    code: int
    out: str
    err: str


def shell(folder: Path, line: str, **variables: str) -> Shown:
    """Run a line of bash, where `runbook` is ours; its code is that of `runbook`."""
    program = f'runbook() {{ {shlex.quote(sys.executable)} -P -m runbook "$@"; }}\nset -o pipefail\n'
    environment = os.environ | {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder / ".config")} | variables
    done = subprocess.run(
        ["bash", "-c", program + line], cwd=folder, env=environment, capture_output=True, check=False, timeout=800
    )
    return Shown(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A knowledge base whose one environment can't be reached."""
    made = tmp_path_factory.mktemp("unreachable")
    assert shell(made, "runbook init .").code == 0
    inventory = "environments: {prod: {kafka: {bootstrap.servers: '127.0.0.1:1'}}}\n"
    (made / "environments.yaml").write_text(inventory)
    return made


def kept(folder: Path, name: str) -> bool:
    """Whether the results of a run were kept, and its facts."""
    return bool(list((folder / name).rglob("*.jsonl"))) and (folder / f"{name}.json").stat().st_size > 0


CHECK = "runbook check first --deadline 2s --results {0} --save {0}.json"


@pytest.mark.parametrize(
    ("name", "how", "code"),
    [
        ("full", "> /dev/full", 2),
        ("all-full", "> /dev/full 2>&1", 2),
        ("messages-full", "2> /dev/full", UNKNOWN),
        ("closed", ">&-", UNKNOWN),
        ("messages-closed", "2>&-", UNKNOWN),
        ("all-closed", "<&- >&- 2>&-", UNKNOWN),
        ("gone", "| true", UNKNOWN),
        ("messages-gone", "2>&1 >/dev/null | true", UNKNOWN),
        ("all-gone", "2>&1 | true", UNKNOWN),
        ("watched-gone", "--watch --until-pass --within 1s | true", UNKNOWN),
    ],
)
def test_what_was_seen_is_kept_wherever_the_report_goes(folder: Path, name: str, how: str, code: int) -> None:
    ended = shell(folder, f"{CHECK.format(name)} {how}")
    assert kept(folder, name)
    assert ended.code == code
    assert "mistake of ours" not in ended.err
    assert "Traceback" not in ended.err
    assert ("standard output could not be written: No space left on device" in ended.err) == (name == "full")


def test_what_was_seen_is_kept_in_time_though_the_terminal_stands_still(folder: Path) -> None:
    words = CHECK.format("still").split()[1:]
    terminal = Terminal(folder, *words, "--out", "still.txt")
    try:
        terminal.type(CTRL_S)
        wait_until((folder / "still.txt").exists, "the report", within=60)
        assert kept(folder, "still")
        assert terminal.output == ""
        terminal.type(CTRL_Q)
        assert terminal.end() == UNKNOWN
    finally:
        terminal.close()
    assert "kept: report in still.txt, results in still, facts in still.json" in terminal.output


def test_facts_that_cannot_be_kept_cost_neither_the_report_nor_the_results(folder: Path) -> None:
    ended = shell(folder, "runbook check first --deadline 2s --results unsaved --save environments.yaml/no.json")
    assert ended.code == 2
    assert "the bundle could not be written to environments.yaml/no.json: Not a directory" in ended.err
    assert "first" in ended.out
    assert "kept: results in unsaved\n" in ended.err
    assert list((folder / "unsaved").rglob("*.jsonl"))


def test_a_report_that_can_neither_be_written_nor_shown_says_both(folder: Path) -> None:
    ended = shell(folder, "runbook check first --deadline 2s --results neither --out runbook.yaml/x.txt > /dev/full")
    assert ended.code == 2
    assert "kept: results in neither\n" in ended.err
    assert "the report could not be written to runbook.yaml/x.txt: Not a directory" in ended.err
    assert "standard output could not be written: No space left on device" in ended.err


@pytest.mark.parametrize("words", ["--version", "env --offline", "no-such"])
@pytest.mark.parametrize("how", ["> /dev/full", ">&-", "2>&-", "2> /dev/full", "<&- >&- 2>&-"])
def test_every_end_is_told_by_its_code(folder: Path, words: str, how: str) -> None:
    ended = shell(folder, f"runbook {words} {how}")
    wrong = words == "no-such" or how == "> /dev/full"
    assert ended.code == (2 if wrong else 0)
    assert "Traceback" not in ended.err
    assert "Error" not in ended.err or words == "no-such"
    assert "mistake of ours" not in ended.err


COMMANDS = sorted(file.stem.replace("_", "-") for file in Path(commands.__file__).parent.glob("[a-z]*.py"))
EXAMPLES = {
    name: next(
        e for full, _ in reference.commands() if full.partition(" ")[0] == name for e in reference.examples_of(full)
    )
    for name in COMMANDS
}
SMALLER = {"publish": "runbook publish /dev/null/site", "init": "runbook init .", "env": "runbook env --offline"}
"""Commands whose example takes long, or makes what is there the next time."""
WAYS = {
    "2>&-": {},
    ">&-": {},
    "| true": {},
    "> /dev/full": {},
    "< /dev/null": {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"},
}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_ends_with_what_it_did_not_find(folder: Path, name: str) -> None:
    """1 says that a check failed, and 5 that we made a mistake: neither is of where the output goes."""
    words = SMALLER.get(name, EXAMPLES[name]).replace("--from 2h", "--from 1m")
    usual = shell(folder, words).code
    ends = {how: shell(folder, f"{words} {how}", **variables) for how, variables in WAYS.items()}
    allowed = {how: {usual, 2} if "full" in how else {usual} for how in WAYS}
    assert {how: end for how, end in ends.items() if end.code not in allowed[how]} == {}
    assert not any("Traceback" in end.err or "mistake of ours" in end.err for end in ends.values())


@pytest.mark.parametrize("words", ["list", "show ha", "check first --deadline 2s"])
def test_an_output_of_ascii_loses_nothing(folder: Path, words: str) -> None:
    whole, escaped = shell(folder, f"runbook {words}"), shell(folder, f"runbook {words}", **ASCII)
    assert escaped.code == whole.code
    assert escaped.out.isascii()
    assert "Traceback" not in escaped.err


def test_json_in_ascii_is_the_same_json(tmp_path: Path) -> None:
    program = (
        "import sys; from runbook.terminal.safe_stdout import guarded\n"
        "with guarded(): sys.stdout.write('[\"a\\u00d7\\u2713\\U0001f600\"]')\n"
    )
    (tmp_path / "program.py").write_text(program)
    done = subprocess.run(
        [sys.executable, "program.py"], cwd=tmp_path, env=os.environ | ASCII, capture_output=True, check=True
    )
    assert done.stdout == b'["a\\u00d7\\u2713\\ud83d\\ude00"]'


def test_that_a_check_failed_stays_so(capsys: pytest.CaptureFixture[str]) -> None:
    full = NotShown(OSError(28, "No space left on device"))
    assert [full.end(code) for code in (0, 1, 3, 4)] == [2, 1, 2, 2]
    assert capsys.readouterr().err.count("standard output could not be written: No space left on device\n") == 4
