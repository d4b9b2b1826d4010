import os
import shutil
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import asdict

from runbook.connections import files
from runbook.formats.gc_log import GcSummary, Moment, Stop
from runbook.model.errors import Misconfigured
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.model.quantity import Bytes, BytesPerSecond, MillisecondsExact, Percent, Seconds
from runbook.probes import jvm_gc_log
from runbook.probes._gc_summary import _numbers
from support.gc_logs import StubHost, observe_host
from support.recorded_kubernetes import Played

RECORDED = Path(__file__).parents[1] / "formats" / "gc_log" / "recorded"
EVER = "9999d"  # what was recorded is always within it
OPEN = [(100_000, "] Using G1"), (30, ",start] GC(0) Pause Full (System.gc())")]
LINE = "[{}+0000][gc] GC({}) Pause Young (Normal) (G1 Evacuation Pause) 100M->{}M(200M) {}ms\n"


def stamp(age: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() - age)) + ".000"


def observe(*paths: Path | str, **parameters: Any) -> Fact:
    entries = [{"broker": i, "path": str(path)} for i, path in enumerate(paths, 1)]
    connection = files.connect({"gc_logs": entries}, Deadline(5))
    return tabulate("jvm_gc_log", jvm_gc_log.PROBE.columns, jvm_gc_log.observe(connection, **parameters))


def written(folder: Path, ages: list[float], ms: float = 5.0) -> Path:
    file = folder / "gc.log"
    file.write_text("".join(LINE.format(stamp(age), i, 50, ms) for i, age in enumerate(ages)))
    return file


def test_a_log_that_reaches_back_is_complete(tmp_path: Path):
    fact = observe(written(tmp_path, [100_000, 50_000, 600, 60], ms=12.5))
    assert fact.complete
    [row] = fact.rows()
    assert (row["pauses"], row["longest"], row["p99"], row["full"]) == (3, 12.5, 12.5, 0)
    assert row["heap_after_percent"] == 25
    assert row["heap_max"] is None
    assert row["covers_seconds"] == pytest.approx(86_340, abs=3)
    assert row["silent_seconds"] == pytest.approx(60, abs=3)
    assert row["lost"] == round(3 * 12.5 / 86_340 / 10, 3)


def test_a_log_that_begins_within_the_window_has_rows_and_a_gap(tmp_path: Path):
    fact = observe(written(tmp_path, [3600, 60]))
    assert len(fact) == 1
    [gap] = fact.gaps
    assert "reaches back 1.0 h only" in gap.reason
    assert gap.keys == {"broker": 1}


def test_a_log_that_nobody_writes_to_any_more_proves_nothing_about_now(tmp_path: Path):
    fact = observe(written(tmp_path, [300_000, 200_000]))
    assert fact.columns["pauses"] == [0]
    [gap] = fact.gaps
    assert "was last written to 55.6 h ago" in gap.reason


def test_a_shorter_window_is_covered(tmp_path: Path):
    assert observe(written(tmp_path, [3700, 60]), window="1h").complete


def test_a_log_that_begins_with_its_jvm_lacks_nothing(tmp_path: Path):
    file = written(tmp_path, [3600, 60])
    file.write_text(f"[{stamp(3600)}+0000][gc] Using G1\n" + file.read_text())
    fact = observe(file)
    assert fact.complete
    assert fact.columns["collector"] == ["g1"]


def test_a_file_that_was_full_before_the_window_began_proves_that_nothing_is_missing(tmp_path: Path):
    written(tmp_path, [3600, 60])
    old = tmp_path / "gc.log.0"
    old.write_text(LINE.format(stamp(100_000), 0, 50, 9000.0))
    os.utime(old, (time.time() - 99_000, time.time() - 99_000))
    fact = observe(tmp_path / "gc.log")
    assert fact.complete
    assert fact.columns["longest"] == [5.0]


def test_a_log_without_times_has_numbers_and_a_gap():
    fact = observe(RECORDED / "jdk17-g1-none.log")
    assert fact.columns["pauses"] == [8]
    assert fact.columns["covers_seconds"] == [None]
    assert "does not say when" in fact.gaps[0].reason


def test_a_log_of_collections_without_their_pauses_knows_no_pause(tmp_path: Path):
    file = tmp_path / "gc.log"
    lines = (RECORDED / "jdk25-z.log").read_text("latin-1").splitlines(keepends=True)
    file.write_text("".join(line for line in lines if "][gc     " in line))
    fact = observe(file)
    assert fact.columns["longest"] == fact.columns["pauses"] == fact.columns["full"] == [None]
    assert any("log gc* instead of gc" in gap.reason for gap in fact.gaps)


@pytest.mark.parametrize(
    "content",
    [b"", Random(7).randbytes(50_000), b"hello\n" * 100, b"[INFO] starting\n" * 5],
    ids=["empty", "noise", "words", "a log"],
)
def test_what_is_no_gc_log_is_a_gap(tmp_path: Path, content: bytes):
    file = tmp_path / "gc.log"
    file.write_bytes(content)
    fact = observe(file)
    assert not fact.complete
    assert fact.columns["longest"] in ([None], [0.0])


