from typing import Any

import msgspec
import pytest

from runbook.evidence.chain import chained
from runbook.evidence.snapshot import Snapshot, snapshot_path, write_snapshot
from runbook.evidence.store import run_files
from runbook.evidence.store_layout import fault_of, is_evidence, misplaced
from support.kept_runs import kept_run

[(PATH, CONTENT)] = run_files(kept_run())
SNAPSHOT = Snapshot("2026-11-21T10:00:00.000Z", "1.0.0", {"prod": ["ha"]}, [])

HOSTILE = [
    "../runs/prod/2026-11-21/20261121T100000Z-0123456789ab.jsonl",
    "runs/../2026-11-21/20261121T100000Z-0123456789ab.jsonl",
    "/runs/prod/2026-11-21/20261121T100000Z-0123456789ab.jsonl",
    "runs//2026-11-21/20261121T100000Z-0123456789ab.jsonl",
    "runs/./2026-11-21/20261121T100000Z-0123456789ab.jsonl",
    "runs/.prod/2026-11-21/20261121T100000Z-0123456789ab.jsonl",
    "runs/prod/../../etc/2026-11-21/20261121T100000Z-0123456789ab.jsonl",
    "runs/prod\x00/2026-11-21/20261121T100000Z-0123456789ab.jsonl",
    "runs/prod\n/2026-11-21/20261121T100000Z-0123456789ab.jsonl",
    "runs/pröd/2026-11-21/20261121T100000Z-0123456789ab.jsonl",
    f"runs/{'a' * 64}/2026-11-21/20261121T100000Z-0123456789ab.jsonl",
    "runs/prod/2026-11-22/20261121T100000Z-0123456789ab.jsonl",
    "runs/prod/today/20261121T100000Z-0123456789ab.jsonl",
    "runs/prod/2026-11-21/20261121T100000Z-../x.jsonl",
    "runs/prod/2026-11-21/.20261121T100000Z-0123456789ab.jsonl",
    "runs/prod/2026-11-21/20261121T100000Z-0123456789ab.jsonl\n",
    "runs/prod/٢٠٢٦-11-21/20261121T100000Z-0123456789ab.jsonl",
    "expected/2026-11-21/../../x.json",
    "weeks/2026-W47/manifest.json",
    "",
]


def test_what_we_write_is_filed_where_it_belongs() -> None:
    assert misplaced(PATH) == ""
    assert fault_of(PATH, CONTENT) is None
    place = snapshot_path(SNAPSHOT)
    assert misplaced(place) == ""
    assert fault_of(place, write_snapshot(SNAPSHOT)) is None


@pytest.mark.parametrize("path", HOSTILE, ids=repr)
def test_a_place_of_another_form_is_none_of_ours(path: str) -> None:
    assert misplaced(path)
    assert fault_of(path, CONTENT) is not None


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (PATH.replace("prod", "test"), "its environment is not the one it is filed under"),
        (PATH.replace("0000.jsonl", "0001.jsonl"), "its run is not the one it is filed under"),
    ],
)
def test_a_file_under_another_name_is_noticed(path: str, reason: str) -> None:
    fault = fault_of(path, CONTENT)
    assert (fault.line, fault.what) == (1, reason) if fault else False


def test_a_changed_chain_comes_before_what_it_says() -> None:
    fault = fault_of(PATH, CONTENT.replace(b'"outcome":"fail","over', b'"outcome":"nope","over'))
    assert str(fault) == "line 3: changed after it was written"


def test_a_well_chained_record_that_says_nonsense_is_noticed() -> None:
    records: list[dict[str, Any]] = [msgspec.json.decode(line) for line in CONTENT.splitlines()]
    for record in records:
        del record["chain"]
    records[1]["outcome"] = "maybe"
    fault = fault_of(PATH, b"".join(line + b"\n" for line in chained(records)))
    assert str(fault) == "line 2: outcome is maybe, not one of pass, fail, unknown, not_applicable"


def test_of_a_newer_release_only_the_chain_is_judged() -> None:
    records: list[dict[str, Any]] = [{"kind": "run", "version": 99}, {"kind": "manifest", "records": 1}]
    content = b"".join(line + b"\n" for line in chained(records))
    assert fault_of(PATH, content) is None
    assert fault_of(PATH, content.replace(b"99", b"98")) is not None


def test_a_snapshot_that_was_changed_or_moved_is_noticed() -> None:
    place, content = snapshot_path(SNAPSHOT), write_snapshot(SNAPSHOT)
    assert "changed after it was written" in str(fault_of(place, content.replace(b"prod", b"test")))
    elsewhere = place.replace("2026-11-21", "2026-11-22").replace("20261121", "20261122")
    assert "filed under another date" in str(fault_of(elsewhere, content))


def test_what_a_writer_left_half_done_is_no_evidence() -> None:
    assert is_evidence(PATH)
    assert not is_evidence(PATH.replace("20261101T", ".20261101T") + ".123.part")
    assert not is_evidence("weeks/2026-W47/manifest.json")
