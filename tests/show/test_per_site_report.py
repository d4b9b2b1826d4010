"""Who names one environment is told what to do first there, also where a link of it is judged at its other end."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runbook.evidence.bundle import save_bundle
from support.evidence import record
from support.small_runbooks import FRONT, check_text

Command = Callable[..., Any]
HERE = "facts: {broker: {probe: kafka_broker}}\nexpect: {each: broker, that: broker.answers}\n"
OVER_LINK = (
    "over: link\nfacts: {src: {probe: kafka_topic, at: source}, dst: {probe: kafka_topic, at: target}}\n"
    "expect: {all: src, that: 'src.name.all(name, name in dst.name)'}\n"
)
ENVIRONMENTS = """\
environments:
  east: {kafka: {bootstrap.servers: '127.0.0.1:1'}}
  west: {kafka: {bootstrap.servers: '127.0.0.1:1'}}
mirrors: [{from: east, to: west}]
"""
NAME_ONE = "name one environment with --env"


@pytest.fixture
def asked(here: Path, command: Command) -> Callable[..., str]:
    """Check two sites at which nobody listens."""
    text = FRONT + check_text(HERE, "answers") + check_text(OVER_LINK, "copied")
    (here / "ours.md").write_text(text, "utf-8")
    (here / "environments.yaml").write_text(ENVIRONMENTS, "utf-8")
    return lambda *words: str(command("check", "ours.md", *words).out)


@pytest.mark.parametrize("words", [(), ("--full",)])
def test_each_end_is_told_as_it_would_be_alone(asked: Callable[..., str], words: tuple[str, ...]):
    out = asked("--env", "east", *words)
    assert NAME_ONE not in out
    assert [out.count(text) for text in ("ours/answers", "ours/copied [east→west]")] == [1, 1]
    assert "0 pass   0 fail   1 unknown" in out


def test_who_names_both_is_told_to_name_one(asked: Callable[..., str]):
    assert NAME_ONE in asked("--env", "east,west")


def test_a_program_is_told_of_one_run(asked: Callable[..., str]):
    assert len(json.loads(asked("--env", "east", "-f", "json"))["results"]) == 3


def test_the_end_that_tells_the_cause_is_told_first_and_the_dark_one_offers_nothing_else(
    here: Path, command: Command
) -> None:
    """A primary of which no broker answered, and its standby that knew why."""
    save_bundle(here / "lost.json", record.read(record.place_of("sites", "lose-primary", "during")).bundle)
    out = str(command("check", "dr", "--from", "lost.json").out)
    cause, unseen = out.index("CAUSE    no broker of sites answers"), out.index("UNSEEN   nothing of sites")
    assert cause < unseen
    assert " first " in out[cause:unseen]
    assert "leaves " in out[unseen:]
    assert [word for word in (" first ", " standby ") if word in out[unseen:]] == []
