"""A scorecard's file, as docs/reference/scorecard-files.md describes it, with a text of the caller's in every field."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

SEVERITIES = ("info", "low", "medium", "high", "critical")
SCORE = {
    "status": "scored", "score": 62.5, "score_raw": 60.0, "passed": 5, "failed": 2, "waived": 1, "unknown": 0,
    "missing": 0, "not_applicable": 1, "expected": 9, "coverage": 100.0, "last_run": "r", "age_days": 0, "change": -3.5,
    "redefined": False,
}  # fmt: skip
SILENT = {"status": "silent", "score": None, "score_raw": None, "coverage": None, "change": None, "age_days": 9}
UNKNOWN = {"status": "unknown", "score": None, "score_raw": None, "coverage": 40.0, "change": None}
Words = Callable[[int], str]


def scorecard(
    places: Sequence[tuple[str, str]], silent: str, runbooks: dict[str, str], now: datetime, words: Words
) -> dict[str, Any]:
    """Make the card.

    Args:
        places: environment and global name of each check that fails there.
        silent: an environment from which nothing came this week.
        runbooks: environment -> the runbook that it was checked with.
        now: when it is made.
        words: number -> a text that a stranger chose.
    """
    days = [(now - timedelta(weeks=ago)).isocalendar() for ago in range(51, -1, -1)]
    weeks = [f"{day.year}-W{day.week:02}" for day in days]
    counts = ("files", "lines", "runs", "scored_runs", "results", "duplicates", "later", "quarantined")
    weights = dict(zip(SEVERITIES, (1, 2, 4, 8, 16), strict=True))
    at = f"{now:%Y-%m-%dT%H:%M:%SZ}"
    about = [_about(number, environment, check, at, words) for number, (environment, check) in enumerate(places)]
    return {
        "format": 2,
        "generated": True,
        "method": {"version": words(0), "least_coverage": 90.0, "weights": weights},
        "as_of": at,
        "week": weeks[-1],
        "weeks": weeks,
        "environments": sorted(runbooks),
        "runbooks": sorted(set(runbooks.values())),
        "counts": dict.fromkeys(counts, 20),
        "tables": {
            "scores": _scores(silent, runbooks, weeks[-1], at),
            "trend": _trend(silent, runbooks, weeks),
            "failing": [_failing(number, row, weeks, words) for number, row in enumerate(about)],
            "changes": [_change(number, row, words) for number, row in enumerate(about)],
            "checks": _checks(about, weeks),
            "waivers": [_waiver(number, row, now, words) for number, row in enumerate(about)],
            "drills": [row | {"outcome": "unknown", "age_days": 0} for row in about],
            "definitions": [
                {
                    "week": weeks[-1], "check": row["check"], "runbook": row["runbook"], "environments": 1,
                    "runbook_version": words(number), "before_version": words(number),
                }
                for number, row in enumerate(about)
            ],
        },
        "quarantine": [
            {"file": words(number), "line": number, "reason": words(number), "text": words(number)}
            for number in range(200)
        ],
    }  # fmt: skip


def _about(number: int, environment: str, check: str, at: str, words: Words) -> dict[str, Any]:
    return {
        "environment": environment, "check": check, "subject": environment, "runbook": check.partition("/")[0],
        "severity": SEVERITIES[-1 - number % 5], "title": words(number), "reason": words(number), "run": "r",
        "run_at": at, "file": words(number),
    }  # fmt: skip


def _scores(silent: str, runbooks: dict[str, str], week: str, at: str) -> list[dict[str, Any]]:
    rows = []
    for number, (environment, runbook) in enumerate(sorted(runbooks.items())):
        said = SILENT if environment == silent else UNKNOWN if number == 1 else {}
        for name in ("*", runbook):
            for severity in ("*", *SEVERITIES):
                key = {"week": week, "environment": environment, "runbook": name, "severity": severity}
                rows.append(SCORE | key | {"last_at": at, "redefined": number == 2} | said)
    return rows


def _trend(silent: str, runbooks: dict[str, str], weeks: Sequence[str]) -> list[dict[str, Any]]:
    rows = []
    for environment, runbook in sorted(runbooks.items()):
        scores: list[float | None] = [50.0 + index * 7 % 45 for index in range(len(weeks))]
        if environment == silent:
            scores[-1] = None
        status = ["silent" if score is None else "scored" for score in scores]
        coverage = [None if score is None else 100.0 for score in scores]
        values: dict[str, Any] = {"score": scores, "score_raw": scores, "coverage": coverage, "status": status}
        redefined = [index == 20 for index in range(len(weeks))]
        values |= {"environment": environment, "weeks": [*weeks], "redefined": redefined}
        values |= {"failed": [None if score is None else 1 for score in scores], "waived": [0] * len(scores)}
        rows += [values | {"runbook": name} for name in ("*", runbook)]
    return rows


def _failing(number: int, about: dict[str, Any], weeks: Sequence[str], words: Words) -> dict[str, Any]:
    text = words(number)
    waiver = {"owner": text, "reason": text, "expires": "2026-12-31", "rows": 2} if number % 4 == 2 else None
    return about | {
        "runbook_version": text, "check_digest": "c" * 64, "waived": bool(waiver), "judged": 3, "age_days": 0,
        "since_run": "r", "since_at": about["run_at"], "since_week": weeks[-4], "failing_days": number, "failed": 2,
        "rows": [{"key": {text: text}, "message": text, "outcome": "fail", "waived": False}],
        "common": [{"entity": text, "value": text, "touched": 2, "of": 2}], "waiver": waiver,
    }  # fmt: skip


def _change(number: int, about: dict[str, Any], words: Words) -> dict[str, Any]:
    kind = ("newly_failing", "fixed", "newly_unknown", "flapping")[number % 4]
    return about | {
        "change": kind,
        "before": "pass",
        "now": "fail",
        "waived": False,
        "flips": 3,
        "reason": words(number),
    }


def _checks(about: Sequence[dict[str, Any]], weeks: Sequence[str]) -> list[dict[str, Any]]:
    rows = {row["check"]: row for row in about}
    return [
        row | {
            "applicable": 4, "passing": 1, "failing": 3, "waived": 0, "unknown": 0, "fixes": 3, "median_fix_days": 4.5,
            "oldest_days": 20, "failing_in": [
                {"environment": place["environment"], "subject": place["subject"], "since_week": weeks[-4],
                 "failing_days": 20, "waived": False}
                for place in about if place["check"] == row["check"]
            ],
        }
        for row in sorted(rows.values(), key=lambda row: str(row["check"]))
    ]  # fmt: skip


def _waiver(number: int, about: dict[str, Any], now: datetime, words: Words) -> dict[str, Any]:
    text = words(number)
    return {
        "environment": about["environment"], "check": about["check"], "owner": text, "reason": text, "rows": text,
        "expires": f"{now + timedelta(days=number % 40):%Y-%m-%d}", "days_left": number % 40, "run": "r",
        "run_at": about["run_at"], "state": ("expired", "expiring", "in_force", "unused")[number % 4],
    }  # fmt: skip
