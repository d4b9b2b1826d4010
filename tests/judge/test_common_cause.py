from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from runbook.judge.common_cause import ValueCoverage, common, common_of_run
from runbook.model.fact import Gap
from runbook.model.result import Common, JudgedRow, Outcome, Result, WaiverUse


def row(partition: int, /, *, waived: bool = False, **touches: list[Any]) -> JudgedRow:
    return JudgedRow({"topic": "orders", "partition": partition}, "refuses writes", touches=touches, waived=waived)


def result(check: str, outcome: Outcome, rows: list[JudgedRow] | None = None, gaps: list[Gap] | None = None) -> Result:
    rows = rows or []
    return Result(
        check=check,
        environment="prod",
        outcome=outcome,
        reason="",
        rows=rows,
        title="",
        severity="high",
        objectives=[],
        subject="prod",
        subject_kind="environment",
        judged=len(rows),
        failed=sum(row.outcome == "fail" for row in rows),
        undecided=0,
        gaps=gaps or [],
        common=[],
        waiver=None,
        ranking=[],
        params={},
        overridden=[],
        proof="observed",
        remedy="",
        evidence=[],
        runbook="ha",
        runbook_version="1.0.0",
        runbook_digest="",
        check_digest="",
    )


def test_the_one_broker_all_rows_touch_is_named_with_its_count() -> None:
    rows = [row(i, broker=[2, 3] if i else [2]) for i in range(4)]

    assert common(rows, []) == [Common("broker", "2", 4, 4)]


def test_gaps_count_like_rows_and_numbers_match_names() -> None:
    gaps = [Gap("no answer", {"broker": "2"}), Gap("no answer", {"broker": 2})]

    assert common([row(0, broker=[2])], gaps) == [Common("broker", "2", 3, 3)]


@pytest.mark.parametrize(("touching", "named"), [(9, True), (8, False)])
def test_nearly_all_is_nine_in_ten(touching: int, named: bool) -> None:  # noqa: FBT001 - a column of the table above
    rows = [row(i, broker=[2 if i < touching else 100 + i]) for i in range(10)]

    assert common(rows, []) == ([Common("broker", "2", 9, 10)] if named else [])


def test_one_row_has_nothing_in_common() -> None:
    assert common([row(0, broker=[2])], []) == []


def test_values_of_one_entity_that_all_cover_everything_tell_nothing() -> None:
    rows = [row(i, broker=[1, 2, 3], topic=["orders"]) for i in range(5)]

    assert common(rows, []) == [Common("topic", "orders", 5, 5)]


def test_only_the_values_that_cover_most_are_named() -> None:
    rows = [row(i, broker=[2], rack=["az-b" if i else "az-c"], host=["h2"]) for i in range(20)]

    assert common(rows, []) == [Common("broker", "2", 20, 20), Common("host", "h2", 20, 20)]


def test_a_partition_number_is_nothing_to_share_without_its_topic() -> None:
    assert common([row(0, topic=["a"], partition=[0]), row(0, topic=["b"], partition=[0])], []) == []


def test_waived_rows_are_left_out() -> None:
    rows = [row(0, broker=[2]), row(1, broker=[2]), *[row(i, broker=[3], waived=True) for i in range(9)]]

    assert common(rows, []) == [Common("broker", "2", 2, 2)]


def test_a_gap_that_names_nobody_counts_against_every_value() -> None:
    assert common([row(0, broker=[2]), row(1, broker=[2])], [Gap("no time left")]) == []


def test_a_run_names_what_rows_and_unknown_checks_share_kind_by_kind() -> None:
    rows = [row(i, broker=[2], partition=[i], topic=["orders"]) for i in range(37)]
    rack = JudgedRow({"rack": "az-b"}, "no live broker", touches={"rack": ["az-b"], "broker": [2]})
    results = [
        result("ha/configurations-agree", Outcome.UNKNOWN, gaps=[Gap("no answer", {"broker": 2})]),
        result("ha/partitions-take-writes", Outcome.FAIL, rows),
        result("ha/racks-live", Outcome.FAIL, [rack]),
    ]

    (shared,) = common_of_run(results)

    assert (shared.entity, shared.value, shared.touched, shared.of) == ("broker", "2", 39, 39)
    assert shared.parts == [
        ValueCoverage("partition", 37, 37),
        ValueCoverage("rack", 1, 1),
        ValueCoverage("unknown", 1, 1),
    ]


def test_a_row_two_checks_complain_of_counts_once() -> None:
    rows = [row(i, broker=[2], partition=[i]) for i in range(3)]
    results = [result("ha/a", Outcome.FAIL, rows), result("ha/b", Outcome.FAIL, rows)]

    (shared,) = common_of_run(results)

    assert shared.parts == [ValueCoverage("partition", 3, 3)]


def test_a_check_that_was_unsure_for_two_reasons_touches_neither() -> None:
    gaps = [Gap("no answer", {"broker": 2}), Gap("no answer", {"broker": 3})]
    sure = result("ha/a", Outcome.FAIL, [row(i, broker=[2], partition=[i]) for i in range(9)])

    (shared,) = common_of_run([sure, result("ha/b", Outcome.UNKNOWN, gaps=gaps)])

    assert shared.parts == [ValueCoverage("partition", 9, 9), ValueCoverage("unknown", 0, 1)]


def test_failures_about_nothing_in_particular_count_as_checks() -> None:
    whole = result("ha/whole", Outcome.FAIL, [JudgedRow({}, "too few")])

    assert common_of_run([whole, result("ha/a", Outcome.FAIL, [row(0, broker=[2]), row(1, broker=[2])])]) == []


def test_waived_failures_and_passes_say_nothing_of_a_run() -> None:
    waiver = WaiverUse("alice", "moves in January", "2027-01-15", 2)
    excused = structs.replace(result("ha/a", Outcome.FAIL, [row(0, broker=[2]), row(1, broker=[2])]), waiver=waiver)

    assert common_of_run([excused, result("ha/b", Outcome.PASS)]) == []


@given(st.lists(st.dictionaries(st.sampled_from(["broker", "rack"]), st.lists(st.integers(1, 3)), max_size=2)))
def test_what_is_named_really_is_in_nearly_all_rows(touches: list[dict[str, list[int]]]) -> None:
    rows = [row(i, **each) for i, each in enumerate(touches)]

    for shared in common(rows, []):
        having = sum(shared.value in map(str, each.get(shared.entity, [])) for each in touches)
        assert having == shared.touched
        assert shared.of == len(rows)
        assert having >= max(2, 0.9 * len(rows))
