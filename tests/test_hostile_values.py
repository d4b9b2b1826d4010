"""Hostile names and values through the whole tool, into every report: shown, and inert; also in a real terminal."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from markdown_it import MarkdownIt

from runbook.evidence.chain import first_fault
from runbook.plugins.catalog import catalog
from support.hostile_values import HUGE, TERMINAL, VALUES
from support.small_runbooks import FRONT, check_text

TESTS = Path(__file__).parent
CHECKS = TESTS / "hostile"
RUNBOOK = str(Path(sys.executable).with_name("runbook"))
HOWS = ("rows", "gaps", "deny", "inapplicable")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
BODY = """
facts: {fact: {probe: hostile_fact, with: {how: HOW}}}
expect: {each: fact, that: size(fact.name) < 0, message: "{fact.name} {fact.words} {fact.settings}"}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An inventory, a runbook, and the facts of one run of it."""
    made = tmp_path_factory.mktemp("hostile")
    made.joinpath("environments.yaml").write_text("environments: {prod: {hostile: {}}}\n", "utf-8")
    blocks = [check_text(BODY.replace("HOW", how), how) for how in HOWS]
    made.joinpath("hostile.md").write_text(FRONT + "\n".join(blocks), "utf-8")
    huge = check_text(BODY.replace("HOW", "huge").replace("{fact.words} {fact.settings}", ""), "huge")
    made.joinpath("huge.md").write_text(FRONT + huge, "utf-8")
    run(made, "check", "hostile.md", "--save", "kept.json", "--results", "store", "--deadline", "120s")
    return made


def run(folder: Path, *arguments: str) -> str:
    variables = os.environ | {"PYTHONPATH": str(TESTS), "XDG_CONFIG_HOME": str(folder)}
    command = [RUNBOOK, *arguments, "--checks", str(CHECKS)]
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, timeout=800, check=False)
    assert done.returncode in (1, 3, 4), done.stderr.decode("utf-8", "replace")[-2000:]
    assert done.stderr == (b"kept: results in store, facts in kept.json\n" if "--save" in arguments else b"")
    return done.stdout.decode("utf-8")


def acts(text: str) -> set[str]:
    """The characters of a text that do something to a terminal instead of showing."""
    return {char for char in text if char != "\n" and unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}}


def test_there_are_a_hundred_and_they_would_act() -> None:
    assert len(set(VALUES)) >= 100
    assert acts("".join(VALUES)) >= {"\x1b", "\x9b", "\r", "\u202e", "\u2028"}
    assert len(HUGE) >= 10_000_000


def console(text: str) -> None:
    assert acts(text) == set()
    assert len(text) < 1_000_000
    lines = text.splitlines()
    assert not [line for line in lines if line.startswith(("PASS", "33 pass"))]  # none of a name's lines is ours
    assert "\\x1b[2J" in text


def json_(text: str) -> None:
    assert text.isascii()
    assert acts(text) == set()
    document = {result["check"]: result for result in json.loads(text)["results"]}
    assert document["hostile/rows"]["outcome"] == "fail"
    assert document["hostile/rows"]["failed"] == len(VALUES)
    assert {document[f"hostile/{how}"]["outcome"] for how in ("gaps", "deny")} == {"unknown"}
    keys = {row["key"]["name"] for row in document["hostile/rows"]["rows"]}
    assert {value for value in VALUES if value.isascii()} & keys  # told as they are: JSON has escapes for all of them


def junit(text: str) -> None:
    assert acts(text) == set()
    names = [element.get("name") for element in fromstring(text).iter("testcase")]
    assert sorted(str(name) for name in names) == sorted(HOWS)


def sarif(text: str) -> None:
    assert acts(text) == set()
    [run] = json.loads(text)["runs"]
    assert {result["ruleId"] for result in run["results"]} >= {"hostile/rows", "hostile/gaps", "hostile/deny"}
    assert acts("".join(result["message"]["text"] for result in run["results"])) == set()


def markdown(text: str) -> None:
    """Nothing but the report's own headings, lists, emphasis and tables: no HTML, no link, no code."""
    assert acts(text) == set()
    tokens = MarkdownIt("commonmark").parse(text)
    kinds = {part.type for token in tokens for part in (token, *(token.children or ()))}
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "code_block", "fence"}
    assert sum(token.type == "heading_open" for token in tokens) == 1