def test_a_log_that_ends_in_mid_line_is_read_to_there(tmp_path: Path):
    file = tmp_path / "gc.log"
    whole = (RECORDED / "jdk25-g1.log").read_bytes()
    file.write_bytes(whole[: whole.rindex(b"Pause Full") + 30])
    [row] = observe(file, window=EVER).rows()
    assert row["full"] == 1  # it had begun
    assert row["pauses"] == 32


def test_a_missing_log_is_a_gap_and_the_others_are_read(tmp_path: Path):
    fact = observe(tmp_path / "none.log", written(tmp_path, [100_000, 60]))
    assert fact.columns["broker"] == [2]
    assert [gap.keys for gap in fact.gaps] == [{"broker": 1}]


def test_of_a_ring_of_files_every_pause_is_seen(tmp_path: Path):
    shutil.copytree(RECORDED / "rotated", tmp_path, dirs_exist_ok=True)
    fact = observe(tmp_path / "kafkaServer-gc.log", window=EVER)
    assert fact.columns["pauses"][0] > 40


def test_a_window_that_is_no_duration_is_refused(tmp_path: Path):
    with pytest.raises(Misconfigured, match="window: 'soon' is no duration"):
        observe(written(tmp_path, [1]), window="soon")


def test_on_a_host_the_command_line_tells_where_the_log_is(tmp_path: Path):
    written(tmp_path, [100_000, 600, 60])
    (tmp_path / "server.log").write_text("not this one")
    fact = observe_host(StubHost(tmp_path, "-Xlog:gc*:file=/var/log/kafka/gc.log:time,tags:filecount=10,filesize=100M"))
    assert fact.complete
    [row] = fact.rows()
    assert (row["broker"], row["host"], row["file"]) == (1, "kafka-1", "/var/log/kafka/gc.log")
    assert row["pauses"] == 2


def test_a_log_that_grows_before_it_is_fetched_keeps_its_first_lines(tmp_path: Path):
    log = written(tmp_path, [3600, 60])
    at = log.read_text().splitlines()[0].partition("]")[0]
    log.write_text(f"{at}][gc] Using G1\n{log.read_text()}")
    host = StubHost(tmp_path, "-Xlog:gc*:file=/var/log/kafka/gc.log:time,tags")
    assert observe_host(host).complete
    host.written_meanwhile = f"{at}][gc] GC(2) Pause Remark 1M->1M(2M) 1.0ms\n".encode()
    assert observe_host(host).complete


def test_the_places_of_process_id_and_start_in_a_name_stand_for_anything(tmp_path: Path):
    written(tmp_path, [100_000, 60]).rename(tmp_path / "gc-4711-2026-11-21_10-00-00.log")
    fact = observe_host(StubHost(tmp_path, "-Xlog:gc*:file=/var/log/kafka/gc-%p-%t.log:time"))
    assert fact.columns["pauses"] == [1]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "writes no garbage collection log to a file"),
        (("-Xlog:gc*:stdout:time",), "writes no garbage collection log to a file"),
        (("-Xlog:gc*:file=logs/gc.log",), "relative to a folder"),
        (("-Xlog:gc*:file=/elsewhere/gc.log",), "/elsewhere is not there"),
        (("-Xloggc:/var/log/kafka/other.log",), "is to be /var/log/kafka/other.log, and there is no such file"),
    ],
)
def test_a_broker_whose_log_is_not_found_has_a_row_that_knows_nothing_and_a_gap(
    tmp_path: Path, options: tuple[str, ...], said: str
):
    written(tmp_path, [60])
    fact = observe_host(StubHost(tmp_path, *options))
    assert fact.columns["broker"] == [1]
    assert fact.columns["longest"] == [None]
    [gap] = fact.gaps
    assert said in gap.reason
    assert gap.keys == {"broker": 1, "host": "kafka-1"}


def test_a_broker_that_does_not_say_which_it_is_makes_gaps_and_no_row(tmp_path: Path):
    fact = observe_host(StubHost(tmp_path, broker=None))
    assert len(fact) == 0
    assert [gap.keys for gap in fact.gaps] == [{"host": "kafka-1", "broker": 1}, {"host": "kafka-1"}]


def test_a_log_that_is_rotated_while_it_is_fetched_is_no_evidence(tmp_path: Path):
    written(tmp_path, [100_000, 60])
    host = StubHost(tmp_path, "-Xlog:gc*:file=/var/log/kafka/gc.log:time")
    host.rotated_meanwhile = True
    fact = observe_host(host)
    assert fact.columns["longest"] == [None]
    assert "rotated or cut while it was read" in fact.gaps[0].reason


def pod_logs(text: str | None) -> Played:
    """A recorded cluster whose broker pods log this; None: the Role does not let us read it."""
    cluster = Played("healthy", logs=True)
    wire = cluster.kubernetes._api._request

    def answer(path: str, query: dict[str, Any]) -> tuple[int, bytes]:
        if not path.endswith("/log"):
            return wire(path, query)
        cluster.asked.append(f"{path}?container={query['container']}")
        return (403, b"{}") if text is None else (200, text.encode())

    cluster.kubernetes._api._request = answer  # type: ignore[method-assign]
    return cluster


