import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from runbook.cli.reference import EXAMPLES, PAGE, commands, reference

HEAVY = ("cel_expr_python", "confluent_kafka", "jsonschema", "kafka", "markdown_it", "mkdocs", "msgspec", "pydantic",
         "pyspark", "rich", "yaml")  # fmt: skip


def test_the_page_of_all_commands_is_current():
    page = Path(__file__).parents[2] / PAGE
    assert page.read_text() == reference(), "run: python -m runbook.cli.reference"


@pytest.mark.parametrize(("name", "command"), list(commands()))
def test_every_command_is_explained_and_has_an_example(name: str, command: Any):
    assert EXAMPLES[name]
    assert command.help
    assert all(parameter.help for parameter in command.params)


def test_every_example_is_of_a_command_there_is():
    assert {*EXAMPLES} == {name for name, _ in commands()}


@pytest.mark.parametrize(("name", "example"), [(name, one) for name, many in EXAMPLES.items() for one in many])
def test_every_example_is_taken_by_its_command(name: str, example: str):
    words = shlex.split(example)
    start = 1 + len(name.split())
    assert words[:start] == ["runbook", *name.split()]
    command = dict(commands())[name]
    assert command.make_context(name, words[start:], resilient_parsing=False).params.keys() >= {
        parameter.name for parameter in command.params if parameter.name != "help"
    }


def test_the_short_help_of_no_command_is_cut_off():
    asked = subprocess.run([sys.executable, "-m", "runbook", "--help"], capture_output=True, text=True, check=True)
    listed = asked.stdout.partition("Commands:")[2]
    ours = ("list", "show", "find", "what-if", "env", "lint", "test", "probe", "init")
    lines = [line for line in listed.splitlines() if line.split()[:1] and line.split()[0] in ours]
    assert len(lines) == len(ours)
    assert not [line for line in lines if line.endswith("...")]


def test_help_loads_no_library_that_only_some_commands_need():
    code = f"import sys, runbook.cli.app; print(*(name for name in {HEAVY!r} if name in sys.modules))"
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert asked.stdout.split() == []
