"""What gc.md says over a GC log of which a part can't be read: nothing that a pause could change passes."""

import datetime as dt
import re
import time
from pathlib import Path

import pytest

from runbook.connections import files
from runbook.judge.compiled import compile_check
from runbook.judge.judge import Context, judge
from runbook.model.block import Check
from runbook.model.fact import Fact, tabulate
from runbook.model.objective import Ranking
from runbook.model.probe import Deadline
from runbook.model.result import Outcome
from runbook.probes import jvm_gc_log
from runbook.run.sources.runbooks import read_all

YOUNG = "[GC (Allocation Failure) [PSYoungGen: 100K->10K(200K)] 100K->20K(400K), 0.0100000 secs]"
FULL = "[Full GC (Ergonomics) [PSYoungGen: 98K->0K(825K)] [ParOldGen: 32K->98K(1048K)] 98K->98K(930K), 9.6492397 secs]"
STOPPED = "Total time for which application threads were stopped: {} seconds, Stopping threads took: 0.0001000 seconds"
PROBE = "jvm_gc_log"


def fact(folder: Path, *said: str) -> Fact:
    """The fact of a log of two days that ends with these lines."""
    now = time.time()
    lines = [(now - age, YOUNG) for age in (172_800, 90_000)]
    at = now - 100
    for what in said:
        lines.append((at, what))
        took = re.search(r", ([0-9.]+) secs\]", what)  # what stopped the threads is told when they run again
        at += float(took[1]) if took else 10
    stamps = [dt.datetime.fromtimestamp(when, dt.UTC).isoformat(timespec="milliseconds") for when, _ in lines]
    text = "".join(f"{stamp}: {what}\n" for stamp, (_, what) in zip(stamps, lines, strict=True))
    (folder / "gc.log").write_text(text.replace("+00:00: ", "+0000: "))
    connection = files.connect({"gc_logs": [{"broker": 1, "path": str(folder / "gc.log")}]}, Deadline(5))
    return tabulate(PROBE, jvm_gc_log.PROBE.columns, jvm_gc_log.observe(connection))


def outcomes(fact: Fact) -> dict[str, Outcome]:
    """What the checks say that need nothing but the log."""
    (book,) = read_all(["gc"])
    found = {}
    for placed in book.checks():
        check = placed.block
        assert isinstance(check, Check)
        if not check.views and [source.probe for source in check.facts.values()] == [PROBE]:
            params = {name: parameter.default for name, parameter in check.params.items()}
            context = Context("prod", {}, Ranking(), params, "2026-11-24T00:00:00Z")
            found[check.id] = judge(compile_check(placed), dict.fromkeys(check.facts, fact), context).outcome
    return found


def test_over_a_log_that_is_read_in_full_each_is_judged(tmp_path: Path):
    found = outcomes(fact(tmp_path, YOUNG, STOPPED.format(0.0101), FULL, STOPPED.format(9.6494)))
    assert found["full-collections-do-not-happen"] == "fail"
    assert sum(outcome == "pass" for outcome in found.values()) > 3


@pytest.mark.parametrize(
    "said",
    [
        (FULL.replace("[Full GC", "[Compaction"), STOPPED.format(9.6494), YOUNG),
        (STOPPED.format(0.0101), STOPPED.format(9.6494), YOUNG),
        (FULL[:40], YOUNG),
        (FULL[40:], YOUNG),
    ],
    ids=["not understood", "stopped without a pause", "only begun", "only ended"],
)
def test_where_a_pause_may_be_missing_none_passes(tmp_path: Path, said: tuple[str, ...]):
    """A full collection of 9.6 s that was not read let eight of them pass."""
    assert "pass" not in outcomes(fact(tmp_path, YOUNG, *said)).values()
