import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runbook.evidence.chain import ChainFault, chained, first_fault, link
from runbook.evidence.store import run_files
from support.kept_runs import kept_run

[(_, CONTENT)] = run_files(kept_run())
LINES = CONTENT.splitlines(keepends=True)  # run, two results, manifest


def test_a_file_as_it_was_written_has_no_fault() -> None:
    assert first_fault(CONTENT) is None


def test_every_single_changed_bit_of_every_byte_is_noticed_in_its_line() -> None:
    ends = [len(b"".join(LINES[: i + 1])) for i in range(len(LINES))]
    for place in range(len(CONTENT)):
        line = next(i for i, end in enumerate(ends, start=1) if place < end)
        for bit in range(8):
            changed = bytearray(CONTENT)
            changed[place] ^= 1 << bit
            fault = first_fault(bytes(changed))
            assert fault is not None
            assert fault.line in (line, line + 1)  # a changed chain value may show in the line that follows from it


@given(st.integers(0, len(CONTENT) - 1), st.integers(0, 255))
@settings(max_examples=300)
def test_a_byte_put_in_or_taken_out_is_noticed(place: int, value: int) -> None:
    assert first_fault(CONTENT[:place] + CONTENT[place + 1 :]) is not None
    with_one_more = CONTENT[:place] + bytes([value]) + CONTENT[place:]
    assert (first_fault(with_one_more) is None) is (with_one_more == CONTENT)


@given(st.lists(st.integers(0, len(LINES) - 1), max_size=6))
@settings(max_examples=500)
def test_lines_in_any_other_order_or_number_are_noticed(order: list[int]) -> None:
    fault = first_fault(b"".join(LINES[i] for i in order))
    assert (fault is None) is (order == list(range(len(LINES))))


@pytest.mark.parametrize("dropped", [0, 1, 2])
def test_a_dropped_line_is_called_dropped(dropped: int) -> None:
    fault = first_fault(b"".join(line for i, line in enumerate(LINES) if i != dropped))
    assert fault == ChainFault(dropped + 1, "dropped: 1 before it, as the manifest counts 3 lines")


def test_a_moved_line_is_called_moved() -> None:
    fault = first_fault(b"".join([LINES[0], LINES[2], LINES[1], LINES[3]]))
    assert fault == ChainFault(2, "moved: it was written after what is line 3 now")


def test_an_added_line_is_called_added() -> None:
    alien = LINES[1].replace(b"because", b"whatever")
    added = first_fault(b"".join([*LINES[:2], alien, *LINES[2:]]))
    assert added == ChainFault(3, "added: the lines around it follow each other without it")
    assert first_fault(b"".join([*LINES[:2], *LINES[1:]])) == ChainFault(3, "added: it repeats line 2")


def test_a_changed_line_is_called_changed() -> None:
    assert b'"outcome":"fail"' in LINES[2]
    mended = LINES[2].replace(b'"outcome":"fail"', b'"outcome":"pass"')
    assert first_fault(b"".join([*LINES[:2], mended, LINES[3]])) == ChainFault(3, "changed after it was written")
    value = bytearray(LINES[1])
    value[20] ^= 1
    other_chain = first_fault(b"".join([LINES[0], bytes(value), *LINES[2:]]))
    assert other_chain == ChainFault(2, "its chain value was changed, the rest of it is as it was written")


def test_a_missing_end_is_called_missing() -> None:
    assert str(first_fault(CONTENT[:-5])) == "line 4: it is cut off in the middle: the end of the file is missing"
    without_manifest = str(first_fault(b"".join(LINES[:-1])))
    assert without_manifest.startswith("line 3: the end of the file is missing")
    assert first_fault(b"") == ChainFault(0, "the file is empty")


def test_a_manifest_that_counts_wrongly_is_noticed() -> None:
    records = [{"kind": "run"}, {"kind": "manifest", "records": 5}]
    wrong = first_fault(b"".join(line + b"\n" for line in chained(records)))
    assert wrong == ChainFault(2, "the manifest counts 5 lines before it, and there are 1")


def test_a_later_version_may_have_fields_that_sort_before_the_chain() -> None:
    records: list[dict[str, Any]] = [{"about": 1, "kind": "run"}, {"kind": "manifest", "records": 1}]
    content = b"".join(line + b"\n" for line in chained(records))
    assert first_fault(content) is None
    assert first_fault(content.replace(b'"about":1', b'"about":2')) is not None
    assert first_fault(content.replace(b'"about":1', b'"about": 1')) is not None


def test_a_link_hangs_on_the_record_and_on_what_came_before() -> None:
    assert len({link("0" * 64, {"a": 1}), link("1" * 64, {"a": 1}), link("0" * 64, {"a": 2})}) == 3


def test_verifying_costs_in_proportion_to_the_file() -> None:
    def seconds(count: int) -> float:
        body = [{"kind": "result", "n": i} for i in range(count)]
        content = b"".join(line + b"\n" for line in chained([*body, {"kind": "manifest", "records": count}]))
        start = time.process_time()
        assert first_fault(content) is None
        return time.process_time() - start

    assert seconds(20_000) < 40 * max(seconds(2_000), 0.005)
