"""What is read of a run's file is what is written there: the same records, or a part of them."""

from collections.abc import Iterator
from pathlib import Path
from typing import get_type_hints

import msgspec
import pytest

from runbook.evidence.lines import ManifestLine, ResultLine, RowLine, RunLine, WholeResultLine, WholeRunLine
from runbook.evidence.reading import examine
from runbook.evidence.store import run_files
from runbook.model.result import JudgedRow, Outcome
from runbook.model.run import DeclaredWaiver, Run
from support.kept_runs import kept_run

KEPT = Path(__file__).parent / "golden" / "version-3.jsonl"
"""As release 0.1.0 wrote the run below. Where a line changes, so does VERSION, or only a field was added."""
NARROWER = {
    ("ResultLine", "rows"): "rows without what the scorecard does not show: RowLine",
    ("ResultLine", "proof"): "also proofs that a later version adds",
    ("RowLine", "outcome"): "also outcomes that a later version adds",
}
Whole = WholeRunLine | WholeResultLine | ManifestLine


def run() -> Run:
    """A run with every outcome, and a waiver."""
    made = kept_run("prod", number=4, outcomes=[*Outcome], took_ms=1200)
    rows = {"topic": "a"}
    made.heads[0].brokers = 3
    made.heads[0].waivers = [
        DeclaredWaiver("small/check-1", "a-team", "until the move", "2026-12-01", rows, needed=True)
    ]
    return made


def bodies(lines: list[bytes]) -> Iterator[bytes]:
    """The lines without their links of the chain."""
    for line in lines:
        record = msgspec.json.decode(line)
        del record["chain"]
        yield msgspec.json.encode(record, order="deterministic")


def test_lines_are_written_as_ever() -> None:
    [(_, content)] = run_files(run())
    assert content == KEPT.read_bytes()


def test_a_line_is_read_by_the_record_that_writes_it() -> None:
    lines = KEPT.read_bytes().splitlines()
    records = [msgspec.json.decode(line, type=Whole) for line in lines]
    assert [type(record) for record in records] == [WholeRunLine, *[WholeResultLine] * len(Outcome), ManifestLine]
    assert [msgspec.json.encode(record, order="sorted") for record in records] == [*bodies(lines)]


def test_who_reads_a_part_reads_what_was_written() -> None:
    [(path, content)] = run_files(run())
    read = [line.record for line in examine(content, path)]
    whole = [msgspec.json.decode(line, type=Whole) for line in content.splitlines()]
    assert [type(line) for line in read] == [RunLine, *[ResultLine] * len(Outcome), ManifestLine]
    for part, written in zip(read, whole, strict=True):
        found, meant = msgspec.to_builtins(part), msgspec.to_builtins(written)
        rows = [row.keys() for row in found.get("rows", [])]
        meant["rows"] = [{name: row[name] for name in of} for row, of in zip(meant.get("rows", []), rows, strict=True)]
        meant["head"] = {name: meant.get("head", {}).get(name) for name in found.get("head", {})}
        assert {name: meant[name] for name in found} == found


@pytest.mark.parametrize(("part", "whole"), [(ResultLine, WholeResultLine), (RowLine, JudgedRow)])
def test_a_field_that_is_read_is_one_that_is_written_and_of_its_type(part: type, whole: type) -> None:
    theirs, ours = get_type_hints(part), get_type_hints(whole)
    assert theirs.keys() - ours.keys() == set()
    differing = {name for name in theirs if theirs[name] != ours[name]}
    assert {(part.__name__, name) for name in differing} <= NARROWER.keys()


@pytest.mark.parametrize("record", [WholeRunLine, WholeResultLine, ManifestLine])
def test_no_field_of_a_line_sorts_before_its_link_of_the_chain(record: type[msgspec.Struct]) -> None:
    """It is written, and taken apart, at its beginning."""
    names = [*record.__struct_encode_fields__, record.__struct_config__.tag_field or ""]
    assert min([*names, "chain"]) == "chain"
