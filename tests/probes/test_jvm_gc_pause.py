from pathlib import Path
from typing import Any

from runbook.connections import files
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.probes import jvm_gc_pause

RECORDED = Path(__file__).parents[1] / "formats" / "gc_log" / "recorded"


def observe(name: str, **parameters: Any) -> Fact:
    connection = files.connect({"gc_logs": [{"broker": 4, "path": str(RECORDED / name)}]}, Deadline(5))
    observed = jvm_gc_pause.observe(connection, **{"window": "9999d", **parameters})
    return tabulate("jvm_gc_pause", jvm_gc_pause.PROBE.columns, observed)


def test_pauses_that_are_long_enough_are_told_by_time():
    fact = observe("jdk25-serial.log", at_least=5.0)
    rows = list(fact.rows())
    assert all("last written" in gap.reason for gap in fact.gaps)  # it was recorded a while ago
    assert [row["place"] for row in rows] == list(range(1, len(rows) + 1))
    assert [row["ended"] for row in rows] == sorted(row["ended"] for row in rows)
    assert all(row["length"] >= 5 for row in rows)
    assert max(rows, key=lambda row: row["length"])["length"] == 57.923
    assert {row["broker"] for row in rows} == {4}


def test_a_pause_tells_its_kind_its_cause_and_the_heap():
    longest = max(observe("jdk25-serial.log", at_least=5.0).rows(), key=lambda row: row["length"])
    assert (longest["kind"], longest["cause"]) == ("full", "Allocation Failure")
    assert (longest["before"], longest["after"], longest["total"]) == (29 << 20, 15 << 20, 30 << 20)
    assert longest["ended"] == "2026-11-21T16:11:17.407+00:00"


def test_pauses_before_the_window_are_left_out():
    assert len(observe("jdk25-serial.log", at_least=0.0, window="1s")) == 0


def test_of_very_many_the_longest_are_kept():
    fact = observe("jdk25-z-stalls.log", at_least=0.0)
    assert 0 < len(fact) <= jvm_gc_pause.MOST


def test_a_log_that_ends_within_a_collection_is_a_gap_of_its_broker(tmp_path: Path):
    (tmp_path / "gc.log").write_text(
        "2024-03-01T10:00:01.000+0000: 1.000: [GC (Allocation Failure)  100K->20K(400K), 0.0100000 secs]\n"
        "2024-03-01T10:00:09.000+0000: 9.000: [Full GC (Ergonomics) [PSYoungGen: 98289K->0K\n"
    )
    fact = observe(str(tmp_path / "gc.log"), window="all")
    [gap] = fact.gaps
    assert (
        "a Full GC (Ergonomics) that began at 2024-03-01T10:00:09.000+00:00 had not ended when the log ends"
        in gap.reason
    )
    assert gap.keys == {"broker": 4}
