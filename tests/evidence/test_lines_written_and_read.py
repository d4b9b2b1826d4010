"""What is read of a run's file is what is written there: readers take fewer fields, none of another name or type."""

from typing import get_type_hints

import msgspec
import pytest

from runbook.evidence.reading import ExpectedLine, HeadLine, ManifestLine, ResultLine, RowLine, RunLine
from runbook.evidence.store import run_files
from runbook.model.result import JudgedRow, Result
from runbook.model.run import Expected, Head, Run
from runbook.publish.evidence import RunHead
from support.kept_runs import kept_run

[(_, CONTENT)] = run_files(kept_run())
LINES = [msgspec.json.decode(line) for line in CONTENT.splitlines()]
BY_THE_FILE = {"run", "environment", "started_at", "trigger", "version", "waived", "records", "named_causes"}
"""What a line says that its record does not: whose it is, and where; and what its diagnosis names."""
NARROWER = {
    ("ResultLine", "rows"): "rows without what the scorecard does not show: RowLine",
    ("ResultLine", "proof"): "also proofs that a later version adds",
    ("RunLine", "expected"): "ExpectedLine",
    ("RunLine", "head"): "HeadLine",
    ("RowLine", "outcome"): "also outcomes that a later version adds",
    ("RowLine", "key"): "keys of any type, as earlier versions wrote them",
}


@pytest.mark.parametrize(
    ("read", "written"),
    [(RunLine, Run), (ResultLine, Result), (RowLine, JudgedRow), (ExpectedLine, Expected), (HeadLine, Head)],
)
def test_a_field_that_is_read_is_one_that_is_written_and_of_its_type(read: type, written: type) -> None:
    theirs, ours = get_type_hints(read), get_type_hints(written)
    assert {name for name in theirs if name not in ours} <= BY_THE_FILE | {"head"}
    differing = {name for name in theirs.keys() & ours.keys() if theirs[name] != ours[name]}
    assert {(read.__name__, name) for name in differing} <= NARROWER.keys()


@pytest.mark.parametrize(("read", "at"), [(RunLine, 0), (RunHead, 0), (ResultLine, 1), (ManifestLine, -1)])
def test_every_field_that_is_read_stands_in_the_line(read: type[msgspec.Struct], at: int) -> None:
    assert {one.encode_name for one in msgspec.structs.fields(read)} - LINES[at].keys() == set()


def test_no_field_of_a_line_sorts_before_its_link_of_the_chain() -> None:
    """Readers take a line apart at its beginning."""
    assert {min(line) for line in LINES} == {"chain"}
