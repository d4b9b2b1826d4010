"""Kept evidence is whole, fresh and proved, and says of every state what its scene expects."""

import datetime as dt
from collections.abc import Mapping
from importlib import import_module
from itertools import combinations
from pathlib import Path
from types import ModuleType

import pytest

from runbook.model import moment
from support.built_in import asked_by, checks_of
from support.evidence import record
from support.evidence.expected import alike
from support.evidence.judging import judged_as_kept
from support.evidence.releases import releases
from support.evidence.scene import Scene, scenes_of, shape_of, shapes

pytestmark = [pytest.mark.kept, pytest.mark.xdist_group("kept")]  # one worker judges each state once

SCENES = [scene for shape in shapes() for scene in scenes_of(shape)]
STATES = [
    pytest.param(scene, state, id=f"{scene.shape}/{scene.name}/{state}") for scene in SCENES for state in scene.states
]
OLDEST = dt.timedelta(days=30)  # at a release: our judgement
FORETOLD = [
    pytest.param(scene, state, id=f"{scene.shape}/{scene.name}/{state}")
    for scene in SCENES
    for state in scene.forecasts
]
AT_MOST = 20_000_000  # bytes of all evidence: what a clone can bear


@pytest.mark.parametrize(("scene", "state"), STATES)
def test_every_state_was_proved_and_is_judged_as_its_scene_expects(scene: Scene, state: str):
    evidence = record.read(record.place_of(scene.shape, scene.name, state))
    assert evidence.first.holds
    assert evidence.last.holds
    assert evidence.first.at <= evidence.made_at <= evidence.last.at
    assert evidence.runbooks == scene.runbooks(state)
    for runbook, expected in scene.expected[state].items():
        results = judged_as_kept(scene.shape, scene.name, state, runbook)
        assert list(expected.broken(results, evidence.words)) == []


@pytest.mark.parametrize(("scene", "state"), FORETOLD)
def test_what_is_foretold_from_the_facts_is_what_then_happened(scene: Scene, state: str):
    evidence = record.read(record.place_of(scene.shape, scene.name, state))
    assert scene.forecasts[state](evidence.bundle, evidence.aftermath) == []


@pytest.mark.parametrize("shape", shapes())
def test_a_lab_without_a_fault_is_judged_alike_before_and_after_each_or_it_is_left_to_chance(shape: str):
    """What differs was chance, or is left over from another fault: played again, it would be otherwise one day."""
    healthy = [
        (f"{scene.name}/{state}", runbook, expected, judged_as_kept(shape, scene.name, state, runbook))
        for scene in scenes_of(shape)
        for state, runbooks in scene.expected.items()
        for runbook, expected in runbooks.items()
        if scene.faults and state in ("before", "after")
    ]
    otherwise = {
        f"{check}: {result.outcome} in {there}, {results[check].outcome} in {here}"
        for (here, runbook, expected, results), (there, same_runbook, same, others) in combinations(healthy, 2)
        if (runbook, expected) == (same_runbook, same)
        for check, result in others.items()
        if check not in expected.undetermined and not alike(result.outcome, results[check].outcome)
    }
    assert sorted(otherwise) == []


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: f"{scene.shape}/{scene.name}")
def test_today_s_code_asks_nothing_of_which_the_answer_was_not_recorded(scene: Scene):
    for state in scene.states:
        evidence = record.read(record.place_of(scene.shape, scene.name, state))
        now = releases({kept.ask.connection for kept in evidence.asked.kept}, shape_of(scene.shape).systems())
        changed = [*evidence.releases.differences(now), *evidence.replayed.missing]
        assert changed == [], f"stale: make test-live SHAPE={scene.shape}/{scene.name}"


def test_nothing_is_kept_that_no_scene_shows():
    meant = {record.place_of(scene.shape, scene.name, state) for scene in SCENES for state in scene.states}
    assert set(record.kept()) - meant == set()


def test_all_of_it_is_small():
    assert sum(file.stat().st_size for file in record.kept()) <= AT_MOST


def test_no_evidence_is_too_old_for_a_release(request: pytest.FixtureRequest):
    made = {file: moment.read(record.read(file).made_at) for file in record.kept()}
    now = dt.datetime.now(dt.UTC)
    assert [file for file, at in made.items() if at > now] == []
    if request.config.getoption("--release"):
        assert [file for file, at in made.items() if now - at > OLDEST] == [], "make test-live makes it anew"


# -- every check, both ways

NEVER = sorted(file.stem for file in Path(__file__).with_name("never").glob("[a-z]*.py"))
"""The runbooks whose every check is seen to pass and to fail on real systems, but for those that they name."""


def never(runbook: str) -> ModuleType:
    """Of a runbook: NEVER_PASS and NEVER_FAIL, check → why no system shows it so."""
    return import_module(f"live.never.{runbook}")


def seen(runbook: str, outcome: str) -> set[str]:
    """The checks that some state shows to have an outcome, and for a reason that its scene gives."""
    found = set()
    for scene in SCENES:
        looks = [(state, *look) for state, words in scene.expected.items() for look in words.items()]
        for state, word, expected in looks:
            if asked_by(word)[0] != runbook:
                continue
            for check, result in judged_as_kept(scene.shape, scene.name, state, word).items():
                whole = outcome != "pass" or (not result.gaps and result.judged > 0)
                if result.outcome == outcome and whole and expected.proves(check, outcome):
                    found.add(check)
    return found


@pytest.mark.parametrize("outcome", ["pass", "fail"])
@pytest.mark.parametrize("runbook", NEVER)
def test_every_check_is_seen_both_ways_or_it_is_said_why_not(runbook: str, outcome: str):
    name = runbook.replace("_", "-")
    checks = {check.id for check in checks_of(name)}
    reasons: Mapping[str, str] = getattr(never(runbook), f"NEVER_{outcome.upper()}")
    assert checks - seen(name, outcome) == reasons.keys()
    assert all(reasons.values())