def github(text: str) -> None:
    """Each line is an annotation of ours, or the one that counts: a value begins no command."""
    assert acts(text) == set()
    *annotations, counts = text.splitlines()
    assert counts.startswith("runbook: ")
    assert annotations
    assert all(re.match(r"::(error|warning|notice) [^:]*title=[^:]*::", line) for line in annotations)


def lines(text: str) -> None:
    """A line for each finding, and the one that counts: a value begins no line of its own."""
    assert acts(text) == set()
    *findings, counts = text.splitlines()
    assert findings
    assert counts.startswith("runbook: ")
    assert "\\x1b[2J" in text


INERT: dict[str, Callable[[str], None]] = {
    "console": console,
    "github": github,
    "json": json_,
    "junit": junit,
    "lines": lines,
    "markdown": markdown,
    "sarif": sarif,
}


@pytest.mark.parametrize("verbosity", [(), ("--full", "--rows", "all")], ids=["as it is", "in full"])
@pytest.mark.parametrize("report", catalog("reports").names())
def test_every_report_shows_them_inert(folder: Path, report: str, verbosity: tuple[str, ...]) -> None:
    INERT[report](run(folder, "check", "hostile.md", "--from", "kept.json", "-f", report, *verbosity))


@pytest.mark.parametrize("report", catalog("reports").names())
def test_a_name_of_ten_megabytes_is_shown_inert(folder: Path, report: str) -> None:
    text = run(folder, "check", "huge.md", "-f", report, "--rows", "all", "--deadline", "120s")
    assert acts(text) == set()
    assert '"failed": 1' in text if report == "json" else "huge" in text
    assert report != "console" or len(text) < 10_000


def test_colours_are_the_reports_own(folder: Path) -> None:
    text = run(folder, "check", "hostile.md", "--from", "kept.json", "--color", "always", "--rows", "all")
    assert COLOUR.search(text)
    assert acts(COLOUR.sub("", text)) == set()


@pytest.mark.parametrize("how", HOWS)
def test_a_single_probe_shows_them_inert(folder: Path, how: str) -> None:
    arguments = ("probe", "hostile_fact", "--with", f"how={how}", "--limit", "0", "--deadline", "60s")
    variables = os.environ | {"PYTHONPATH": str(TESTS)}
    command = [RUNBOOK, *arguments, "--checks", str(CHECKS)]
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, timeout=800, check=False)
    assert done.returncode in (0, 3, 4), done.stderr[-2000:]
    assert acts(done.stdout.decode("utf-8")) == set()


def test_a_walk_and_its_record_show_them_inert(folder: Path) -> None:
    """Also as the words of the procedure, and as the reason that a person pastes."""
    hostile = "".join(value for value in TERMINAL if value.isprintable() is False and "\n" not in value)
    block = (
        "```yaml {.procedure}\nid: any\ntitle: Any\nbefore: [rows]\nsteps: [{do: 'Look \\e[2J', command: 'cat'}]\n```\n"
    )
    rows = check_text(BODY.replace("HOW", "rows"), "rows")
    folder.joinpath("walked.md").write_text(FRONT + rows + block, "utf-8")
    variables = os.environ | {"PYTHONPATH": str(TESTS), "XDG_CONFIG_HOME": str(folder)}
    words = [
        "walk",
        "walked.md#any",
        "--no-terminal",
        "--record",
        "walked.jsonl",
        "--by",
        "eve\x1b[2J",
        "--deadline",
        "60s",
    ]
    answers = f"o\n{hostile}\np\n".encode("utf-8", "surrogateescape")
    output = ""
    for command, given in (
        ([RUNBOOK, "procedure", *words, "--checks", str(CHECKS)], answers),
        ([RUNBOOK, "procedure", "show", "walked.jsonl"], b""),
    ):
        done = subprocess.run(
            command, cwd=folder, env=variables, input=given, capture_output=True, timeout=800, check=False
        )
        assert done.returncode in (0, 3), done.stderr[-2000:]
        output = done.stdout.decode("utf-8")
        assert acts(output) == set()
    assert "GONE THROUGH CLOSED" in output
    assert "\\x1b" in output


