from pathlib import Path

from msgspec import structs

from runbook.connections import records
from runbook.evidence.measurements import SUFFIX, kept
from runbook.model.fact import Fact, tabulate
from runbook.model.measurement import LongestGap, Measurement, ProducerSetting, Repetition
from runbook.model.probe import Deadline
from runbook.probes import measurement as probe
from support.measured import measurement, repetition

SETTING = "acks=all linger.ms=5 batch.size=16384 compression.type=none record size=1000 partitions=3"


def keep(folder: Path, name: str, one: Measurement) -> Path:
    path = folder / f"{name}{SUFFIX}"
    path.write_bytes(kept(one))
    return path


def observe(folder: Path, environment: str = "") -> Fact:
    connection = records.connect({"measurements": str(folder)}, Deadline(5))
    return tabulate("measurement", probe.PROBE.columns, probe.observe(connection, environment))


def steady(**read: object) -> Repetition:
    one = repetition(failed=[4], gaps=[LongestGap(seconds=6.5, partition=2, since=1.0)])
    assert one.read is not None
    trial, seen = structs.replace(one.trial, spread=True), structs.replace(one.read, **read)
    return structs.replace(one, trial=trial, read=seen)


def test_the_last_measurement_of_a_setting_is_told(tmp_path: Path):
    keep(tmp_path, "old", measurement([repetition(5)], at="2026-08-01T00:00:00.000Z"))
    keep(tmp_path, "new", measurement([repetition(p99) for p99 in (7, 9, 20)]))
    fact = observe(tmp_path)
    [row] = fact.rows()
    assert fact.complete
    assert (row["environment"], row["setting"], row["steady"], row["complete"]) == ("stage", SETTING, False, True)
    assert (row["measured"], row["asked"], row["rate"], row["records"]) == (
        "2026-11-29T21:00:00.000Z",
        1000.0,
        1000.0,
        9000,
    )
    assert (row["write_p99"], row["read_p99"], row["write_gap"], row["bounds"]) == (9, 10, None, [])


def test_what_clients_felt_is_a_row_of_its_own(tmp_path: Path):
    keep(tmp_path, "both", measurement([repetition(), steady(missing=[4, 5], duplicates=2, disorder=1, elections=3)]))
    [_, row] = observe(tmp_path).rows()
    assert (row["steady"], row["lost"], row["unacknowledged"]) == (True, 1, 1)
    assert (row["duplicates"], row["disorder"], row["elections"], row["write_gap"]) == (2, 1, 3, 6.5)


def test_a_loss_that_is_not_known_is_none(tmp_path: Path):
    keep(tmp_path, "one", measurement([steady(missing=[5], whole=False)]))
    [row] = observe(tmp_path).rows()
    assert row["lost"] is None


def test_settings_and_environments_are_told_apart(tmp_path: Path):
    keep(tmp_path, "a", measurement([repetition(), repetition(setting=ProducerSetting(acks="1"))], interrupted="x"))
    keep(tmp_path, "b", measurement([repetition()], environment="prod"))
    assert [(row["environment"], row["setting"][:8], row["complete"]) for row in observe(tmp_path).rows()] == [
        ("stage", "acks=all", False),
        ("stage", "acks=1 l", False),
        ("prod", "acks=all", True),
    ]
    assert len(list(observe(tmp_path, "prod").rows())) == 1


def test_nothing_measured_is_not_known_and_not_well(tmp_path: Path):
    fact = observe(tmp_path, "stage")
    assert not fact.complete
    assert "nothing was measured of stage" in fact.gaps[0].reason


def test_a_file_that_was_changed_is_a_gap(tmp_path: Path):
    path = keep(tmp_path, "one", measurement([repetition()]))
    path.write_bytes(path.read_bytes().replace(b"3000", b"9999"))
    fact = observe(tmp_path)
    assert "changed after it was written" in fact.gaps[0].reason
