"""The scorecard job on a real Spark cluster of one master and two workers gives what it gives on this machine alone."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pyspark
import pytest

from kafka_lab.ports import free_ports
from kafka_lab.waiting import wait_until
from runbook.evidence.store import write_run
from runbook.folders import cache_folder
from runbook.java import spark_java_home
from support.kept_runs import kept_run

pytestmark = pytest.mark.live

HOME = Path(pyspark.__file__).parent
LOOPBACK = "127.0.0.1"


def environment() -> dict[str, str]:
    """Of every process of the cluster: all of it stays on the loopback interface."""
    java = spark_java_home(cache_folder())
    return (
        os.environ | {"SPARK_LOCAL_IP": LOOPBACK, "SPARK_HOME": str(HOME)} | ({"JAVA_HOME": str(java)} if java else {})
    )


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The master's address, and the folder in which the workers keep what their executors say."""
    folder = tmp_path_factory.mktemp("cluster")
    [port] = free_ports(1)
    master = f"spark://{LOOPBACK}:{port}"
    alike = ["--host", LOOPBACK, "--cores", "1", "--memory", "1g", "--webui-port", "0", "--work-dir"]
    ways = {
        "master": ["master.Master", "--host", LOOPBACK, "--port", str(port), "--webui-port", "0"],
        **{f"worker-{number}": ["worker.Worker", *alike, str(folder / f"work-{number}"), master] for number in (1, 2)},
    }
    with ExitStack() as stack:
        for name, (kind, *arguments) in ways.items():
            with (folder / f"{name}.log").open("wb") as log:
                child = subprocess.Popen(
                    [str(HOME / "bin" / "spark-class"), f"org.apache.spark.deploy.{kind}", *arguments],
                    env=environment(),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            stack.callback(end, child)
        said = folder / "master.log"
        wait_until(lambda: said.read_text().count("Registering worker") == 2, "two Spark workers", within=60)
        yield master, folder


def end(child: subprocess.Popen[bytes]) -> None:
    """End a process of the cluster and all it started."""
    for kind, patience in ((signal.SIGTERM, 10.0), (signal.SIGKILL, 10.0)):
        with suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(child.pid, kind)
            child.wait(patience)


def scorecard(store: Path, out: Path, *more: str) -> str:
    """Roll a store up by the command line; what it says."""
    command = [sys.executable, "-m", "runbook", "scorecard", str(store), "--out", str(out), *more]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=800, check=False)
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
