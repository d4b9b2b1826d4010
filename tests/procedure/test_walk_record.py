"""The record of a walk: read as it was written, or said where it was not."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runbook.model.result import JudgedRow, Outcome
from runbook.procedure.walk_record import MOST_ROWS, VERSION, Entry, NoRecord, read_record, seen_in
from support.small_runbooks import result
from support.small_walks import BEGUN, WHOLE, written


def test_a_record_is_read_as_it_was_written():
    record = read_record(written(WHOLE))
    assert record.entries == WHOLE
    assert record.fault is None
    assert record.cut == 0
    assert record.begun == BEGUN


@pytest.mark.parametrize("many", range(1, len(WHOLE)))
def test_a_walk_that_has_not_ended_is_as_it_was_written_too(many: int):
    record = read_record(written(WHOLE[:many]))
    assert record.entries == WHOLE[:many]
    assert record.fault is None


@pytest.mark.parametrize("entries", [WHOLE, WHOLE[:4]], ids=["ended", "under way"])
@pytest.mark.parametrize("number", range(4))
def test_a_changed_line_is_noticed_and_named(entries: list[Entry], number: int):
    lines = written(entries).split(b"\n")
    lines[number] = lines[number].replace(b"ada", b"eve") if b"ada" in lines[number] else lines[number][:-2] + b" }"
    record = read_record(b"\n".join(lines))
    assert record.fault is not None
    assert record.fault.line == number + 1


@pytest.mark.parametrize("entries", [WHOLE, WHOLE[:5]], ids=["ended", "under way"])
def test_a_line_that_was_taken_out_is_noticed(entries: list[Entry]):
    lines = written(entries).split(b"\n")
    assert read_record(b"\n".join(lines[:2] + lines[3:])).fault is not None


def test_lines_taken_off_the_end_of_a_walk_that_had_ended_leave_one_that_has_not():
    lines = written(WHOLE).split(b"\n")
    without_manifest = read_record(b"\n".join(lines[:-2]) + b"\n")
    assert "the end of the file is missing" in str(without_manifest.fault)


@given(st.data())
def test_a_record_cut_off_anywhere_keeps_its_whole_lines(data: st.DataObject):
    content = written(WHOLE[:5])
    first = content.index(b"\n") + 1
    end = data.draw(st.integers(first, len(content)))
    record = read_record(content[:end])
    assert record.fault is None
    assert record.entries == WHOLE[: content[:end].count(b"\n")]
    assert content[: end - record.cut].endswith(b"\n")


def test_the_last_line_of_a_walk_under_way_can_not_be_changed_unnoticed():
    content = written(WHOLE[:4])
    assert read_record(content.replace(b"step 2", b"step 1")).fault is not None


@pytest.mark.parametrize(
    "content",
    [b"", b"\n", b"{}\n", b"no record\n", b"\xff\xfe\n", b"[[[[\n", written(WHOLE)[5:], b'{"kind": "begun"}\n'],
)
def test_what_is_no_record_is_refused(content: bytes):
    with pytest.raises(NoRecord, match="does not begin"):
        read_record(content)


def test_a_record_of_a_newer_release_is_refused_by_its_number():
    newer = msgspec.structs.replace(BEGUN, version=VERSION + 1)
    with pytest.raises(NoRecord, match="format 2, and this tool reads formats up to 1"):
        read_record(written([newer]))


def test_a_gate_keeps_what_was_seen_and_the_first_rows():
    rows = [JudgedRow({"topic": f"t{number}"}, "it is not") for number in range(MOST_ROWS + 5)]
    seen = seen_in(result("small/a", "prod", Outcome.FAIL, rows=rows, failed=len(rows), reason="25 are not"))
    assert (seen.check, seen.outcome, seen.reason, seen.failed) == ("small/a", Outcome.FAIL, "25 are not", 25)
    assert seen.rows == rows[:MOST_ROWS]


@pytest.mark.parametrize("entries", [WHOLE, WHOLE[:4]], ids=["ended", "under way"])
def test_a_chain_value_that_is_no_text_is_noticed(entries: list[Entry]):
    line = b'{"chain":"' + b"\xff" * 64 + b'","kind":"done"}\n'
    assert read_record(written(entries) + line).fault is not None
