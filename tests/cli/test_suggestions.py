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
        (["procedure", "rolling-restart"], "'rolling-restart'. Write: runbook procedure walk rolling-restart"),
        (["procedure", "start"], "Write: runbook procedure walk RUNBOOK#ID"),
        *(([word], "Write: runbook init DIR for a knowledge base of your own") for word in ("new", "create", "add")),
        (["edit", "ha"], "Write: runbook show RUNBOOK -o markdown for its text"),
        (["build"], "Write: runbook publish DIR"),
        (["ha"], "No such command 'ha'. Write: runbook check ha, or runbook show ha"),
        (["brokers-agree"], "Write: runbook check brokers-agree, or runbook show brokers-agree"),
        (["rolling-restart"], "Write: runbook show rolling-restart, or runbook procedure walk rolling-restart"),
        (["lst"], "Did you mean 'list'"),
        (["watch", "ha"], "Write: runbook check RUNBOOK --watch"),
        (["procedure", "ls"], "Write: runbook procedure list"),
        (["heal", "--name", "broken"], "No such command 'heal'. Write: runbook lab heal"),
        (["walks"], "No such command 'walks'. Write: runbook procedure walks"),
        (["procedure", "walk", "--resume"], "Write instead: --resume ID; which there are: runbook procedure walks"),
        (["check", "ha", "--env"], "Write instead: --env NAME; which there are: runbook env --offline"),
        (["lab", "logs"], "Write: runbook lab status, which names each broker's log"),
        (["mkdocs", "serve"], "Write: runbook publish DIR"),
        (["check", "ha", "--all"], "Write instead: --env '*' for all environments"),
        (["find", "x", "-o", "json"], "Write instead: the command writes text for people"),
        (["show", "ha", "-i", "x.yaml"], "Write instead: the command reads no inventory"),
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
    from runbook.cli.suggestions import (
        COMMANDS,
        DOES,
        ENVIRONMENTS,
        EXTRA,
        LISTED,
        MISSING,
        OPTIONS,
        REHEARSALS,
        instead_of,
        named_in,
    )

    there = every_command()
    assert sorted(DOES) == sorted({*there} - {""})
    hints = [("", hint) for hint in (*COMMANDS.values(), *LISTED.values())] + [*EXTRA.items(), *MISSING.items()]
    known = [key.rpartition(" ") for key in OPTIONS]
    assert all(option not in there[name] and instead_of(option, there[name], name) for name, _, option in known if name)
    for name, options in there.items():
        for option in {*(option for _, _, option in known), *REHEARSALS, *ENVIRONMENTS}:
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
        (["test", "-x"], "Write instead: nothing; all cases are judged, and each that is wrong is told\n"),
        (["lint", "-x"], ""),
        (["lint", "--limit", "3"], ""),
        (["lint", "--fix"], "Write instead: nothing; runbook lint says what to write, and changes no file\n"),
        (["check", "--fix"], "Write instead: nothing; a remedy says what to do, and runbook procedure walk"),
        (["check", "--all-namespaces"], "Write instead: --env '*' for all environments\n"),
        (["check", "--diff"], "Write instead: nothing; runbook diff says what changed between two looks\n"),
        (["check", "-t", "x"], "Write instead: --objective NAME, or --severity LEVEL, or --only CHECK\n"),
        (["show", "ha", "-e", "eu"], "Write instead: nothing; runbook show asks no cluster, as runbook check RUNBOOK"),
        (["show", "ha", "brokers-agree"], "Write instead: the block in one word with its runbook: runbook show RUNBO"),
        (["init", "--env", "eu"], "Write instead: nothing; the name of an environment is what you write into env"),
        (["publish", "--serve"], "Write instead: nothing; runbook publish DIR writes plain files, which any web ser"),
        (["publish", "web", "-f", "x"], "Write instead: nothing; what is published stands in runbook.yaml, or in"),
        (["probe", "kafka_topic", "-n", "3"], "Write instead: --env NAME, or --limit N for rows\n"),
        (["what-if", "--broker", "2"], "Write instead: --lose broker:2, or --lose rack:NAME\n"),
        (["lab", "up", "--brokers", "1"], "Write instead: nothing; a lab has three brokers, and one with --with dev"),
        (["lab", "down", "a"], "Write instead: --name NAME, once for each lab\n"),
        (["lab", "break", "stop-broker", "2"], "Write instead: one fault; each says what it takes: runbook lab br"),
        (["lab", "heal", "-e", "eu"], "Write instead: --name NAME\n"),
        (["incident", "--since", "1h"], "Write instead: --from 1h, or a moment\n"),
        (["diff"], "Write instead: what changed since the last kept look: runbook diff last; or a look of runbook"),
        (["find"], "Write instead: what you see in quotes, an error or the name of an alert: runbook find 'TEXT'\n"),
        (["pauses"], "Write instead: --out FILE, as in --env NAME --out pauses.svg\n"),
        (["procedure", "show"], "Write instead: the ID of a walk; which there are: runbook procedure walks;"),
        (["publish"], "Write instead: the folder to publish into: runbook publish DIR\n"),
        (["results", "import"], "Write instead: where runs are, then where to: runbook results import SOURCE STORE\n"),
        (["show"], "Write instead: runbook show RUNBOOK, or runbook show RUNBOOK#ID; which there are: runbook list\n"),
        (["list", "procedures"], "procedures are listed by: runbook procedure list\n"),
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
        (["check", "--runbook", "ha"], "No such option: --runbook\nWrite instead: its name alone: runbook check ha\n"),
        (["find", "lag", "--runbook", "consumers"], "No such option: --runbook\nWrite instead: --in RUNBOOK\n"),
        (["check", "ha", "--since", "1h"], "since\nWrite instead: what changed since the last kept look: runbook diff"),
        (["check", "ha", "--evn", "x"], "No such option: --evn (Possible options: --env, --every)\n"),
        (["waivers"], "No such command 'waivers'. Write: runbook env --offline, which tells those of each environment"),
        (["list", "waivers"], "waivers are listed by: runbook env --offline"),
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


def test_an_environment_in_place_of_a_runbook_is_told_its_option(command: Any, here: Path) -> None:
    here.joinpath("environments.yaml").write_text("environments: {prod-eu: {kafka: {}}}\n", "utf-8")
    assert command("check", "prod-eu").err == "prod-eu is an environment: --env prod-eu\n"
    assert "no runbook or block prod-us" in command("check", "prod-us").err


def test_a_procedure_in_place_of_a_walk_is_told_the_command_that_shows_it(command: Any) -> None:
    done = command("procedure", "show", "ha#bring-a-broker-back")
    assert "runbook show ha#bring-a-broker-back" in done.err
