"""The scorecard job on a real Spark cluster of one master and two workers gives what it gives on this machine alone."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from runbook.evidence.store import write_run
from support.kept_runs import kept_run
from support.spark_cluster import cluster_environment, spark_cluster

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The master's address, and the folder in which the workers keep what their executors say."""
    folder = tmp_path_factory.mktemp("cluster")
    with spark_cluster(folder) as master:
        yield master, folder


def scorecard(store: Path, out: Path, *more: str) -> str:
    """Roll a store up by the command line; what it says."""
    command = [sys.executable, "-m", "runbook", "scorecard", str(store), "--out", str(out), *more]
    done = subprocess.run(command, env=cluster_environment(), capture_output=True, text=True, timeout=800, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_a_cluster_gives_the_same_card_and_tables_as_one_machine(cluster: tuple[str, Path], tmp_path: Path) -> None:
    master, folder = cluster
    store = tmp_path / "store"
    for number in range(24):  # each of two environments
        write_run(store, kept_run("prod", "test", number=number))
    said = scorecard(store, tmp_path / "far", "--master", master, "--weeks", str(tmp_path / "far-weeks"))
    assert "48 scored of 48 runs" in said
    scorecard(store, tmp_path / "near", "--weeks", str(tmp_path / "near-weeks"))
    near, far = tmp_path / "near", tmp_path / "far"
    made = sorted(file.name for file in near.glob("[!.]*"))
    assert {"scorecard.json", "scores.parquet"} <= {*made}
    for name in made:
        assert (far / name).read_bytes() == (near / name).read_bytes(), name
    for number in (1, 2):  # both workers had an executor that did some of it
        assert list((folder / f"work-{number}").glob("app-*/*/stderr"))
