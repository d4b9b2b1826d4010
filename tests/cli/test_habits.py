"""What people write out of habit works, or is told what to write."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
HEALTHY = str(ROOT / "tests" / "cases" / "ha" / "healthy.json")


def test_a_format_may_be_asked_for_as_of_kubectl(command: Any, here: Path) -> None:
    done = command("check", "ha#brokers-agree", "--from", HEALTHY, "-o", "json")
    assert (done.code, done.err) == (0, "")
    assert [one["check"] for one in json.loads(done.out)["results"]] == ["ha/brokers-agree"]
    assert list(here.iterdir()) == []
    assert json.loads(command("list", "ha", "-o", "json").out)[0]["kind"]


def test_o_still_names_a_file(command: Any, here: Path) -> None:
    done = command("check", "ha#brokers-agree", "--from", HEALTHY, "-f", "json", "-o", "report.json")
    assert (done.code, done.out) == (0, "")
    assert json.loads((here / "report.json").read_text("utf-8"))["exit_code"] == 0


def test_two_formats_are_refused_before_anything_is_asked(command: Any, here: Path) -> None:
    done = command("check", "ha", "--from", HEALTHY, "-f", "junit", "-o", "json")
    assert done.code == 2
    assert "--format junit and -o json: which?" in done.err
    assert "-o report.json" in done.err
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("word", ["ha#brokers-agree", "ha/brokers-agree", "ha.md#brokers-agree"])
def test_one_check_is_named_as_show_names_it(command: Any, word: str) -> None:
    done = command("check", word, "--from", HEALTHY, "-f", "json")
    assert [one["check"] for one in json.loads(done.out)["results"]] == ["ha/brokers-agree"]


def test_a_check_beside_a_whole_runbook_and_only(command: Any) -> None:
    done = command("check", "ha#brokers-agree", "gc", "--only", "every-broker-answers", "--from", HEALTHY, "-f", "json")
    names = [one["check"] for one in json.loads(done.out)["results"]]
    assert {"ha/brokers-agree", "ha/every-broker-answers"} == {name for name in names if name.startswith("ha/")}
    assert sum(name.startswith("gc/") for name in names) > 10


def test_a_diagnostic_means_the_checks_that_tell_its_causes_apart(command: Any) -> None:
    done = command("check", "ha#a-broker-is-cut-off", "--from", HEALTHY, "-f", "json")
    shown = command("show", "ha#a-broker-is-cut-off").out
    names = [one["check"] for one in json.loads(done.out)["results"]]
    assert len(names) > 1
    assert all(name.split("/")[1] in shown for name in names)


def test_what_can_not_be_checked_is_told_how_to_be_used(command: Any) -> None:
    procedures = [one["name"] for one in json.loads(command("list", "-o", "json").out) if one["kind"] == "procedure"]
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
    ("words", "told"),
    [
        (["version"], "No such command 'version'. Write: runbook --version"),
        (["get", "ha"], "Write: runbook list, runbook show RUNBOOK#ID"),
        (["check", "ha", "-v"], "Write instead: more of a report: --full"),
        (["check", "ha", "--environment", "dev"], "Write instead: --env NAME"),
        (["check", "--debug"], "Write instead: before the command: runbook --debug COMMAND"),
        (["show", "--json", "ha"], "Write instead: --format json"),
    ],
)
def test_words_of_other_tools_are_told_what_to_write(command: Any, words: list[str], told: str) -> None:
    done = command(*words)
    assert (done.code, done.out) == (2, "")
    assert told in done.err


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
    from runbook.cli.habits import COMMANDS, OPTIONS

    assert not set(COMMANDS) & set(built_in())
    assert command("test", "-v", "--help").code == 0  # where a command has the option, it is what it is there
    assert {told for told in OPTIONS.values() if told.startswith("--") and " NAME" in told}
    assert "-v, --verbose" in command("test", "--help").out


def test_the_list_of_commands_ends_with_where_to_begin(command: Any) -> None:
    for told in (command().err, command("--help").out):
        assert "runbook find 'THE ERROR OR ALERT YOU SEE'" in told
        assert "runbook init DIR --from HOST:PORT" in told


def test_a_format_of_other_tools_is_no_file(command: Any, here: Path) -> None:
    done = command("check", "ha#brokers-agree", "--from", HEALTHY, "-o", "yaml")
    assert done.code == 2
    assert (
        "-o yaml: no such format; known: console, json, junit, markdown, sarif. Into a file: -o report.yaml" in done.err
    )
    assert list(here.iterdir()) == []


def test_a_name_among_many_is_told_by_the_nearest_and_by_what_lists_them(command: Any) -> None:
    done = command("show", "ha#brokers-agre")
    assert done.err.startswith("ha has no block brokers-agre: did you mean brokers-agree? runbook list ha names all ")
    assert len(done.err) < 120
    assert "did you mean rolling-restart?" in command("show", "ha#restart").err