def test_kept_results_are_whole_lines_of_valid_json(folder: Path) -> None:
    [file] = folder.joinpath("store").rglob("*.jsonl")
    assert first_fault(file.read_bytes()) is None
    records = [json.loads(line) for line in file.read_text("utf-8").split("\n") if line]
    assert {record["check"] for record in records if record.get("kind") == "result"} == {
        f"hostile/{how}" for how in HOWS
    }


class Terminal:
    """A real terminal emulator with nobody before it."""

    def __init__(self, folder: Path) -> None:
        """Start a server of our own, at a socket nobody had before: one that is going would still answer at its own."""
        self._socket = Path(tempfile.mkdtemp(prefix="rb-tmux-")) / "socket"
        self("new-session", "-d", "-x", "100", "-y", "40", "-c", str(folder), "sh")

    def end(self) -> None:
        """Let it go, and what was made for it."""
        self("kill-server")
        shutil.rmtree(self._socket.parent)

    def __call__(self, *words: str) -> str:
        """Give what tmux answers."""
        variables = {name: value for name, value in os.environ.items() if name != "TMUX"}
        command = ["tmux", "-S", str(self._socket), "-f", "/dev/null", *words]
        done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=800, check=False)
        assert done.returncode == 0 or words[0] == "show-buffer", done.stderr  # which fails where nothing was copied
        return done.stdout

    def state(self) -> dict[str, str]:
        """What escape sequences could have changed."""
        asked = ("pane_title", "alternate_on", "cursor_flag", "mouse_any_flag", "insert_flag", "origin_flag")
        printed = self("display-message", "-p", "|".join(f"#{{{name}}}" for name in asked))
        return dict(zip(asked, printed.strip().split("|"), strict=False)) | {"copied": self("show-buffer")}

    def show(self, command: str) -> str:
        """Run a command there; gives all that stands on the screen and above it."""
        self("send-keys", "-l", f"clear; {command}; echo 'the' 'end'")
        self("send-keys", "Enter")
        end = time.monotonic() + 60
        while "the end" not in (screen := self("capture-pane", "-p", "-S", "-")) and time.monotonic() < end:
            time.sleep(0.2)
        return screen


@pytest.fixture
def terminal(folder: Path) -> Iterator[Terminal]:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed: no terminal to look at")
    made = Terminal(folder)
    yield made
    made.end()


def test_a_real_terminal_shows_them_and_does_nothing(terminal: Terminal) -> None:
    before = terminal.state()
    words = [RUNBOOK, "check", "hostile.md", "--from", "kept.json", "--checks", str(CHECKS), "--rows", "all"]
    screen = terminal.show(f"PYTHONPATH={shlex.quote(str(TESTS))} {shlex.join([*words, '--color', 'always'])}")
    assert "the end" in screen
    assert "\\x1b]0;owned" in screen
    assert terminal.state() == before


def test_the_same_terminal_acts_on_them_when_they_come_raw(folder: Path, terminal: Terminal) -> None:
    before = terminal.state()
    raw = folder / "raw"
    raw.write_text("".join(value for value in TERMINAL if "owned" in value or "[?25l" in value), "utf-8")
    terminal("send-keys", "-l", f"cat {shlex.quote(str(raw))}")
    terminal("send-keys", "Enter")
    end = time.monotonic() + 30
    changed: dict[str, str] = {}
    while not changed and time.monotonic() < end:
        changed = {name: value for name, value in terminal.state().items() if value != before[name]}
        time.sleep(0.2)
    assert changed
