"""Evidence is created in its place, and never replaced: whatever a bundle, an inventory or a link says."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from runbook.cli.app import app
from runbook.evidence.bundle import load_bundle
from runbook.evidence.lines import RunLine
from runbook.evidence.reading import examine
from runbook.evidence.store import NotKept, run_files, write_atomically, write_into
from runbook.model.errors import UsageError
from runbook.stores import open_store
from support.kept_runs import kept_run

HEALTHY = Path(__file__).parents[1] / "cases" / "ha" / "healthy.json"
OUTSIDE = [
    "../outside.jsonl",
    "runs/../../outside.jsonl",
    "runs/prod/2026-11-22/../../../../outside.jsonl",
    "/etc/outside.jsonl",
    "runs/pr\0od/2026-11-22/20261122T000000Z-000000000000.jsonl",
    "runs/prod/2026-11-22/20261122T000000Z-00000000000\n.jsonl",
    "elsewhere/2026-11-22/20261122T000000Z-000000000000.jsonl",
]


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize("address", ["{folder}", "memory://{folder}"])
def test_no_writer_leaves_its_store(path: str, address: str, tmp_path: Path):
    store = open_store(address.format(folder=tmp_path / "store"))
    with pytest.raises(NotKept, match="no place in a store"):
        store.write(path, b"x")
    assert list(tmp_path.rglob("*.jsonl")) == []


@pytest.mark.parametrize("address", ["{folder}", "memory://{folder}"])
def test_evidence_is_never_replaced(address: str, tmp_path: Path):
    store = open_store(address.format(folder=tmp_path / "store"))
    [(path, content)] = run_files(kept_run("prod"))
    store.write(path, content)
    store.write(path, content)  # the same again is no change
    with pytest.raises(NotKept, match="never replaced"):
        store.write(path, content + b"\n")
    [found] = store.read(lambda *_: True)
    assert found.content == content


def test_a_link_in_the_place_of_evidence_is_not_followed(tmp_path: Path):
    [(path, content)] = run_files(kept_run("prod"))
    target = tmp_path / "private"
    target.write_bytes(content)
    place = tmp_path / "store" / path
    place.parent.mkdir(parents=True)
    place.symlink_to(target)
    with pytest.raises(NotKept, match="never replaced"):
        write_into(tmp_path / "store", path, content)


def test_a_link_that_waits_for_a_half_written_file_is_not_followed(tmp_path: Path):
    private = tmp_path / "private"
    private.write_text("mine")
    for number in range(100_000, 100_200):
        (tmp_path / f".report.json.{number}.part").symlink_to(private)
    write_atomically(tmp_path / "report.json", b"report")
    assert private.read_text() == "mine"
    assert (tmp_path / "report.json").read_bytes() == b"report"


def edited(folder: Path, old: str, new: str) -> Path:
    file = folder / "bundle.json"
    file.write_text(HEALTHY.read_text().replace(old, new))
    return file


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"lab"', '"../../../x"'),
        ('"lab"', '"' + "x" * 81 + '"'),
        ('"run":"2026', '"run":"../2026'),
        ('"started_at":"2026-11-21', '"started_at":"../../../..'),
        ('"format":"runbook-bundle-1"', '"format":"\\u001b]0;x\\u0007"'),
    ],
)
def test_a_bundle_that_no_run_can_have_written_is_refused(old: str, new: str, tmp_path: Path):
    assert old in HEALTHY.read_text()
    with pytest.raises(UsageError) as refused:
        load_bundle(edited(tmp_path, old, new))
    assert "\x1b" not in str(refused.value)


def test_a_run_from_a_bundle_is_never_a_scheduled_one(tmp_path: Path):
    command = ["check", "ha", "--from", str(HEALTHY), "--results", str(tmp_path)]
    refused = CliRunner().invoke(app, [*command, "--trigger", "scheduled"])
    assert isinstance(refused.exception, UsageError)
    assert list(tmp_path.iterdir()) == []


def test_a_run_from_a_bundle_says_so_and_is_never_scored(tmp_path: Path):
    CliRunner().invoke(app, ["check", "ha", "--from", str(HEALTHY), "--results", str(tmp_path)])
    [file] = tmp_path.rglob("*.jsonl")
    first = json.loads(file.read_bytes().partition(b"\n")[0])
    assert first["rejudged"] is True


def test_a_scheduled_run_from_a_bundle_would_not_count_either():
    run = kept_run("prod")
    run.trigger = "scheduled"
    heads = []
    for run.rejudged in (False, True):
        [(path, content)] = run_files(run)
        heads.append(next(iter(examine(content, path))).record)
    assert [head.scored for head in heads if isinstance(head, RunLine)] == [True, False]
