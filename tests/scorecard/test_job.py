"""One store with an environment for each situation, rolled up twice; what is expected was worked out by hand.

Its weeks are those around a new year: 2026-W52, 2026-W53 (28 December to 3 January) and 2027-W01.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from runbook.evidence.chain import chained
from runbook.model.errors import UsageError
from runbook.scorecard.job import roll_up
from runbook.scorecard.request import RollUpSummary
from runbook.scorecard.unchanged import NOTE

W52, W53, W01 = "2026-12-23T06:00:00Z", "2026-12-30T06:00:00Z", "2027-01-06T06:00:00Z"
NOW = "2027-01-08T18:00:00Z"
THREE = {"ha/a": "pass", "ha/b": "fail", "ha/c": "pass"}  # critical 16, high 8, low 2

Row = dict[str, Any]


def _fill(store: Any) -> None:
    keep = store.keep
    keep("three", W01, THREE)
    keep("waived", W01, THREE | {"ha/b": "waived"})
    keep("nearly", W01, {f"ha/m{number}": "pass" for number in range(19)} | {"ha/m19": "unknown"})
    keep("dim", W01, {"ha/a": "pass", "ha/b": "unknown"})
    keep("apart", W01, {"ha/a": "not_applicable"})
    keep("quiet", W52, {"ha/a": "pass"})
    keep("by-hand", W53, {"ha/a": "pass"}, trigger="manual")
    keep("new-year", "2027-01-04T00:00:00Z", {"ha/a": "pass"})
    keep("new-year", "2027-01-03T23:59:59.500Z", {"ha/a": "fail"})  # arrives late
    keep("last-wins", "2027-01-04T06:00:00Z", {"ha/a": "fail"})
    keep("last-wins", W01, {"ha/a": "pass"})
    keep("last-wins", "2027-01-07T06:00:00Z", {"ha/a": "fail"}, trigger="incident")
    keep("last-wins", "2027-01-07T07:00:00Z", {"ha/a": "fail"}, interrupted=True)
    keep("last-wins", "2027-01-07T08:00:00Z", {"ha/a": "fail"}, complete=False)
    for at, outcome in ((W52, "fail"), (W53, "unknown"), (W01, "fail")):
        keep("still-failing", at, {"ha/a": outcome})
    for at, outcome in ((W52, "fail"), (W53, "pass"), (W01, "fail")):
        keep("again-failing", at, {"ha/a": outcome})
    keep("links", W01, {"dr/l @ eu→us": "pass", "dr/l @ eu→ap": "fail"})
    keep("gap", W01, {"ha/a": "pass"}, expected=["ha/a", "ha/b"])
    keep("half-silent", W53, {"ha/a": "pass", "gc/g": "pass"})
    keep("half-silent", W01, {"ha/a": "pass"})
    keep("redefined", W53, {"ha/a": "pass"})
    keep("redefined", W01, {"ha/a": "pass"}, digest="c2")
    keep("after", NOW, {"ha/a": "pass"})
    repeat(keep("twice", W01, {"ha/a": "pass", "ha/b": "pass"}))


def repeat(file: Path) -> None:
    """Write a verdict twice, with a sound chain: the second one is worse."""
    records = [json.loads(line) for line in file.read_bytes().splitlines()]
    for record in records:
        del record["chain"]
    records.insert(2, records[1] | {"outcome": "fail", "failed": 1})
    records[-1]["records"] += 1
    file.write_bytes(b"".join(line + b"\n" for line in chained(records)))


Cards = tuple[Path, Path, list[str], RollUpSummary]


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory, store_of: Callable[[Path], Any], java_home: Path | None) -> Cards:
    """The store rolled up twice, into two folders; the name of the store would mean something in a glob."""
    folder = tmp_path_factory.mktemp("rolled")
    store = folder / "a [b] {c}*"
    _fill(store_of(store))
    said: list[str] = []
    summary = roll_up(str(store), folder / "first", progress=said.append, java_home=java_home)
    roll_up(str(store), folder / "second", java_home=java_home)
    return folder / "first", folder / "second", said, summary


@pytest.fixture(scope="module")
def card(cards: Cards) -> Row:
    """What the site reads."""
    content: Row = json.loads((cards[0] / "scorecard.json").read_text())
    return content


@pytest.fixture(scope="module")
def states(cards: Cards) -> list[Row]:
    """Every row of `states`."""
    rows: list[Row] = pq.read_table(cards[0] / "states.parquet").to_pylist()
    return rows


@pytest.fixture(scope="module")
def score(cards: Cards) -> Callable[..., Row]:
    """One row of `scores`."""
    rows: list[Row] = pq.read_table(cards[0] / "scores.parquet").to_pylist()

    def find(environment: str, runbook: str = "*", severity: str = "*", week: str = "2027-W01") -> Row:
        wanted = (week, environment, runbook, severity)
        found = [row for row in rows if (row["week"], row["environment"], row["runbook"], row["severity"]) == wanted]
        assert len(found) == 1, wanted
        return found[0]

    return find


@pytest.fixture(scope="module")
def failing(card: Row) -> Callable[[str], Row]:
    """The one row of `failing` of an environment."""

    def find(environment: str) -> Row:
        (found,) = [row for row in card["tables"]["failing"] if row["environment"] == environment]
        return dict(found)

    return find


def test_a_second_run_writes_identical_bytes(cards: Cards) -> None:
    first, second = ({file.name: file.read_bytes() for file in folder.iterdir()} for folder in cards[:2])
    tables = json.loads(first["scorecard.json"])["tables"]
    assert set(first) == {"scorecard.json", "quarantine.jsonl", NOTE, *(f"{table}.parquet" for table in tables)}
    assert first == second


def test_the_score_is_the_share_of_the_weight_that_passes_rounded_down(score: Callable[..., Row]) -> None:
    assert (score("three")["status"], score("three")["score"]) == ("scored", 69.2)  # 18 of 26: 69.23
    assert score("three", "ha")["score"] == 69.2
    assert score("three", "ha", "high")["score"] == 0.0
    assert score("three", "ha", "critical")["score"] == 100.0


def test_a_waived_failure_counts_as_compliant_and_not_in_the_raw_score(score: Callable[..., Row]) -> None:
    row = score("waived")
    assert (row["score"], row["score_raw"], row["failed"], row["waived"]) == (100.0, 69.2, 0, 1)


def test_an_unknown_never_counts_as_compliant(score: Callable[..., Row]) -> None:
    row = score("nearly")
    assert (row["score"], row["coverage"], row["unknown"], row["expected"]) == (95.0, 95.0, 1, 20)


def test_below_the_declared_coverage_there_is_no_score(score: Callable[..., Row]) -> None:
    row = score("dim")
    assert (row["status"], row["score"], row["score_raw"], row["coverage"]) == ("unknown", None, None, 50.0)


def test_what_does_not_apply_is_neither_scored_nor_covered(score: Callable[..., Row]) -> None:
    row = score("apart")
    assert (row["status"], row["score"], row["coverage"], row["not_applicable"]) == ("not_applicable", None, None, 1)


def test_an_environment_that_went_silent_stays_on_the_card(score: Callable[..., Row]) -> None:
    assert score("quiet", week="2026-W52")["score"] == 100.0
    for week, age in (("2026-W53", 11), ("2027-W01", 16)):
        row = score("quiet", week=week)
        assert (row["status"], row["score"], row["missing"], row["age_days"]) == ("silent", None, 1, age)
        assert row["last_at"] == W52


def test_an_environment_checked_by_hand_only_is_silent_and_never_was_scored(score: Callable[..., Row]) -> None:
    row = score("by-hand")
    assert (row["status"], row["score"], row["last_run"], row["age_days"]) == ("silent", None, None, None)


def test_a_silent_runbook_takes_the_score_of_its_environment(score: Callable[..., Row]) -> None:
    assert score("half-silent", "ha")["score"] == 100.0
    assert score("half-silent", "gc")["status"] == "silent"
    assert (score("half-silent")["status"], score("half-silent")["coverage"]) == ("unknown", 50.0)


def test_the_week_is_the_iso_week_in_utc_also_around_a_new_year(card: Row, score: Callable[..., Row]) -> None:
    assert card["weeks"] == ["2026-W52", "2026-W53", "2027-W01"]
    assert score("new-year", week="2026-W53")["score"] == 0.0
    assert (score("new-year")["score"], score("new-year")["change"]) == (100.0, 100.0)


def test_only_the_last_scheduled_complete_run_is_scored(score: Callable[..., Row], card: Row) -> None:
    assert (score("last-wins")["score"], score("last-wins")["last_at"]) == (100.0, W01)
    assert card["counts"]["runs"] - card["counts"]["scored_runs"] == 4


def test_failing_begins_with_the_first_failing_run_and_an_unknown_does_not_end_it(
    failing: Callable[[str], Row],
) -> None:
    still, again = failing("still-failing"), failing("again-failing")
    assert (still["since_at"], still["since_week"], still["failing_days"]) == (W52, "2026-W52", 16)
    assert (again["since_at"], again["since_week"], again["failing_days"]) == (W01, "2027-W01", 2)


def test_a_failing_check_carries_its_evidence(failing: Callable[[str], Row]) -> None:
    row = failing("waived")
    assert row["rows"] == [{"key": {"topic": "orders"}, "message": "RF 1", "outcome": "fail", "waived": True}]
    assert row["common"] == [{"entity": "broker", "value": "2", "touched": 1, "of": 1}]
    assert (row["waived"], row["waiver"]["owner"], row["failed"]) == (True, "ann", 1)
    assert row["file"] == "runs/waived/2027-01-06/20270106T060000Z-000000000000.jsonl"


def test_failing_checks_are_listed_worst_first(card: Row) -> None:
    severities = [row["severity"] for row in card["tables"]["failing"]]
    assert severities == sorted(severities, key=["critical", "high", "medium", "low", "info"].index)


def test_each_link_is_a_subject_of_its_own(states: list[Row], score: Callable[..., Row]) -> None:
    links = [row for row in states if row["environment"] == "links"]
    assert {row["subject"]: row["outcome"] for row in links} == {"eu→us": "pass", "eu→ap": "fail"}
    assert score("links")["score"] == 50.0


def test_an_expected_check_without_a_verdict_is_missing(states: list[Row], score: Callable[..., Row]) -> None:
    (state,) = [row for row in states if (row["environment"], row["check"]) == ("gap", "ha/b")]
    assert state["outcome"] == "missing"
    assert "holds no readable verdict" in state["reason"]
    assert (score("gap")["missing"], score("gap")["status"]) == (1, "unknown")


def test_of_two_verdicts_with_one_key_the_worse_counts_and_the_other_is_a_duplicate(
    card: Row, score: Callable[..., Row]
) -> None:
    assert card["counts"]["duplicates"] == 1
    assert (score("twice")["expected"], score("twice")["failed"], score("twice")["passed"]) == (2, 1, 1)


def test_a_changed_definition_is_marked(score: Callable[..., Row]) -> None:
    assert score("redefined")["redefined"] is True
    assert score("new-year")["redefined"] is False


def test_the_summary_says_what_the_card_says(cards: Cards, card: Row) -> None:
    summary = cards[3]
    assert (summary.week, summary.as_of, summary.silent) == ("2027-W01", NOW, ["by-hand", "quiet"])
    assert summary.environments == len(card["environments"])
    assert summary.failing == sum(not row["waived"] for row in card["tables"]["failing"])
    assert summary.counts == card["counts"]


def test_every_step_is_told(cards: Cards) -> None:
    assert cards[2][0] == "starting Spark on local[2]"
    assert "measuring coverage" in cards[2]
    assert "writing scores" in cards[2]


def test_counts_of_a_group_add_up_to_what_was_expected(card: Row) -> None:
    kinds = ("passed", "failed", "waived", "unknown", "unobserved", "missing", "not_applicable")
    assert all(row["expected"] == sum(row[kind] for kind in kinds) for row in card["tables"]["scores"])


def test_an_earlier_moment_gives_the_card_of_that_moment(cards: Cards, tmp_path: Path, java_home: Path | None) -> None:
    store = cards[0].parent / "a [b] {c}*"
    summary = roll_up(str(store), tmp_path, as_of="2026-12-31T00:00:00Z", weeks=1, java_home=java_home)
    card = json.loads((tmp_path / "scorecard.json").read_text())
    assert (summary.week, card["weeks"]) == ("2026-W53", ["2026-W53"])
    assert "three" not in card["environments"]
    assert summary.counts["later"] > 0


@pytest.mark.parametrize("made", [False, True])
def test_an_empty_store_is_a_usage_error_and_writes_nothing(tmp_path: Path, *, made: bool) -> None:
    if made:
        (tmp_path / "store").mkdir()
    with pytest.raises(UsageError, match="there is nothing to score"):
        roll_up(str(tmp_path / "store"), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_no_weeks_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="give 1 or more"):
        roll_up(str(tmp_path), tmp_path / "out", weeks=0)


@pytest.mark.parametrize("moment", ["yesterday", "2026-11-21", "2026-11-21T09:00:00"])
def test_a_moment_without_a_time_zone_is_refused(tmp_path: Path, moment: str) -> None:
    with pytest.raises(UsageError, match="no moment with a time zone"):
        roll_up(str(tmp_path), tmp_path / "out", as_of=moment)
