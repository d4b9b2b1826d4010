"""The commands of the page about a knowledge base of one's own, run in one: with one environment, and with two."""

import re
import shlex
from pathlib import Path

import pytest

from support.commands_here import Command, command, here, knowledge
from support.documented import fences

__all__ = ["command", "here", "knowledge"]

PAGE = "docs/how-to/own-knowledge-base.md"
LOOKING = ("check", "env", "probe")
"""The commands that look at clusters."""

NOBODY = "{kafka: {bootstrap.servers: '127.0.0.1:1'}, labels: {tier: dev}}"


def _shown() -> list[list[str]]:
    """The commands of the page that look at clusters, without `runbook`."""
    lines = [line for fence in fences(PAGE) for line in fence.text.splitlines()]
    words = [shlex.split(line, comments=True)[2:] for line in lines if re.match(r"\$ runbook ", line)]
    return [line for line in words if line[0] in LOOKING]


@pytest.mark.parametrize("names", [["prod"], ["dev", "prod"]])
def test_the_commands_say_which_environment_they_mean(
    command: Command, knowledge: Path, monkeypatch: pytest.MonkeyPatch, names: list[str]
) -> None:
    environments = ", ".join(f"{name}: {NOBODY}" for name in names)
    (knowledge / "environments.yaml").write_text(f"environments: {{{environments}}}\n", "utf-8")
    settings = (knowledge / "runbook.yaml").read_text("utf-8")
    few = settings.replace("builtin: true ", "builtin: false")  # all checks would be looked at in vain
    (knowledge / "runbook.yaml").write_text(few.replace("# checks: checks", "checks: checks"), "utf-8")
    monkeypatch.setenv("RUNBOOK_PROJECT", str(knowledge))
    shown = _shown()
    assert {line[0] for line in shown} == set(LOOKING)
    for line in shown:
        ended = command(*["prod" if word == "NAME" else word for word in line])
        assert ended.code != 2, f"{shlex.join(line)}: {ended.err}"
