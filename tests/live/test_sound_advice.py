"""Over all kept evidence: nobody is told to set what is set, and nothing on a screen contradicts the rest of it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any, Final

import pytest

from live.test_causes import NEEDS, SEEN, STATES
from runbook.judge.first_step import whole
from runbook.model.diagnosis import Diagnosis
from runbook.model.result import Outcome, Result
from runbook.model.run import Run
from runbook.probes.kafka_topic import KafkaTopic
from runbook.reports._answer import answering
from support.evidence import record
from support.evidence.diagnosed import run_as_kept, runbooks_of

pytestmark = [pytest.mark.kept, pytest.mark.xdist_group("kept")]

_ASSIGNED: Final = re.compile(r"([a-z][a-z0-9]*(?:\.[a-z0-9]+)+)=([^\s,'\"`]+)")
_COLUMNS: Final = {source.setting: name for name, source in KafkaTopic.__sources__.items() if source.setting}
_REFUSE: Final = re.compile(r"(\d+) of (\d+) partitions? refuses? acks=all writes; (\d+) offline")
_ANSWER: Final = re.compile(r"(\d+) of (\d+) brokers? answers?, not brokers? (.+)")


@cache
def topics(shape: str, scene: str, state: str) -> dict[str, Mapping[str, Any]]:
    """The topics of a state, by name, as its brokers tell their settings."""
    kept = record.read(record.place_of(shape, scene, state)).bundle.kept
    facts = [fact for one in kept if one.ask.probe == "kafka_topic" for fact in one.facts.values()]
    return {row["name"]: row for fact in facts for row in fact.rows()}


def advised(run: Run) -> Iterator[tuple[str, str, list[str]]]:
    """What a run tells people to do: who says it, the text, and the topics that it is about."""
    for result in run.results:
        if result.outcome is Outcome.FAIL:
            rows = [row for row in result.rows if row.outcome == "fail"]
            names = [name for row in rows for name in row.touches.get("topic", [])]
            text = "\n".join(
                f"{piece.text}" for part in whole(result.remedy) for piece in part if piece.kind != "words"
            )
            yield result.check, text, names
    for diagnosis in run.diagnoses:
        for cause in diagnosis.named:
            yield cause.cause, cause.first, re.findall(r"--entity-type topics --entity-name (\S+)", cause.first)


@pytest.mark.parametrize(("shape", "scene", "state", "runbook"), SEEN)
def test_nobody_is_told_to_set_what_is_in_force(shape: str, scene: str, state: str, runbook: str) -> None:
    known = topics(shape, scene, state)
    for who, text, names in advised(run_as_kept(shape, scene, state, runbook)):
        for command in text.splitlines():
            for name, value in _ASSIGNED.findall(command):
                told = [known.get(topic, {}).get(_COLUMNS.get(name, "")) for topic in names]
                in_force = bool(told) and all(str(one).lower() == value for one in told)
                assert not in_force, f"{who} tells to set {name}={value}, which {names} have: {command}"


Entity = tuple[str, str, str]
"""Environment, kind and name, as in ("lab", "broker", "2")."""
Advice = tuple[str, Entity, str, str]
"""Who gives it, about what, a setting, and the value that it is to have."""


def at_odds(advice: Iterable[Advice]) -> list[str]:
    """Findings that want different values of one setting of one entity; one finding may name several to choose from."""
    wanted: dict[tuple[Entity, str], dict[str, set[str]]] = {}
    for who, entity, setting, value in advice:
        wanted.setdefault((entity, setting), {}).setdefault(who, set()).add(value)
    return [
        f"{setting} of {' '.join(entity)}: {said}"
        for (entity, setting), said in wanted.items()
        if not set.intersection(*said.values())
    ]


def settings_advised(run: Run) -> Iterator[Advice]:
    """The values that the remedies of failed checks name for what their rows are about."""
    for result in run.results:
        if result.outcome is Outcome.FAIL and result.remedy:
            text = "\n".join(piece.text for part in whole(result.remedy) for piece in part)
            named = {(name, value.rstrip(".:")) for name, value in _ASSIGNED.findall(text) if not value.isupper()}
            touched = [row.touches for row in result.rows if row.outcome == "fail"]
            about = {(kind, str(one)) for touches in touched for kind, ones in touches.items() for one in ones}
            for entity, (name, value) in product(about, named):
                yield result.check, (result.environment, *entity), name, value


@pytest.mark.parametrize(("shape", "scene", "state"), STATES)
def test_no_two_runbooks_want_different_values_of_one_setting(shape: str, scene: str, state: str) -> None:
    books = runbooks_of(shape, scene, state, needs=NEEDS)
    runs = [run_as_kept(shape, scene, state, runbook) for runbook in books]
    assert at_odds(advice for run in runs for advice in settings_advised(run)) == []


def test_findings_are_at_odds_where_no_value_suits_all_of_them() -> None:
    broker = ("lab", "broker", "1")
    old, weak = ("a", broker, "ssl.enabled.protocols", "TLSv1.2"), ("b", broker, "ssl.enabled.protocols", "TLSv1.3")
    [told] = at_odds([old, weak])
    assert "ssl.enabled.protocols of lab broker 1" in told
    assert at_odds([old, weak, ("b", broker, "ssl.enabled.protocols", "TLSv1.2")]) == [], "b leaves the choice"
    assert at_odds([old, ("b", ("lab", "broker", "2"), *weak[2:])]) == []
    assert at_odds([old, ("b", broker, "ssl.protocol", "TLSv1.3")]) == []


@pytest.mark.parametrize(("shape", "scene", "state", "runbook"), SEEN)
def test_nothing_on_a_screen_contradicts_what_else_stands_there(
    shape: str, scene: str, state: str, runbook: str
) -> None:
    run = run_as_kept(shape, scene, state, runbook)
    for head in run.heads:
        if told := _ANSWER.fullmatch(answering(head)):
            assert int(told[1]) < int(told[2]), told[0]
    for diagnosis in run.diagnoses:
        mine = [result for result in run.results if result.environment == diagnosis.environment]
        _counts_agree(diagnosis, {result.check: result for result in mine})
        for cause in diagnosis.named:
            assert not [text for text in (cause.says, *cause.proof) if re.search(r"(?<!\S)\?(?=[\s;,.]|$)", text)]


def _counts_agree(diagnosis: Diagnosis, results: Mapping[str, Result]) -> None:
    refused = _failed(results.get("ha/partitions-take-writes"))
    offline = _failed(results.get("ha/every-partition-has-a-leader"))
    for effect in diagnosis.effects:
        if effect.label == "now" and effect.says.startswith("every partition is available"):
            assert (refused, offline) == (0, 0), effect.says
        if counted := _REFUSE.search(effect.says):
            refusing, of, without = map(int, counted.groups())
            assert max(refused, offline, without) <= refusing <= of, effect.says


def _failed(result: Result | None) -> int:
    return result.failed if result is not None else 0