def test_a_jvm_that_logs_to_its_pods_output_is_read_there():
    lines = "".join(LINE.format(stamp(age), i, 50, 12.5) for i, age in enumerate([100_000, 600, 60]))
    cluster = pod_logs(f"[2026-11-21 10:00:00,000] INFO started (kafka.server.KafkaServer)\n{lines}")
    fact = cluster.observe("jvm_gc_log")
    assert fact.complete
    assert {row["longest"] for row in fact.rows()} == {12.5}
    assert sorted(fact.columns["broker"]) == [1, 2, 3]
    assert fact.columns["host"][0] == "kafka-1-rack-a"
    assert next(path for path in cluster.asked if "/log?" in path).endswith("/log?container=kafka")


@pytest.mark.parametrize(("state", "longest"), [("running", 30_000.0), ("terminated", 0.0)])
def test_a_full_collection_stands_while_its_container_runs(state: str, longest: float):
    cluster = pod_logs("".join(f"[{stamp(age)}+0000][gc{what}\n" for age, what in OPEN))
    for pod in cluster.items("/api/v1/namespaces/kafka/pods"):
        for container in pod["status"]["containerStatuses"]:
            container["state"] = {state: {}}
    fact = cluster.observe("jvm_gc_log")
    assert [row["longest"] for row in fact.rows()] == pytest.approx([longest] * 3, abs=3000)
    said = "it still stands" if longest else "the JVM was killed, or it still stands"
    assert all(said in gap.reason for gap in fact.gaps)


def test_a_pods_output_without_a_gc_log_proves_nothing():
    fact = pod_logs("[2026-11-21 10:00:00,000] INFO started\n").observe("jvm_gc_log")
    assert {gap.reason.partition(" has ")[2] for gap in fact.gaps} == {"no line of a GC log"}


def test_a_pods_output_that_tells_uptimes_only_has_no_place_in_time():
    cluster = pod_logs("[12.345s][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 100M->50M(200M) 5.0ms\n")
    assert any("does not say when its lines were written" in gap.reason for gap in cluster.observe("jvm_gc_log").gaps)


def test_logs_of_pods_are_not_read_without_the_right_to_them():
    fact = pod_logs(None).observe("jvm_gc_log")
    assert len(fact) == 0
    assert all("may not get pods/log" in gap.reason for gap in fact.gaps)
    assert len(fact.gaps) == len({gap.keys["broker"] for gap in fact.gaps})


def test_logs_of_pods_are_not_asked_for_where_the_inventory_does_not_say_so():
    cluster = Played("healthy")
    with pytest.raises(Misconfigured, match="`logs: true` of kubernetes"):
        cluster.observe("jvm_gc_log")
    assert cluster.asked == []


def test_each_number_of_a_summary_comes_under_its_own_name():
    ms = MillisecondsExact
    summary = GcSummary(
        collector="g1",
        begins=1_700_000_000.0,
        ends=1_700_003_600.0,
        seconds=Seconds(3600.0),
        pauses=120,
        longest=Stop(Moment(), ms(31.0), operation="Cleanup"),
        p50_ms=ms(32.0),
        p99_ms=ms(33.0),
        stopped_ms=ms(1800.0),
        full=4,
        asked_for=5,
        forced=6,
        no_metaspace=15,
        degenerated=7,
        evacuation_failures=8,
        stalls=9,
        longest_stall_ms=ms(34.0),
        safepoints=10,
        longest_to_safepoint_ms=ms(35.0),
        heap_after=Bytes(11),
        heap_total=Bytes(12),
        heap_after_percent=Percent(37.0),
        heap_trend=38.0,
        allocated=BytesPerSecond(39.0),
        promoted=BytesPerSecond(40.0),
        lines=13,
        foreign=14,
    )
    assert asdict(_numbers("gc.log", summary, 1_700_003_605.0)) == {
        "file": "gc.log",
        "collector": "g1",
        "begins": "2023-11-14T22:13:20.000+00:00",
        "ends": "2023-11-14T23:13:20.000+00:00",
        "silent_seconds": 5.0,
        "covers_seconds": 3600.0,
        "pauses": 120,
        "longest": 31.0,
        "longest_kind": "safepoint (Cleanup)",
        "collecting": False,
        "scope": None,  # the configuration tells it, as far as the lines show it
        "p50": 32.0,
        "p99": 33.0,
        "rate": 2.0,
        "lost": 0.05,
        "full": 4,
        "asked_for": 5,
        "forced": 6,
        "no_metaspace": 15,
        "degenerated": 7,
        "evacuation_failures": 8,
        "stalls": 9,
        "longest_stall": 34.0,
        "safepoints": 10,
        "longest_to_safepoint": 35.0,
        "heap_after": 11,
        "heap_total": 12,
        "heap_after_percent": 37.0,
        "heap_max": None,  # the log does not tell it, the command line does
        "heap_trend": 38.0,
        "allocated": 39.0,
        "promoted": 40.0,
        "lines": 13,
        "foreign": 14,
    }
