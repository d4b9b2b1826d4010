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

HEALTHY = str(Path(__file__).parents[1] / "cases" / "ha" / "healthy.json")


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
        [sys.executable, "-c", WITHOUT, *arguments], capture_output=True, text=True, timeout=800, check=False
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
        (["check", "ha", "--verbose"], "Write instead: more of a report: --full"),
        (["diff", "--verbose"], "Write instead: what happens inside: runbook --debug COMMAND"),
        (["check", "ha", "--since", "1h"], "Write instead: what changed since the last kept look: runbook diff last"),
        (["incident", "--since", "1h"], "Write instead: --from 1h --to MOMENT"),
        (["check", "ha", "--evn", "x"], "No such option: --evn (Possible options: --env, --every)"),
        (["check", "ha", "--environment", "dev"], "Write instead: --env NAME"),
        (["show", "--json", "ha"], "Write instead: --format json"),
        (["lab", "start"], "No such command 'start'. Write: runbook lab up"),
        (["lab", "stop"], "No such command 'stop'. Write: runbook lab down"),
        (["lab", "frobnicate"], "No such command 'frobnicate'. known: break, demo, down, heal, history, parts,"),
        (["lab", "stat"], "Did you mean 'status'"),
        (["help"], "Write: runbook --help, or runbook COMMAND --help"),
        (["frobnicate"], "No such command 'frobnicate'. runbook -h names all"),
        (["procedure", "rolling-restart"], "'rolling-restart'. Write: runbook procedure walk rolling-restart"),
        (["ha"], "No such command 'ha'. Write: runbook check ha, or runbook show ha"),
        (["brokers-agree"], "Write: runbook check brokers-agree, or runbook show brokers-agree"),
        (["rolling-restart"], "Write: runbook show rolling-restart, or runbook procedure walk rolling-restart"),
        (["lst"], "Did you mean 'list'"),
        (["heal", "--name", "broken"], "No such command 'heal'. Write: runbook lab heal"),
        (["walks"], "No such command 'walks'. Write: runbook procedure walks"),
        (["find", "Connection", "to", "node", "-1"], "Write instead: what you paste in quotes, behind two dashes"),
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
    assert "2 of 3 environments" in by_option.out
    assert "stage" not in by_option.out


def test_no_habit_hides_what_there_is(command: Any) -> None:
    from runbook.cli.command_group import built_in
    from runbook.cli.suggestions import COMMANDS

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
    from runbook.cli.suggestions import COMMANDS, OPTIONS, instead_of, options_named_in

    there = every_command()
    hints = [("", hint) for hint in COMMANDS.values()]
    hints += [(name, instead_of(option, options, name)) for name, options in there.items() for option in OPTIONS]
    assert {advice for told in OPTIONS.values() for advice in told} <= {hint for _, hint in hints}
    for name, hint in hints:
        own, *others = re.split(r"\brunbook (?=[a-zA-Z-])", hint)
        assert options_named_in(own) <= there[name], (name, hint)
        for text in others:
            words = [word.rstrip(",;:") for word in text.split()]
            meant = next((n for n in (" ".join(words[:2]), words[0]) if n in there), "")
            assert meant or words[0].startswith("-") or words[0] == "COMMAND", hint
            assert options_named_in(text) <= there[meant], (name, hint)


def test_an_option_that_nobody_knows_is_told_nothing(command: Any) -> None:
    for words in (["lint", "--cluster", "x"], ["list", "--frobnicate"]):
        done = command(*words)
        assert done.code == 2
        assert "Write instead" not in done.err


def test_the_list_of_commands_ends_with_where_to_begin(command: Any) -> None:
    for text in (command().err, command("--help").out):
        assert "runbook find 'THE ERROR OR ALERT YOU SEE'" in text
        assert "runbook init DIR --from HOST:PORT" in text


def test_an_environment_in_place_of_a_runbook_is_told_its_option(command: Any, here: Path) -> None:
    here.joinpath("environments.yaml").write_text("environments: {prod-eu: {kafka: {}}}\n", "utf-8")
    assert command("check", "prod-eu").err == "prod-eu is an environment: --env prod-eu\n"
    assert "no runbook or block stage-us" in command("check", "stage-us").err


def test_a_procedure_in_place_of_a_walk_is_told_the_command_that_shows_it(command: Any) -> None:
    done = command("procedure", "show", "ha#bring-a-broker-back")
    assert "runbook show ha#bring-a-broker-back" in done.err
