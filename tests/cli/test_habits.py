"""What people write out of habit works, or is told what to write."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from runbook.cli.app import app

ROOT = Path(__file__).parents[2]
HEALTHY = str(ROOT / "tests" / "cases" / "ha" / "healthy.json")


def test_a_format_may_be_asked_for_as_of_kubectl(command: Any, here: Path) -> None:
    done = command("check", "ha#brokers-agree", "--from", HEALTHY, "-o", "json")
    assert (done.code, done.err) == (0, "")
    assert [result["check"] for result in json.loads(done.out)["results"]] == ["ha/brokers-agree"]
    assert list(here.iterdir()) == []
    assert json.loads(command("list", "ha", "-o", "json").out)[0]["kind"]


def test_o_still_names_a_file(command: Any, here: Path) -> None:
    done = command("check", "ha#brokers-agree", "--from", HEALTHY, "-f", "json", "-o", "report.json")
    assert (done.code, done.out) == (0, "")
    assert json.loads((here / "report.json").read_text("utf-8"))["exit_code"] == 0


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("out.json", "{"),
        ("out.MD", "#"),
        ("out.markdown", "#"),
        ("out.xml", "<?xml"),
        ("out.sarif", "{"),
        ("out.txt", "High availability"),
        ("out.log", "High availability"),
        ("out", "High availability"),
    ],
)
def test_the_ending_of_a_file_says_the_format(command: Any, here: Path, name: str, begins: str) -> None:
    assert command("check", "ha#brokers-agree", "--from", HEALTHY, "-o", name).code == 0
    assert (here / name).read_text("utf-8").startswith(begins)
    assert command("check", "ha#brokers-agree", "--from", HEALTHY, "-f", "console", "-o", name).code == 0
    assert (here / name).read_text("utf-8").startswith("High availability")


def test_an_ending_that_no_report_has_is_told_before_anything_is_asked(command: Any, here: Path) -> None:
    done = command("check", "ha#brokers-agree", "--from", HEALTHY, "-o", "out.html")
    assert (done.code, list(here.iterdir())) == (2, [])
    assert "-o out.html: no report is html; known: console, json, junit, markdown, sarif." in done.err
    assert command("check", "ha#brokers-agree", "--from", HEALTHY, "-f", "console", "-o", "out.html").code == 0


def test_two_formats_are_refused_before_anything_is_asked(command: Any, here: Path) -> None:
    done = command("check", "ha", "--from", HEALTHY, "-f", "junit", "-o", "json")
    assert done.code == 2
    assert "--format junit and -o json: which?" in done.err
    assert "-o report.json" in done.err
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("word", ["ha#brokers-agree", "ha/brokers-agree", "ha.md#brokers-agree"])
def test_one_check_is_named_as_show_names_it(command: Any, word: str) -> None:
    done = command("check", word, "--from", HEALTHY, "-f", "json")
    assert [result["check"] for result in json.loads(done.out)["results"]] == ["ha/brokers-agree"]


def test_a_check_beside_a_whole_runbook_and_only(command: Any) -> None:
    done = command("check", "ha#brokers-agree", "gc", "--only", "every-broker-answers", "--from", HEALTHY, "-f", "json")
    names = [result["check"] for result in json.loads(done.out)["results"]]
    assert {"ha/brokers-agree", "ha/every-broker-answers"} == {name for name in names if name.startswith("ha/")}
    assert sum(name.startswith("gc/") for name in names) > 10


def test_a_diagnostic_means_the_checks_that_tell_its_causes_apart(command: Any) -> None:
    done = command("check", "ha#a-broker-is-cut-off", "--from", HEALTHY, "-f", "json")
    shown = command("show", "ha#a-broker-is-cut-off").out
    names = [result["check"] for result in json.loads(done.out)["results"]]
    assert len(names) > 1
    assert all(name.split("/")[1] in shown for name in names)


def test_what_can_not_be_checked_is_told_how_to_be_used(command: Any) -> None:
    procedures = [
        block["name"] for block in json.loads(command("list", "-o", "json").out) if block["kind"] == "procedure"
    ]
    name = procedures[0].replace("/", "#")
    done = command("check", name, "--from", HEALTHY)
    assert (done.code, done.err) == (2, f"{name} is a procedure: runbook procedure walk {name}\n")
    done = command("check", "ha#brokers-agre", "--from", HEALTHY)
    assert done.code == 2
    assert "did you mean brokers-agree?" in done.err


def test_what_is_piped_is_as_wide_as_columns_says(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    widths = {}
    for columns in ("140", "", "no number", "0"):
        monkeypatch.setenv("COLUMNS", columns)
        out = command("check", "ha", "--full", "--from", HEALTHY).out
        widths[columns] = max(map(len, out.splitlines()))
    assert 100 < widths["140"] <= 140
    assert 70 < widths[""] <= 80
    assert widths[""] == widths["no number"] == widths["0"]


def test_only_completes_checks_of_the_runbook_that_is_named(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    line = "runbook check ha --only "
    monkeypatch.setenv("_RUNBOOK_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", "4")
    words = command().out.split()
    assert len(words) > 50
    assert all(word.startswith("ha/") for word in words)


WITHOUT = """
import sys
absent = sys.argv.pop(1)
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == absent:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
from runbook.cli.app import run
sys.exit(run())
"""


def test_a_command_without_its_extra_says_which(tmp_path: Path) -> None:
    log = tmp_path / "gc.log"
    pause = "GC(1) Pause Young (Normal) (G1 Evacuation Pause) 100M->50M(200M) 1500.000ms"
    log.write_text(f"[2026-11-20T10:00:00.000+0000][9.1s][info][gc] {pause}\n", "utf-8")
    arguments = ["matplotlib", "pauses", f"1={log}", "--timeout", "9s", "--out", str(tmp_path / "p.svg")]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 2, done.stderr
    assert "the package matplotlib is missing, which the extra site brings: pip install " in done.stderr
    assert "internal error" not in done.stderr
    assert "mistake" not in done.stderr


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["version"], "No such command 'version'. Write: runbook --version"),
        (["get", "ha"], "Write: runbook list, runbook show RUNBOOK#ID"),
        (["check", "ha", "-v"], "Write instead: more of a report: --full"),
        (["check", "ha", "--environment", "dev"], "Write instead: --env NAME"),
        (["check", "--debug"], "Write instead: before the command: runbook --debug COMMAND"),
        (["show", "--json", "ha"], "Write instead: --format json"),
        (["lab", "start"], "No such command 'start'. Write: runbook lab up"),
        (["lab", "stop"], "No such command 'stop'. Write: runbook lab down"),
        (["lab", "inject", "stop-broker"], "Write: runbook lab break FAULT"),
        (["lab", "help"], "No such command 'help'. Write: runbook lab --help"),
        (["lab", "help", "break"], "Write: runbook lab break --help"),
        (["lab", "frobnicate"], "No such command 'frobnicate'. known: break, demo, down, heal, history, parts,"),
        (["lab", "stat"], "Did you mean 'status'"),
        (["help"], "Write: runbook --help, or runbook COMMAND --help"),
        (["help", "check"], "Write: runbook check --help"),
        (["frobnicate"], "No such command 'frobnicate'. runbook -h names all"),
        (["procedure", "start"], "Write: runbook procedure walk RUNBOOK#ID"),
        *(([word], "Write: runbook init DIR for a knowledge base of your own") for word in ("new", "create", "add")),
        (["edit", "ha"], "Write: runbook show RUNBOOK -o markdown for its text"),
        (["build"], "Write: runbook publish DIR"),
        (["ha"], "No such command 'ha'. Write: runbook check ha, or runbook show ha"),
        (["brokers-agree"], "Write: runbook check brokers-agree, or runbook show brokers-agree"),
        (["rolling-restart"], "Write: runbook show rolling-restart, or runbook procedure walk rolling-restart"),
        (["lst"], "Did you mean 'list'"),
        (["check", "ha", "--all"], "Write instead: --env '*' for all environments"),
        (["find", "x", "-o", "json"], "Write instead: the command writes text for people"),
        (["show", "ha", "-i", "x.yaml"], "Write instead: the command reads no inventory"),
    ],
)
def test_words_of_other_tools_are_told_what_to_write(command: Any, words: list[str], expected: str) -> None:
    done = command(*words)
    assert (done.code, done.out) == (2, "")
    assert expected in done.err


def test_env_takes_env_as_every_other_command_does(command: Any, here: Path) -> None:
    kafka = "kafka: {bootstrap.servers: 'localhost:1'}"
    lines = [f"  {name}: {{{kafka}, cluster_id: unasked}}" for name in ("dev", "prod", "stage")]
    (here / "environments.yaml").write_text("\n".join(["environments:", *lines, ""]), "utf-8")
    by_argument, by_option = (
        command("env", "--offline", "dev", "prod"),
        command("env", "--offline", "-e", "dev", "--env", "prod"),
    )
    assert by_option == by_argument
    assert "2 environments" in by_option.out
    assert "stage" not in by_option.out


def test_no_habit_hides_what_there_is(command: Any) -> None:
    from runbook.cli.grouping import built_in
    from runbook.cli.habits import COMMANDS

    assert not set(COMMANDS) & set(built_in())
    assert command("test", "-v", "--help").code == 0  # where a command has the option, it is what it is there
    assert "-v, --verbose" in command("test", "--help").out
    assert "Write instead" not in command("check", "-f").err  # it has the option, and lacks its value


def every_command() -> dict[str, set[str]]:
    """Every command, with the options that it has."""

    def below(command_: Any, words: list[str]) -> Iterator[tuple[str, set[str]]]:
        if hasattr(command_, "list_commands"):
            for name in command_.list_commands(None):
                yield from below(command_.get_command(None, name), [*words, name])
        else:
            yield " ".join(words), {option for param in command_.params for option in param.opts} | {"-h", "--help"}

    whole = typer.main.get_command(app)
    root = {option for param in whole.params for option in param.opts} | {"-h", "--help"}
    return {**dict(below(whole, [])), "": root}


def test_no_hint_names_an_option_or_a_command_that_there_is_not() -> None:
    from runbook.cli.habits import COMMANDS, DOES, OPTIONS, REHEARSALS, instead_of, named_in

    there = every_command()
    assert sorted(DOES) == sorted({*there} - {""})
    hints = [("", hint) for hint in COMMANDS.values()]
    for name, options in there.items():
        for option in (*OPTIONS, *REHEARSALS):
            hint = instead_of(option, options, name)
            assert not (option in options and hint)
            hints.append((name, hint))
    assert len({hint for _, hint in hints}) > 60
    for name, hint in hints:
        own, *others = re.split(r"\brunbook (?=[a-zA-Z-])", hint)
        assert named_in(own) <= there[name], (name, hint)
        for text in others:
            words = [word.rstrip(",;:") for word in text.split()]
            meant = next((n for n in (" ".join(words[:2]), words[0]) if n in there), "")
            assert meant or words[0].startswith("-") or words[0] == "COMMAND", hint
            assert named_in(text) <= there[meant], (name, hint)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["test", "-x"], ""),
        (["lint", "--limit", "3"], ""),
        (["env", "--limit", "3"], "Write instead: --env NAME for environments\n"),
        (["find", "x", "--tags", "y"], ""),
        (["list", "--tags", "y"], "Write instead: --objective NAME, or --severity LEVEL\n"),
        (["publish", "web", "--dry-run"], "Write instead: nothing; runbook publish writes the site into DEST"),
        (["lab", "up", "--dry-run"], "Write instead: nothing; runbook lab up starts a cluster on this machine"),
        (
            ["list", "--checks"],
            "Write instead: --checks DIR, a folder with code of yours; which checks there are: runb",
        ),
        (
            ["list", "--checks", "ha"],
            "--checks names one that holds probes/, views/ or connections/; without it all checks are listed\n",
        ),
        (["probe", "kafka_topic", "internal=false"], "Write instead: --with internal=false\n"),
        (["probe", "kafka_topic", "a=1", "b=2"], "Write instead: --with a=1 --with b=2\n"),
        (["probe", "kafka_topic", "kafka_broker"], ""),
        (["procedure", "walk", "ha#add-a-broker", "BROKERS=1,2"], "Write instead: --set BROKERS=1,2\n"),
        (["probe", "--list"], "Write instead: runbook list for blocks, runbook list --probes for probes\n"),
        (
            ["probe", "kafka_topic", "--with", "name=x"],
            "name is a column, by which rows are not chosen; it takes internal. All",
        ),
        (["probe", "kafka_broker", "--with", "x=y"], "kafka_broker has no parameter x: it takes none\n"),
        (["check", "--dry-run"], "Write instead: nothing; runbook check only looks, and changes no cluster"),
    ],
)
def test_an_option_of_other_tools_is_told_what_this_command_has(command: Any, words: list[str], expected: str) -> None:
    done = command(*words)
    assert done.code == 2
    assert expected in done.err if expected else "Write instead" not in done.err


def test_the_list_of_commands_ends_with_where_to_begin(command: Any) -> None:
    for text in (command().err, command("--help").out):
        assert "runbook find 'THE ERROR OR ALERT YOU SEE'" in text
        assert "runbook init DIR --from HOST:PORT" in text


def test_a_format_of_other_tools_is_no_file(command: Any, here: Path) -> None:
    done = command("check", "ha#brokers-agree", "--from", HEALTHY, "-o", "yaml")
    assert done.code == 2
    assert (
        "-o yaml: no such format; known: console, json, junit, markdown, sarif. Into a file: -o report.txt" in done.err
    )
    assert command("check", "ha#brokers-agree", "--from", HEALTHY, "-o", "jsn").err.startswith(
        "-o jsn: did you mean -o json? Into a file: -o jsn.txt"
    )
    assert list(here.iterdir()) == []


def test_a_name_among_many_is_told_by_the_nearest_and_by_what_lists_them(command: Any) -> None:
    done = command("show", "ha#brokers-agre")
    assert done.err.startswith("ha has no block brokers-agre: did you mean brokers-agree? runbook list ha names all ")
    assert len(done.err) < 120
    assert "did you mean rolling-restart?" in command("show", "ha#restart").err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["lab", "break", "stop-brokr"], "did you mean stop-broker? runbook lab break names all "),
        (["lab", "break", "brokr-zzz-7"], "runbook lab break names all "),
        (["check", "ha", "--from", HEALTHY, "--only", "brokers-agre"], "did you mean brokers-agree? runbook list ha "),
        (["check", "ha", "--from", HEALTHY, "--only", "zzzzzz"], "no such check; runbook list ha names all "),
        (["test", "ha", "--only", "brokers-agre"], "did you mean ha/brokers-agree? runbook list ha names all "),
        (["show", "copys-are-on-two-hosts"], "did you mean os-hardware#copies-are-on-two-hosts? runbook list names"),
        (["show", "dor"], "did you mean dr? known: "),
    ],
)
def test_no_wrong_name_meets_a_wall_of_names(command: Any, words: list[str], expected: str) -> None:
    done = command(*words)
    assert (done.code, done.out) == (2, "")
    assert expected in done.err
    assert len(done.err) < 300


def test_a_check_of_an_inventory_that_there_is_not_is_told_by_the_nearest(command: Any, here: Path) -> None:
    kafka = "absent: {kafka: nothing is asked here}"
    typo = "params: {ha/brokers-agre: {x: 1}}"
    (here / "environments.yaml").write_text(f"environments: {{dev: {{{kafka}, {typo}}}}}\n", "utf-8")
    done = command("check", "ha#brokers-agree")
    assert done.code == 2
    assert done.err.splitlines()[1].strip().startswith("did you mean ha/brokers-agree? runbook list ha names all ")


def test_an_id_alone_is_the_one_block_of_that_name(command: Any) -> None:
    options = ("--from", HEALTHY, "-f", "json")
    assert [r["check"] for r in json.loads(command("check", "brokers-agree", *options).out)["results"]] == [
        "ha/brokers-agree"
    ]
    assert command("show", "brokers-agree").out == command("show", "ha#brokers-agree").out
    assert command("test", "brokers-agree").out == command("test", "ha#brokers-agree").out
    assert "0 wrong" in command("test", "ha#brokers-agree").out


def test_an_id_of_two_blocks_asks_which(command: Any, knowledge: Any) -> None:
    for name in ("first", "second"):
        book = knowledge.joinpath("runbooks", "first.md").read_text("utf-8")
        knowledge.joinpath("runbooks", f"{name}.md").write_text(book.replace("title:", f"title: {name}", 1), "utf-8")
    done = command("show", "enough-brokers")
    assert (done.code, done.err) == (
        2,
        "enough-brokers: which? first#enough-brokers or ha#enough-brokers or second#enough-brokers\n",
    )


def test_a_block_where_a_runbook_is_wanted_is_told_so(command: Any) -> None:
    for name in ("lint", "list"):
        done = command(name, "ha#brokers-agree")
        assert (done.code, done.err) == (2, "ha#brokers-agree is one block; here whole runbooks are named: ha\n")
    done = command("test", "ha#rolling-restart")
    assert (done.code, done.err) == (2, "ha#rolling-restart is no check and no cause, and only those have cases\n")


def test_cases_of_one_check_beside_a_whole_runbook(command: Any) -> None:
    alone = int(command("test", "ha#brokers-agree").out.split()[0])
    whole = int(command("test", "observability").out.split()[0])
    assert command("test", "ha#brokers-agree", "observability").out.startswith(f"{alone + whole} cases right, 0 wrong")


@pytest.fixture
def misspelt(knowledge: Path) -> Path:
    """A knowledge base with two runbooks, one of which has a misspelt field."""
    own = knowledge.joinpath("runbooks", "first.md").read_text("utf-8")
    second = own.replace("enough-brokers", "plenty-brokers").replace("\nseverity:", "\nsevrity:")
    knowledge.joinpath("runbooks", "second.md").write_text(second, "utf-8")
    settings = knowledge / "runbook.yaml"
    settings.write_text(settings.read_text("utf-8").replace("builtin: true", "builtin: [gc]"), "utf-8")
    return knowledge


MISTAKE = 'unknown field "sevrity" in check'


@pytest.mark.usefixtures("misspelt")
def test_a_typo_in_one_own_runbook_leaves_the_others_in_use(command: Any) -> None:
    found = command("find", "brokers")
    assert found.code == 0
    assert "first#enough-brokers" in found.out
    listed = command("list")
    assert listed.code == 2
    assert "first/enough-brokers" in listed.out
    tried = command("test")
    assert (tried.code, tried.out[:13]) == (2, "4 cases right")
    for done in (found, listed, tried):
        assert "runbooks/second.md:" in done.err
        assert MISTAKE in done.err
        assert "did you mean severity?" in done.err
    assert command("find", "zzzzzz").code == 2  # it may stand in the runbook that can't be read
    assert command("check", "second", "--from", HEALTHY).code == 2


def test_a_run_judges_the_other_runbooks_and_says_which_is_left_out(command: Any, misspelt: Path) -> None:
    done = command("check", "--from", HEALTHY, "--only", "first/enough-brokers", "-f", "json")
    said = json.loads(done.out)
    assert [(result["check"], result["outcome"]) for result in said["results"]] == [("first/enough-brokers", "pass")]
    assert "runbooks/second.md has mistakes, and none of its checks is judged: runbook lint runbooks/second.md" in str(
        said
    )
    assert (done.code, MISTAKE in done.err) == (2, True)
    assert command("check", "first", "--from", HEALTHY).code == 0
    failing = misspelt.joinpath("runbooks", "first.md")
    failing.write_text(failing.read_text("utf-8").replace("default: 3", "default: 9"), "utf-8")
    assert command("check", "--from", HEALTHY, "--only", "first/enough-brokers").code == 1


def test_a_check_that_can_not_be_compiled_takes_its_runbook_alone(command: Any, misspelt: Path) -> None:
    second = misspelt.joinpath("runbooks", "second.md")
    second.write_text(
        second.read_text("utf-8").replace("sevrity:", "severity:").replace("  that: ", "  that: nay."), "utf-8"
    )
    done = command("check", "--from", HEALTHY, "--only", "first/enough-brokers")
    assert (done.code, "runbooks/second.md:" in done.err) == (2, True)


def test_where_no_runbook_is_left_nothing_is_judged(command: Any, misspelt: Path) -> None:
    misspelt.joinpath("runbooks", "first.md").unlink()
    settings = misspelt / "runbook.yaml"
    settings.write_text(settings.read_text("utf-8").replace("builtin: [gc]", "builtin: []"), "utf-8")
    done = command("check", "--from", HEALTHY)
    assert (done.code, done.out, MISTAKE in done.err) == (2, "", True)


def test_every_mistake_of_an_inventory_is_told_in_one_pass(command: Any, here: Path) -> None:
    lines = [
        "environments:",
        "  dev:",
        "    absent: {kafka: nothing is asked here}",
        "    lables: {tier: dev}",
        "    params: {ha/brokers-agre: {x: 1}, ha/enough-brokers: {leest: 3}}",
        "    waivers:",
        "      - {check: ha/brokers-agre, owner: me, reason: it is being mended, expires: 2026-12-01}",
        "      - {check: ha/brokers-agree, owner: me, reason: short, expires: 2026-12-01}",
        "",
    ]
    (here / "environments.yaml").write_text("\n".join(lines), "utf-8")
    for done in (command("check", "ha"), command("lint", "ha", "-i", "environments.yaml")):
        assert done.code == 2
        said = done.out + done.err
        for place, message in (
            (4, 'unknown field "lables"'),
            (5, 'no check "ha/brokers-agre"'),
            (5, 'ha/enough-brokers has no parameter "leest"'),
            (8, "waivers.1.reason: fewer than 10 characters"),
        ):
            assert any(f"environments.yaml:{place}:" in line and message in line for line in said.splitlines()), (
                message,
                said,
            )
        assert "did you mean ha/brokers-agree?" in said


def test_a_waiver_that_names_no_check_is_a_mistake_to_lint(command: Any, here: Path) -> None:
    waiver = "{check: ha/brokers-agre, owner: me, reason: it is being mended, expires: 2026-12-01}"
    text = f"environments: {{dev: {{absent: {{kafka: it is not there}}, waivers: [{waiver}]}}}}\n"
    (here / "environments.yaml").write_text(text, "utf-8")
    done = command("lint", "ha", "-i", "environments.yaml")
    assert 'the waiver names no check: "ha/brokers-agre"\n    did you mean ha/brokers-agree?' in done.out
    assert done.code == 2


@pytest.mark.parametrize("text", ["environments:\n\tdev: {}\n", "environments:\n  dev: {}\n\tprod: {}\n"])
def test_a_tab_is_called_a_tab(command: Any, here: Path, text: str) -> None:
    (here / "environments.yaml").write_text(text, "utf-8")
    done = command("env", "--offline")
    line = text[: text.index("\t")].count("\n") + 1
    assert done.err.startswith(
        f"environments.yaml:{line}:1  a tab stands where YAML takes spaces only\n    indent with"
    )
    assert done.code == 2


def test_no_cluster_is_promised_before_one_answered(command: Any, knowledge: Path) -> None:
    assert knowledge.joinpath("environments.yaml").exists()
    done = command("init", "--from", "127.0.0.1:1", "--deadline", "2s")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("--from 127.0.0.1:1: ")


def test_a_runbook_without_any_case_is_one_line(command: Any, knowledge: Path) -> None:
    from runbook.cli.commands.test import uncovered
    from runbook.run.case import Tried
    from runbook.run.trying import CaseTrial

    names = [f"{book}/{check}" for book in ("bare", "half", "lone") for check in ("a", "b")][:-1]
    trial = CaseTrial(tried=[Tried("half/c", "a case", "pass", "")], without=names)
    assert uncovered(trial) == [
        "no cases: bare, none of its 2 checks and causes has any",
        "no cases: half/a",
        "no cases: half/b",
        "no cases: lone/a",
    ]
    for file in knowledge.joinpath("tests", "cases", "first").glob("*.yaml"):
        file.unlink()
    assert command("test").code == 4


@pytest.mark.usefixtures("knowledge")
def test_a_projects_scorecard_stands_where_its_site_looks_for_it(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from runbook.cli.commands import scorecard

    asked: list[tuple[str, Path]] = []
    monkeypatch.setattr(scorecard, "roll_up_store", lambda store, out, *_: str(asked.append((store, out))))
    assert command("scorecard").code == 0
    assert command("scorecard", "there", "--out", "tables").code == 0
    assert asked == [("site-data/results", Path("site-data/scorecard")), ("there", Path("tables"))]


@pytest.mark.parametrize("more", [(), ("--env", "*"), ("--env", "prod")])
def test_an_inventory_without_environments_is_told_what_to_write(
    command: Any, here: Path, more: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runbook.run.sources.added_inventory", lambda: None)  # that of a lab that runs here
    (here / "environments.yaml").write_text("environments: {}")
    for name in ("check", "probe"):
        done = command(name, *(["kafka_broker"] if name == "probe" else []), *more)
        assert done.code == 2
        assert "environments.yaml has no environment yet; write one, as in\n    environments: {prod: " in done.err


@pytest.mark.usefixtures("here")
def test_where_runbooks_of_ones_own_are_found_is_told_outside_of_every_project(command: Any) -> None:
    done = command("show", "pay")
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith("those of your own are found in their project's folder, or by RUNBOOK_PROJECT=DIR\n")


def test_an_environment_in_place_of_a_runbook_is_told_its_option(command: Any, here: Path) -> None:
    here.joinpath("environments.yaml").write_text("environments: {prod-eu: {kafka: {}}}\n", "utf-8")
    assert command("check", "prod-eu").err == "prod-eu is an environment: --env prod-eu\n"
    assert "no runbook or block prod-us" in command("check", "prod-us").err


def test_a_procedure_in_place_of_a_walk_is_told_the_command_that_shows_it(command: Any) -> None:
    done = command("procedure", "show", "ha#bring-a-broker-back")
    assert "runbook show ha#bring-a-broker-back" in done.err
