"""Only what the inventory names is opened; mistakes are told with their place and what to write."""

import os
from pathlib import Path
from typing import Any

import pytest

from runbook.connections import records
from runbook.connections.records import reader
from runbook.connections.records.reader import LARGEST
from runbook.formats.attestations import LONGEST, parse_attestations
from runbook.model.errors import CannotLook, Garbled, Misconfigured
from runbook.model.probe import Deadline
from runbook.procedure.walk_file import SUFFIX
from support.small_walks import WHOLE, written

ENTRY = {
    "id": "list",
    "statement": "All answered.",
    "by": "Ada",
    "at": "2026-11-02",
    "evidence": "ticket 7",
    "expires": "2027-02-02",
}


def text(*entries: dict[str, str]) -> str:
    lines = []
    for entry in entries:
        fields = [f"    {name}: {value}" for name, value in entry.items()]
        lines.append("  -" + "\n".join(fields)[3:])
    return "attestations:\n" + "\n".join(lines) + "\n"


def without(field: str) -> dict[str, str]:
    return {name: value for name, value in ENTRY.items() if name != field}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"attestation": "/x"}, "did you mean attestations"),
        ({"attestations": "x.yaml"}, "absolute path"),
        ({"drills": ["/x"]}, "absolute path"),
    ],
)
def test_settings_that_can_not_be_used_are_told_with_the_remedy(settings: dict[str, Any], said: str):
    with pytest.raises(Misconfigured, match=said):
        records.connect(settings, Deadline(5))


def test_the_home_folder_may_be_written_as_a_tilde(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "signed.yaml").write_text(text(ENTRY))
    [attestation] = records.connect({"attestations": "~/signed.yaml"}, Deadline(5)).attestations()
    assert attestation.by == "Ada"


@pytest.mark.parametrize("name", ["attestations", "drills"])
def test_what_the_settings_do_not_name_is_asked_for(name: str):
    connection = records.connect({}, Deadline(5))
    with pytest.raises(Misconfigured, match=f"no `{name}:`"):
        getattr(connection, name)()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "signed.yaml:1:1"),
        (text(without("evidence")), 'signed.yaml:2:5 attestations.0 lacks "evidence"'),
        (text(ENTRY | {"evidence": '""'}), "signed.yaml:6:15 attestations.0.evidence"),
        (text(ENTRY | {"by_whom": "x"}), 'unknown field "by_whom"'),
        (text(ENTRY | {"at": "2 Nov"}), "signed.yaml:5:9"),
        (text(ENTRY | {"expires": "2027-02-30"}), "signed.yaml:7:14 2027-02-30 is no date"),
        (text(ENTRY | {"expires": "2026-11-01"}), "expires before it was signed off"),
        (text(ENTRY | {"expires": "2028-01-01"}), "2027-11-03 is the last day"),
        (text(ENTRY, ENTRY), "signed.yaml:8:9 list is signed off twice"),
        (text(ENTRY) + "attestations: []\n", "signed.yaml:8"),
    ],
)
def test_a_mistake_in_the_file_is_told_with_its_line(content: str, said: str):
    with pytest.raises(Garbled) as caught:
        parse_attestations(content, "signed.yaml")
    assert said in str(caught.value)


def test_a_sign_off_may_hold_for_as_long_as_is_told():
    [sign_off] = parse_attestations(text(ENTRY | {"expires": "2027-11-03"}), "signed.yaml")
    assert (sign_off.ends() - sign_off.begins()) == LONGEST + (sign_off.ends() - sign_off.ends().replace(day=3))


@pytest.mark.parametrize("setting", ["attestations", "drills"])
def test_what_is_not_there_or_may_not_be_read_is_told(tmp_path: Path, setting: str):
    with pytest.raises(CannotLook, match="is not there: correct its path under `records:`"):
        getattr(records.connect({setting: str(tmp_path / "gone")}, Deadline(5)), setting)()


def test_a_pipe_is_not_opened(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Garbled, match="no regular file"):
        records.connect({"attestations": str(tmp_path / "pipe")}, Deadline(5)).attestations()


def test_no_more_is_read_than_a_file_of_attestations_has(tmp_path: Path):
    (tmp_path / "large").write_text("#" * (LARGEST + 1))
    with pytest.raises(Garbled, match="larger than"):
        records.connect({"attestations": str(tmp_path / "large")}, Deadline(5)).attestations()


def test_a_drill_is_of_the_procedure_as_it_is_called_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / f"w{SUFFIX}").write_bytes(written(WHOLE))
    monkeypatch.setattr(reader, "old_names_in_force", lambda: {"small/move": "small/shift"})
    [record], gaps = records.connect({"drills": str(tmp_path)}, Deadline(5)).drills()
    assert (record.begun.procedure, len(record.entries), gaps) == ("small/shift", len(WHOLE), [])
