"""Every `runbook` command that a page shows is one that the command line takes."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.main

from runbook.cli.app import app

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "runbooks").glob("*.md"))]
FENCE = re.compile(r"^ *```(?:console|text|sh|bash)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
PROMPT = re.compile(r"^\s*\$ (runbook .*)$", re.MULTILINE)
COMMAND = typer.main.get_command(app)


def shown() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for fence in FENCE.finditer(page.read_text("utf-8").replace("\\\n", " ")):
            for line in PROMPT.finditer(fence[1]):
                for part in re.split(r"\s(?:&&|;|\|)\s", line[1].partition(" #")[0]):
                    if part.strip().startswith("runbook "):
                        yield str(page.relative_to(ROOT)), part.strip()


def parse(words: list[str]) -> None:
    """Parse a command line as the program would, without running it; wrong options and commands raise."""
    command, context = COMMAND, None
    while True:
        context = command.make_context(command.name, words, parent=context)
        if not hasattr(command, "resolve_command"):
            return
        _, command, words = command.resolve_command(context, [*context._protected_args, *context.args])


@pytest.mark.parametrize(("page", "line"), sorted(set(shown())))
def test_a_command_that_is_shown_is_taken(page: str, line: str):
    try:
        parse(shlex.split(line)[1:])
    except typer.Exit:
        pytest.skip("help and version end at once")
    except typer.BadParameter.__mro__[2] as error:
        pytest.fail(f"{page}: {line}: {error}")


def test_a_wrong_option_would_be_noticed():
    with pytest.raises(typer.BadParameter.__mro__[2]):
        parse(["check", "--no-such-option"])
