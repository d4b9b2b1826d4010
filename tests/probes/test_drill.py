from pathlib import Path

from msgspec.structs import replace

from runbook.connections import records
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.probes import drill
from runbook.procedure.walk_record import Begun, Ended, Entry, Measured, Overruled, Skipped
from support.small_walks import BEGUN, written

DRILL = replace(BEGUN, procedure="dr/failover", environment="us", source="eu", target="us", drill=True)
FIGURES = Measured(
    at="2026-11-22T03:00:00.000Z",
    acknowledged=900,
    rpo_records=7,
    rpo_seconds=0.3,
    duplicates=2,
    rto_write=61.5,
    rto_read=62.0,
    caveats=["acks=1"],
)


def ended(outcome: str = "completed", at: str = "2026-11-22T03:00:00.000Z") -> Ended:
    return Ended("completed" if outcome == "completed" else "given up", "ada", at)


def keep(folder: Path, name: str, *entries: Entry) -> Path:
    path = folder / f"{name}.jsonl"
    path.write_bytes(written(list(entries)))
    return path


def observe(folder: Path, procedures: list[str] | None = None, source: str = "", target: str = "") -> Fact:
    connection = records.connect({"drills": str(folder)}, Deadline(5))
    return tabulate("drill", drill.PROBE.columns, drill.observe(connection, procedures, source, target))


def begun(at: str, **fields: str) -> Begun:
    return replace(DRILL, at=at, walk=at, **fields)


def test_the_last_drill_of_a_link_is_told_with_its_figures(tmp_path: Path):
    keep(tmp_path, "old", begun("2026-08-01T02:00:00.000Z"), ended())
    exceptions = [Overruled("before", "ada", "t", "why not", ["x"]), Skipped("step 1", "ada", "t", "why")]
    keep(tmp_path, "new", begun("2026-11-22T02:00:00.000Z"), *exceptions, FIGURES, ended())
    fact = observe(tmp_path)
    [row] = fact.rows()
    assert fact.complete
    assert row == {
        "procedure": "dr/failover",
        "source": "eu",
        "target": "us",
        "rehearsal": False,
        "drills": 2,
        "walk": "w",
        "started": "2026-11-22T02:00:00.000Z",
        "ended": "2026-11-22T03:00:00.000Z",
        "completed": True,
        "by": "ada",
        "overruled": 1,
        "skipped": 1,
        "rpo_records": 7,
        "rpo_seconds": 0.3,
        "duplicates": 2,
        "rto_write": 61.5,
        "rto_read": 62.0,
        "caveats": ["acks=1"],
    }


def test_what_was_not_measured_is_not_known(tmp_path: Path):
    keep(tmp_path, "one", DRILL, ended("given up"))
    [row] = observe(tmp_path).rows()
    assert row["completed"] is False
    assert [row[name] for name in ("rpo_records", "rpo_seconds", "duplicates", "rto_write", "rto_read")] == [None] * 5
    assert row["caveats"] is None


def test_a_walk_that_was_no_drill_or_has_not_ended_is_none(tmp_path: Path):
    keep(tmp_path, "walk", replace(DRILL, drill=False), ended())
    keep(tmp_path, "open", DRILL)
    assert list(observe(tmp_path).rows()) == []


def test_a_rehearsal_does_not_hide_the_last_real_drill(tmp_path: Path):
    keep(tmp_path, "real", begun("2026-08-01T02:00:00.000Z"), ended())
    keep(tmp_path, "rehearsal", replace(begun("2026-11-01T02:00:00.000Z"), rehearsal=True), ended())
    rows = {row["rehearsal"]: row["started"] for row in observe(tmp_path, ["dr/failover"]).rows()}
    assert rows == {False: "2026-08-01T02:00:00.000Z", True: "2026-11-01T02:00:00.000Z"}


def test_a_procedure_that_was_asked_for_and_never_drilled_has_a_row(tmp_path: Path):
    keep(tmp_path, "other", replace(DRILL, target="asia"), ended())
    [row] = observe(tmp_path, ["dr/failover"], "eu", "us").rows()
    assert (row["procedure"], row["source"], row["target"], row["drills"]) == ("dr/failover", "eu", "us", 0)
    assert row["ended"] is None


def test_only_drills_of_the_link_that_was_asked_for_are_told(tmp_path: Path):
    keep(tmp_path, "one", DRILL, ended())
    keep(tmp_path, "other", replace(DRILL, source="asia", walk="x"), ended())
    assert observe(tmp_path, [], "eu", "us").columns["source"] == ["eu"]


def test_a_record_that_was_changed_is_a_gap_and_what_it_said_is_not_told(tmp_path: Path):
    path = keep(tmp_path, "one", DRILL, FIGURES, ended())
    path.write_bytes(path.read_bytes().replace(b'"rpo_records":7', b'"rpo_records":0'))
    fact = observe(tmp_path, ["dr/failover"])
    assert "not as it was written" in fact.gaps[0].reason
    assert fact.columns["drills"] == [None]


def test_a_file_that_is_no_record_is_a_gap_and_records_below_are_read(tmp_path: Path):
    (tmp_path / "notes.jsonl").write_text("{}\n")
    (tmp_path / "2026").mkdir()
    keep(tmp_path / "2026", "one", DRILL, ended())
    fact = observe(tmp_path)
    assert "no record of a walk" in fact.gaps[0].reason
    assert len(fact) == 1


def test_a_drill_of_one_environment_is_told_beside_those_of_links_to_it(tmp_path: Path):
    keep(tmp_path, "alone", replace(DRILL, source=""), FIGURES, ended())
    keep(tmp_path, "link", DRILL, ended())
    rows = [*observe(tmp_path, ["dr/failover"], target="us").rows()]
    assert [(row["source"], row["target"], row["drills"], row["rto_write"]) for row in rows] == [
        ("", "us", 1, 61.5),
        ("eu", "us", 1, None),
    ]
