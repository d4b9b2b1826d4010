"""Results on a real HDFS: kept over HTTP, verified, and read by the Spark job as Hadoop reads them."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kafka_lab.hdfs import Hdfs, hdfs
from runbook.evidence.import_runs import import_runs
from runbook.evidence.store import keep_run, run_files
from runbook.evidence.store_layout import fault_of
from runbook.folders import cache_folder
from runbook.stores import open_store
from support.kept_runs import kept_run
from support.killed_collectors import reported_before_kills

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def remote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hdfs]:
    """A real HDFS of one name node and one data node."""
    with hdfs(tmp_path_factory.mktemp("hdfs"), cache_folder()) as running:
        yield running


def test_what_is_kept_there_is_scored_by_spark_and_verified(remote: Hdfs, tmp_path: Path) -> None:
    runs = [kept_run("prod", "test", number=number) for number in (1, 2)]
    store = open_store(f"{remote.webhdfs}/results")
    for run in runs:
        keep_run(store, run)
    kept = {file.path: file.content for file in store.read(lambda *_: True)}
    assert kept == {path: content for run in runs for path, content in run_files(run)}
    assert [path for path, content in kept.items() if fault_of(path, content)] == []
    local = tmp_path / "local"
    assert len(import_runs(store, open_store(str(local))).written) == 4
    command = [sys.executable, "-m", "runbook", "scorecard", f"{remote.hdfs}/results", "--out", str(tmp_path / "card")]
    said = subprocess.run(command, capture_output=True, text=True, timeout=800, check=True).stdout
    assert ": 2 environments, " in said
    assert "from 4 scored of 4 runs, 8 results, 0 records set aside" in said
    assert (tmp_path / "card" / "scorecard.json").is_file()


def test_a_collector_killed_at_any_moment_leaves_no_half_file(remote: Hdfs) -> None:
    where = f"{remote.webhdfs}/killed"
    reported = reported_before_kills(
        where, 4, lambda kill, printed: [printed.readline().strip() for _ in range(1 + kill)]
    )
    kept = {file.path: file.content for file in open_store(where).read(lambda *_: True)}
    assert {Path(path).stem for path in kept} >= set(reported)
    assert [path for path, content in kept.items() if fault_of(path, content)] == []
