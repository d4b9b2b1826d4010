"""Files of others, whatever command reads them, drive no terminal: not where they are shown, and not by an error."""

import json
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from runbook.cli.app import app
from support.small_runbooks import FRONT, check_text

ESC = "\x1b]0;owned\x07\x9b2J\u202e"
IN_YAML = "\\e]0;owned\\a\\x9b2J\\u202e\\nPASS forged"

KEYS = "facts: {t: {probe: kafka_topic}}\nexpect: {each: t, that: size(t.topic) > 0}\n"
FILES = {
    "key.md": FRONT + check_text(KEYS + f'"{IN_YAML}": 1\n', "bad"),
    "title.md": FRONT.replace("title: ", f'title: "{IN_YAML}" # ') + check_text(KEYS, "good"),
    "raw.md": FRONT + f"\nProse {ESC} of them.\n\n" + check_text(KEYS, "good"),
    "front.md": f'---\ntitle: T\n"{IN_YAML}": 1\n---\n\n# T\n',
    "syntax.md": FRONT + f"\n```yaml {{.check}}\n{ESC}: [\n```\n",
    "inventory-key.yaml": f'environments: {{prod: {{"{IN_YAML}": 1}}}}\n',
    "inventory-name.yaml": f'environments: {{"{IN_YAML}": {{}}}}\n',
    "inventory-kafka.yaml": f'environments: {{prod: {{kafka: {{"{IN_YAML}": 1}}}}}}\n',
    "inventory-label.yaml": f'environments: {{prod: {{labels: {{tier: "{IN_YAML}"}}}}}}\n',
    "inventory-default.yaml": f'environments: {{prod: {{}}}}\ndefault: "{IN_YAML}"\n',
    "inventory-results.yaml": f'environments: {{prod: {{}}}}\nresults: "nope://{IN_YAML}"\n',
    "format.json": json.dumps({"format": ESC}),
    "bundle.json": json.dumps(
        {
            "format": "runbook-bundle-1",
            "tool_version": ESC,
            "run": ESC,
            "started_at": ESC,
            "environments": {ESC: {}},
            "connections": {},
            "mirrors": [],
            "kept": [],
        }
    ),
    "walk.jsonl": json.dumps({"kind": ESC}) + "\n",
    f"name{ESC}.md": "no runbook",
}
_LONG = ("lint", "test")  # which read everything where nothing is named


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


COMMANDS = [
    pytest.param(path, called, id=" ".join(path))
    for path, called in commands(typer.main.get_command(app))
    if path[0] not in ("lab", "init")  # which read no file of others
]


def acts(text: str) -> set[str]:
    return {
        char for char in text if char not in "\n\t" and unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    }


@pytest.mark.parametrize(("path", "called"), COMMANDS)
def test_no_command_passes_it_on(path: tuple[str, ...], called: Any, command: Callable[..., Any], here: Path) -> None:
    """Every command there is, with each of the files as each of its arguments and options that take one."""
    for name, text in FILES.items():
        here.joinpath(name).write_text(text, "utf-8")
    arguments = [parameter for parameter in called.params if parameter.param_type_name == "argument"]
    options = [
        parameter.opts[0]
        for parameter in called.params
        if parameter.param_type_name == "option" and not parameter.is_flag and not parameter.hidden
    ]
    tried = 0
    for file in FILES:
        given = [file] * len([argument for argument in arguments if argument.required])
        whole = [file] * len(arguments)
        ways = [whole, *([*whole, option, file] for option in options)]
        if not given and path[0] not in _LONG:
            ways += [[option, file] for option in options]
        for way in ways:
            ended = command(*path, *way)
            assert acts(ended.out + ended.err) == set(), f"{path} {way}"
            assert ended.code != 5, f"{path} {way}: {ended.err}"
            assert not [line for line in (ended.out + ended.err).splitlines() if line.startswith("PASS forged")], way
            tried += 1
    assert tried >= len(FILES)


@pytest.mark.parametrize("word", [ESC, f"--{ESC}", f"check#{ESC}"])
@pytest.mark.parametrize("before", [(), ("check",), ("show",), ("find", "x", "--in"), ("env", "--deadline")])
def test_a_word_that_a_person_pasted_is_shown_as_text(before: tuple[str, ...], word: str, command: Any) -> None:
    ended = command(*before, word)
    assert ended.code in (2, 4)
    assert acts(ended.out + ended.err) == set()
