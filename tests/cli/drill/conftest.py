"""Drills over kept facts, and with a canary that is played."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from support.drilled import ANSWERS, BUNDLE, INVENTORY, LINKED, PROCEDURE, WHERE, Command, Watched
from support.small_runbooks import FRONT, check_text


@pytest.fixture
def kept(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Facts of two environments with two links between them, and a procedure that needs both environments."""
    monkeypatch.setenv("XDG_STATE_HOME", str(here / "state"))
    bundle = json.loads(BUNDLE.read_text("utf-8"))
    name, environment = next(iter(bundle["environments"].items()))
    sites = ("eu", "us", "asia")
    bundle["environments"] = dict.fromkeys(sites, environment)
    bundle["connections"] = dict.fromkeys(sites, bundle["connections"][name])
    asked = [kept_ for kept_ in bundle["kept"] if kept_["ask"]["environment"] == name]
    bundle["kept"] = [entry | {"ask": entry["ask"] | {"environment": site}} for site in sites for entry in asked]
    bundle |= {"selected": ["eu"], "mirrors": [{"from": "eu", "to": "us"}, {"from": "asia", "to": "us"}]}
    (here / "kept.json").write_text(json.dumps(bundle), "utf-8")
    (here / "ours.md").write_text(
        FRONT + check_text(ANSWERS, "answers") + check_text(LINKED, "linked") + PROCEDURE, "utf-8"
    )
    return here / "kept.json"


@pytest.fixture
def run(command: Command, kept: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run a command over the kept facts with these answers."""

    def call(answers: list[str], *arguments: str) -> Any:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
        return command(*arguments, "--from", str(kept), "--no-terminal", "--by", "ada")

    return call


@pytest.fixture
def watched(kept: Path, here: Path, monkeypatch: pytest.MonkeyPatch) -> Watched:
    """A link with consent to a canary, which is played."""
    assert kept.exists()
    (here / "environments.yaml").write_text(INVENTORY, "utf-8")
    text = (here / "ours.md").read_text("utf-8").replace(WHERE, "").replace("    verify: [answers]\n", "")
    (here / "ours.md").write_text(text, "utf-8")
    played = Watched()
    monkeypatch.setattr("runbook.cli.commands.drill._canary", lambda *_: played)
    return played
