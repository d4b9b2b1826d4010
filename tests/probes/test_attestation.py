import datetime as dt
from pathlib import Path

from runbook.connections import records
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.probes import attestation


def day(ahead: int) -> str:
    return str(dt.datetime.now(dt.UTC).date() + dt.timedelta(days=ahead))


def observe(folder: Path, signed: dict[str, tuple[int, int]], ids: list[str] | None = None) -> Fact:
    """What is seen of entries: id -> how many days ahead they were signed off, and expire."""
    lines = [
        f"  - {{id: {name}, statement: It is so., by: Ada, at: {day(at)}, evidence: ticket 7, expires: {day(expires)}}}"
        for name, (at, expires) in signed.items()
    ]
    file = folder / "signed.yaml"
    file.write_text("\n".join(["attestations:" if lines else "attestations: []", *lines]) + "\n")
    connection = records.connect({"attestations": str(file)}, Deadline(5))
    return tabulate("attestation", attestation.PROBE.columns, attestation.observe(connection, ids))


def test_what_is_signed_off_is_told_with_who_when_and_until_when(tmp_path: Path):
    fact = observe(tmp_path, {"list": (-3, 30)})
    [row] = fact.rows()
    assert fact.complete
    assert row == {
        "id": "list",
        "statement": "It is so.",
        "by": "Ada",
        "at": f"{day(-3)}T00:00:00.000Z",
        "evidence": "ticket 7",
        "expires": f"{day(31)}T00:00:00.000Z",
    }


def test_it_holds_on_its_first_and_on_its_last_day(tmp_path: Path):
    assert observe(tmp_path, {"today": (0, 0)}).complete


def test_what_expired_yesterday_is_not_known_any_more(tmp_path: Path):
    fact = observe(tmp_path, {"list": (-30, -1), "other": (-3, 30)})
    assert fact.columns["id"] == ["other"]
    assert [gap.reason for gap in fact.gaps] == [
        f"list, signed off by Ada on {day(-30)}, expired after {day(-1)}: look again"
    ]


def test_what_is_asked_for_and_not_there_is_not_known(tmp_path: Path):
    fact = observe(tmp_path, {"list": (-3, 30)}, ["list", "restore"])
    assert fact.columns["id"] == ["list"]
    assert "restore was never signed off" in fact.gaps[0].reason


def test_of_what_is_not_asked_for_nothing_is_told(tmp_path: Path):
    assert observe(tmp_path, {"list": (-3, 30), "old": (-30, -1)}, ["list"]).complete


def test_a_sign_off_of_tomorrow_is_none(tmp_path: Path):
    assert "yet to come" in observe(tmp_path, {"list": (1, 30)}).gaps[0].reason


def test_a_file_without_entries_is_no_evidence_of_anything(tmp_path: Path):
    assert "nothing is signed off" in observe(tmp_path, {}).gaps[0].reason
