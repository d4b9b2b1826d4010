"""A command that can be pasted names the server that it asks, and gives each option once where the last would win."""

import re
from pathlib import Path
from typing import Final

import pytest

from support.documented import ROOT

_COMMAND: Final = re.compile(r"(?<!`)`(kafka-(?:configs|acls|transactions)\.sh\s[^`]*)`")
_WHOLE: Final = re.compile(r"--(?:add-config|delete-config|allow-principal|start-offset)\b")
"""What the commands have that are meant to be pasted; others are only mentioned."""


@pytest.mark.parametrize("file", sorted((ROOT / "runbooks").glob("*.md")), ids=lambda file: file.stem)
def test_each_command_that_sets_something_names_its_server(file: Path) -> None:
    commands = [command for command in _COMMAND.findall(file.read_text("utf-8")) if _WHOLE.search(command)]
    assert [command for command in commands if "--bootstrap-" not in command] == []


_REPEATED: Final = re.compile(r"(--producer-props|--command-property) [^`|]*\1 ")
"""Of kafka-producer-perf-test.sh: argparse4j's nargs("+") keeps only the last (seen with that of 4.3.0)."""


@pytest.mark.parametrize("file", sorted((ROOT / "runbooks").glob("*.md")), ids=lambda file: file.stem)
def test_settings_of_a_perf_test_follow_one_option(file: Path) -> None:
    assert [found[0] for found in _REPEATED.finditer(file.read_text("utf-8"))] == []


_BRACKETS: Final = re.compile(r"(?<!--add-config ')(?<!--add-scram ')SCRAM-SHA-\d+=\[")
"""kafka-configs.sh takes the brackets off what --add-config has, not off a line of a file (seen with 4.3.0)."""


@pytest.mark.parametrize("file", sorted((ROOT / "runbooks").glob("*.md")), ids=lambda file: file.stem)
def test_a_password_in_a_file_has_no_brackets(file: Path) -> None:
    assert _BRACKETS.findall(file.read_text("utf-8")) == []
