import pytest
from hypothesis import given
from hypothesis import strategies as st

from runbook.evidence.snapshot import (
    Changes,
    MalformedSnapshot,
    Snapshot,
    changes,
    read_snapshot,
    snapshot_path,
    write_snapshot,
)
from runbook.model.run import Expected

CHECK = Expected("ha/x", "high", "d1", "ha", "1.0.0")
SNAPSHOT = Snapshot("2026-11-21T10:00:00.000Z", "1.0.0", {"prod": ["ha"]}, [CHECK])
CONTENT = write_snapshot(SNAPSHOT)


def test_a_snapshot_comes_back_as_it_was_written() -> None:
    assert read_snapshot(CONTENT) == SNAPSHOT
    assert write_snapshot(read_snapshot(CONTENT)) == CONTENT


def test_its_place_names_its_day_and_sorts_by_time() -> None:
    later = Snapshot("2026-11-22T00:00:00.000Z", "1.0.0", {}, [])
    assert snapshot_path(SNAPSHOT).startswith("expected/2026-11-21/20261121T100000Z-")
    assert snapshot_path(SNAPSHOT) != snapshot_path(SNAPSHOT)
    assert snapshot_path(SNAPSHOT) < snapshot_path(later)


@given(st.integers(0, len(CONTENT) - 1), st.integers(1, 255))
def test_a_changed_byte_is_noticed(place: int, change: int) -> None:
    content = bytearray(CONTENT)
    content[place] ^= change
    with pytest.raises(MalformedSnapshot):
        read_snapshot(bytes(content))


@given(st.integers(0, len(CONTENT) - 1))
def test_a_snapshot_cut_off_is_noticed(length: int) -> None:
    with pytest.raises(MalformedSnapshot):
        read_snapshot(CONTENT[:length])


def test_a_later_version_is_refused_with_the_remedy() -> None:
    with pytest.raises(MalformedSnapshot, match="format 2, and this tool reads up to 1: update the tool"):
        read_snapshot(CONTENT.replace(b'"version":1', b'"version":2'))


@pytest.mark.parametrize("at", ["yesterday", "2026-13-01T00:00:00Z", "2026-11-21T10:00:00+01:00", ""])
def test_a_snapshot_of_no_utc_time_is_none(at: str) -> None:
    with pytest.raises(MalformedSnapshot, match="no UTC time"):
        read_snapshot(write_snapshot(Snapshot(at, "1.0.0", {}, [])))


def test_what_says_nothing_of_what_is_expected_is_no_snapshot() -> None:
    with pytest.raises(MalformedSnapshot, match="it does not say what is expected"):
        read_snapshot(write_snapshot(Snapshot("2026-11-21T10:00:00Z", "1", {"prod": "ha"}, [])))  # type: ignore[dict-item]


def test_what_was_added_retired_and_redefined_is_told() -> None:
    now = Snapshot(SNAPSHOT.at, "1", {"prod": ["gc"], "test": ["ha"]}, [Expected("ha/x", "high", "d2", "ha", "1.1.0")])
    assert changes(SNAPSHOT, now) == Changes([("prod", "gc"), ("test", "ha")], [("prod", "ha")], [], [], ["ha/x"])
    assert changes(now, SNAPSHOT).retired == [("prod", "gc"), ("test", "ha")]
    assert changes(None, SNAPSHOT) == Changes([("prod", "ha")], [], ["ha/x"], [], [])
    assert not changes(SNAPSHOT, SNAPSHOT).any


def test_one_that_nests_without_end_is_none() -> None:
    with pytest.raises(MalformedSnapshot, match="no JSON object"):
        read_snapshot(b'{"kind":' + b"[" * 100_000)


def test_what_it_says_forges_no_line() -> None:
    with pytest.raises(MalformedSnapshot) as refused:
        read_snapshot(write_snapshot(Snapshot("\nPASS forged", "1.0.0", {}, [])))
    assert "\n" not in str(refused.value)
