"""Scores and coverage against a few lines of plain Python, over generated states."""

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from math import floor
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runbook.scorecard.metrics import coverage, score
from runbook.scorecard.weekly import Weekly

WEIGHTS = {"info": 1, "low": 2, "medium": 4, "high": 8, "critical": 16}
OUTCOMES = ("pass", "pass", "pass", "fail", "waived", "unknown", "unobserved", "missing", "not_applicable")
WEEK = "2026-W47"
Make = Callable[..., Weekly]

State = tuple[str, str, str, str]
_check = st.tuples(st.sampled_from(["ha", "gc"]), st.sampled_from(sorted(WEIGHTS)), st.sampled_from(OUTCOMES))
_environments = st.lists(st.lists(_check, min_size=1, max_size=40), min_size=20, max_size=40)


def _state(environment: str, runbook: str, severity: str, said: str) -> dict[str, Any]:
    return {
        "environment": environment,
        "check": f"{runbook}/a",
        "severity": severity,
        "outcome": {"waived": "fail", "unobserved": "unknown"}.get(said, said),
        "unobserved": said == "unobserved",
        "waived": said == "waived",
    }


def _percent(part: int, whole: int) -> float:
    return floor(Fraction(part * 1000, whole)) / 10


def _expected(states: list[State]) -> dict[tuple[str, str, str], tuple[str, float | None, float | None, float | None]]:
    groups: dict[tuple[str, str, str], list[tuple[int, str]]] = defaultdict(list)
    for environment, runbook, severity, said in states:
        for group in ((environment, "*", "*"), (environment, runbook, "*"), (environment, runbook, severity)):
            groups[group].append((WEIGHTS[severity], said))
    return {group: _of_group(members) for group, members in groups.items()}


def _of_group(members: list[tuple[int, str]]) -> tuple[str, float | None, float | None, float | None]:
    applies = [(weight, said) for weight, said in members if said != "not_applicable"]
    if not applies:
        return "not_applicable", None, None, None
    known = sum(said in {"pass", "fail", "waived"} for _, said in applies)
    covered = _percent(known, len(applies))
    if Fraction(known, len(applies)) < Fraction(9, 10):
        return "unknown", None, None, covered
    whole = sum(weight for weight, _ in applies)
    raw = sum(weight for weight, said in applies if said == "pass")
    with_waivers = raw + sum(weight for weight, said in applies if said == "waived")
    return "scored", _percent(with_waivers, whole), _percent(raw, whole), covered


@settings(max_examples=5, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(environments=_environments)
def test_scores_and_coverage_are_those_of_a_plain_computation(
    weekly: Make, environments: list[list[tuple[str, str, str]]]
) -> None:
    states = [(f"e{number}", *check) for number, checks in enumerate(environments) for check in checks]
    given = weekly(*[_state(*state) for state in states])
    both = score.measure(given).join(coverage.measure(given), list(score.KEYS))
    found = {
        (row["environment"], row["runbook"], row["severity"]): (
            *(row["status"], row["score"], row["score_raw"]),
            row["coverage"],
        )
        for row in both.collect()
    }
    assert found == _expected(states)


@pytest.mark.parametrize(
    ("passed", "failed", "expected"), [(999, 1, 99.9), (2999, 1, 99.9), (29, 71, 29.0), (57, 43, 57.0)]
)
def test_a_score_is_rounded_down_and_exact(weekly: Make, passed: int, failed: int, expected: float) -> None:
    given = weekly(*[_state("e", "ha", "low", said) for said in ["pass"] * passed + ["fail"] * failed])
    (row,) = score.measure(given).where("runbook = '*'").collect()
    assert row["score"] == expected


def test_an_environment_is_silent_when_all_its_runbooks_are(weekly: Make, rows_of: Callable[..., list[Any]]) -> None:
    quiet = {"outcome": "missing", "silent": True}
    given = weekly(
        {"environment": "gone"} | quiet, {"environment": "half"} | quiet, {"environment": "half", "check": "gc/a"}
    )
    assert rows_of(score.measure(given).where("severity = '*'"), "environment", "runbook", "status", "score") == [
        ("gone", "*", "silent", None),
        ("gone", "ha", "silent", None),
        ("half", "*", "unknown", None),
        ("half", "gc", "scored", 100.0),
        ("half", "ha", "silent", None),
    ]
