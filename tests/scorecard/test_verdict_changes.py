"""Where verdicts changed in a week: read off one segment in order, or several that lie in each other."""

import datetime as dt
from io import BytesIO

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from runbook.scorecard.segment_schema import TABLES
from runbook.scorecard.verdict_changes import COLUMNS, changes, summaries

MONDAY = dt.datetime(2027, 1, 4, tzinfo=dt.UTC)


class Said(Struct, frozen=True, order=True):
    """One verdict: of which subject, so many hours into the week, and whether it counts."""

    environment: str
    check: str
    subject: str
    hour: int
    outcome: str
    scored: bool = True

    @property
    def at(self) -> dt.datetime:
        """When its run began."""
        return MONDAY + dt.timedelta(hours=self.hour)


def segment(verdicts: list[Said], rows: int = 2, *, by_spark: bool = False) -> bytes:
    """A file of results as compaction writes it: in order, here with so many in a group of rows.

    Until version 0.1.0 Spark wrote them, with moments as Spark has them.
    """
    kinds = {name: TABLES["results"][name] for name in ("environment", "check", "subject", "started", "run")}
    kinds |= {name: TABLES["results"][name] for name in ("scored", "outcome")}
    in_order = sorted(verdicts)
    columns = {
        "environment": [verdict.environment for verdict in in_order],
        "check": [verdict.check for verdict in in_order],
        "subject": [verdict.subject for verdict in in_order],
        "started": [verdict.at for verdict in in_order],
        "run": [f"run-{verdict.hour:03}" for verdict in in_order],
        "scored": [verdict.scored for verdict in in_order],
        "outcome": [verdict.outcome for verdict in in_order],
    }
    sink = BytesIO()
    pq.write_table(
        pa.table(columns, pa.schema(list(kinds.items()))),
        sink,
        row_group_size=rows,
        use_deprecated_int96_timestamps=by_spark,
    )
    return sink.getvalue()


def found(*segments: list[Said], until: dt.datetime | None = None) -> list[tuple[str, str, str, int, str]]:
    """What changed: subject, hour and outcome."""
    rows = changes([segment(verdicts) for verdicts in segments], until).to_pylist()
    assert all(row["run"] == f"run-{_hour(row['at']):03}" for row in rows)
    return [(row["environment"], row["check"], row["subject"], _hour(row["at"]), row["outcome"]) for row in rows]


def _hour(at: dt.datetime) -> int:
    return int((at - MONDAY).total_seconds() // 3600)


def verdicts_of_prod(*outcomes: str) -> list[Said]:
    """Verdicts of one subject, one an hour."""
    return [Said("prod", "ha/a", "prod", hour, outcome) for hour, outcome in enumerate(outcomes)]


@pytest.mark.parametrize(
    ("outcomes", "hours"),
    [
        (("pass", "pass", "pass"), [0]),
        (("pass", "fail", "fail", "pass"), [0, 1, 3]),
        (("fail", "unknown", "fail"), [0]),
        (("unknown", "pass", "unknown", "fail"), [1, 3]),
        (("unknown", "unknown"), []),
        (("not_applicable", "pass"), [0, 1]),
    ],
)
def test_a_verdict_is_kept_where_it_is_the_first_or_differs_from_the_last_known(
    outcomes: tuple[str, ...], hours: list[int]
) -> None:
    assert [hour for *_, hour, _ in found(verdicts_of_prod(*outcomes))] == hours


def test_a_run_that_is_not_scored_says_nothing() -> None:
    by_hand = Said("prod", "ha/a", "prod", 1, "fail", scored=False)
    assert [hour for *_, hour, _ in found([*verdicts_of_prod("pass"), by_hand])] == [0]


@pytest.mark.parametrize("name", ["environment", "check", "subject"])
def test_another_subject_begins_anew(name: str) -> None:
    other = {"environment": "prod", "check": "ha/a", "subject": "prod"} | {name: "zzz"}
    assert [hour for *_, hour, _ in found([*verdicts_of_prod("pass"), Said(**other, hour=5, outcome="pass")])] == [0, 5]


def test_what_came_later_is_left_out_where_a_moment_is_given() -> None:
    verdicts = verdicts_of_prod("pass", "fail", "pass")
    assert [hour for *_, hour, _ in found(verdicts, until=MONDAY + dt.timedelta(hours=1))] == [0, 1]
    assert found(verdicts, until=MONDAY - dt.timedelta(hours=1)) == []


def test_late_evidence_is_put_in_its_place() -> None:
    verdicts = verdicts_of_prod("pass", "fail", "fail", "pass", "pass")
    assert found(verdicts[::2], verdicts[1::2]) == found(verdicts)
    assert [hour for *_, hour, _ in found(verdicts)] == [0, 1, 3]


@pytest.mark.parametrize("until", [None, MONDAY + dt.timedelta(hours=3)])
def test_a_segment_that_spark_wrote_stands_beside_a_later_one(until: dt.datetime | None) -> None:
    verdicts = verdicts_of_prod("pass", "fail", "fail", "pass", "fail")
    old, new = segment(verdicts[::2], by_spark=True), segment(verdicts[1::2])
    assert pq.read_table(BytesIO(old)).schema.field("started").type == pa.timestamp("ns")
    for files in ([old, new], [old]):
        assert changes(files, until) == changes([segment(verdicts if len(files) > 1 else verdicts[::2])], until)


def test_without_results_there_is_an_empty_table() -> None:
    assert changes([]).num_rows == changes([segment([])]).num_rows == 0
    assert changes([]).schema == changes([segment([])]).schema == pa.schema(list(COLUMNS.items()))


VERDICTS = st.builds(
    Said,
    environment=st.sampled_from(["prod", "test", "é"]),
    check=st.sampled_from(["ha/a", "ha/b"]),
    subject=st.sampled_from(["prod", "x"]),
    hour=st.integers(0, 40),
    outcome=st.sampled_from(["pass", "fail", "unknown", "not_applicable"]),
    scored=st.booleans(),
)


@settings(deadline=None)
@given(
    st.lists(
        VERDICTS,
        max_size=60,
        unique_by=lambda verdict: (verdict.environment, verdict.check, verdict.subject, verdict.hour),
    ),
    st.integers(1, 3),
)
def test_however_a_week_is_cut_into_segments_the_same_changes_are_found(verdicts: list[Said], parts: int) -> None:
    last: dict[tuple[str, str, str], str] = {}
    expected = []
    for verdict in sorted(verdicts):
        subject = (verdict.environment, verdict.check, verdict.subject)
        if verdict.scored and verdict.outcome != "unknown":
            if last.get(subject) != verdict.outcome:
                expected.append((*subject, verdict.hour, verdict.outcome))
            last[subject] = verdict.outcome
    assert found(*(verdicts[part::parts] for part in range(parts))) == expected


def test_a_summary_is_the_table_as_parquet_for_each_week_of_each_batch() -> None:
    weeks = [
        [segment(verdicts_of_prod("pass", "fail"))],
        [segment(verdicts_of_prod("pass")), segment(verdicts_of_prod("pass")[:0])],
    ]
    batches = [pa.array(weeks, pa.list_(pa.binary())), pa.array([], pa.list_(pa.binary()))]
    first, second = summaries(batches)
    assert [pq.read_table(BytesIO(summary.as_py())).num_rows for summary in first] == [2, 1]
    assert len(second) == 0
