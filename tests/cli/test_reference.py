import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from runbook.cli.command_group import module_of
from runbook.cli.reference import FOLDER, commands, examples_of, reference, write

HEAVY = ("cel_expr_python", "confluent_kafka", "jsonschema", "kafka", "markdown_it", "mkdocs", "msgspec", "pydantic",
         "pyspark", "rich", "yaml")  # fmt: skip


def test_the_pages_of_all_commands_are_current():
    folder = Path(__file__).parents[2] / FOLDER
    kept = {f"cli/{page.name}": page.read_text() for page in (folder / "cli").glob("*.md")}
    assert kept | {"cli.md": (folder / "cli.md").read_text()} == reference(), "run: python -m runbook.cli.reference"


def test_every_command_has_a_line_in_the_list_and_a_section_on_its_page():
    pages = reference()
    for name, _ in commands():
        anchor = f"runbook-{name.replace(' ', '-')}"
        assert f'<span id="{anchor}" data-rb-page>[runbook {name}](cli/' in pages["cli.md"]
        assert f"# runbook {name}\n" in pages[f"cli/{name.partition(' ')[0]}.md"]


def test_the_page_of_a_command_that_is_gone_goes_too(tmp_path: Path):
    (tmp_path / "cli").mkdir()
    (tmp_path / "cli" / "gone.md").write_text("x")
    write(tmp_path)
    assert {str(page.relative_to(tmp_path)) for page in tmp_path.rglob("*.md")} == reference().keys()


@pytest.mark.parametrize(("name", "command"), list(commands()))
def test_every_command_is_explained_and_has_an_example(name: str, command: Any):
    assert examples_of(name)
    assert command.help
    assert all(parameter.help for parameter in command.params)


def test_every_example_is_of_a_command_there_is():
    groups = {name.partition(" ")[0] for name, _ in commands() if " " in name}
    shown = {f"{group} {sub}" for group in groups for sub in module_of(group).EXAMPLES}
    assert shown == {name for name, _ in commands() if " " in name}


def test_what_could_have_been_meant_is_said_of_commands_that_others_add_too():
    asked = subprocess.run([sys.executable, "-m", "runbook", "labb"], capture_output=True, text=True, check=False)
    assert asked.returncode == 2
    assert "Did you mean 'lab'?" in asked.stderr


def test_a_command_imports_no_other_and_looks_for_no_other_package():
    code = (
        "import sys; from runbook.cli.reference import whole; assert whole().get_command(None, 'check'); "
        "print(*(name for name in sys.modules if name.startswith('runbook.cli.commands.'))); "
        "print('importlib.metadata' in sys.modules)"
    )
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert asked.stdout.split() == ["runbook.cli.commands.check", "False"]


@pytest.mark.parametrize(
    ("name", "example"), [(name, example) for name, _ in commands() for example in examples_of(name)]
)
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
