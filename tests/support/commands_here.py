"""Fixtures: a folder of its own to work in, and commands that run there, in this process."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec import Struct

from runbook.cli.app import run
from runbook.run.sources import secret_references
from support.catalogs import catalogs_as_before


class Ended(Struct, frozen=True):
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str


Command = Callable[..., Ended]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to work in; no inventory, lab or configuration of this machine is seen from it."""
    monkeypatch.chdir(tmp_path)
    for name in ("RUNBOOK_INVENTORY", "RUNBOOK_PROJECT", "RUNBOOK_CHECKS"):
        monkeypatch.setenv(name, "")  # set, so that what a command sets is taken back
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    monkeypatch.setenv("RUNBOOK_LAB_HOME", str(tmp_path / ".lab"))
    # A command is a process of its own; other tests share this one.
    monkeypatch.setattr(secret_references, "_followed", set())
    with catalogs_as_before():
        yield tmp_path


@pytest.fixture
def command(
    here: Path,  # noqa: ARG001 - commands run there
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Command:
    """Run `runbook` with these arguments."""

    def call(*arguments: str) -> Ended:
        monkeypatch.setattr(sys, "argv", ["runbook", *arguments])
        capfd.readouterr()
        try:
            code = run()
        except SystemExit as ended:
            code = int(ended.code or 0)
        written = capfd.readouterr()
        return Ended(code, written.out, written.err)

    return call


@pytest.fixture
def knowledge(command: Command, here: Path) -> Path:
    """A knowledge base as `runbook init` begins it."""
    assert command("init").code == 0
    return here
