"""A real standalone cluster of Spark on this machine: a master and two workers, on the loopback interface only."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pyspark

from kafka_lab.ports import free_ports
from kafka_lab.waiting import wait_until
from runbook.folders import cache_folder
from runbook.java import spark_java_home

_HOME = Path(pyspark.__file__).parent
_LOOPBACK = "127.0.0.1"


def cluster_environment() -> dict[str, str]:
    """Of every process of the cluster, and of what submits to it: all of it stays on the loopback interface."""
    java = spark_java_home(cache_folder())
    own = {"SPARK_LOCAL_IP": _LOOPBACK, "SPARK_HOME": str(_HOME)} | ({"JAVA_HOME": str(java)} if java else {})
    return os.environ | own


@contextmanager
def spark_cluster(folder: Path) -> Iterator[str]:
    """Run it for as long as the context lasts; gives the master's address.

    Each worker has one core and 1 GB; what its executors say is kept in `folder`, under work-1 and work-2.
    """
    [port] = free_ports(1)
    master = f"spark://{_LOOPBACK}:{port}"
    alike = ["--host", _LOOPBACK, "--cores", "1", "--memory", "1g", "--webui-port", "0", "--work-dir"]
    ways = {
        "master": ["master.Master", "--host", _LOOPBACK, "--port", str(port), "--webui-port", "0"],
        **{f"worker-{number}": ["worker.Worker", *alike, str(folder / f"work-{number}"), master] for number in (1, 2)},
    }
    with ExitStack() as stack:
        for name, (kind, *arguments) in ways.items():
            with (folder / f"{name}.log").open("wb") as log:
                child = subprocess.Popen(
                    [str(_HOME / "bin" / "spark-class"), f"org.apache.spark.deploy.{kind}", *arguments],
                    env=cluster_environment(),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            stack.callback(_end, child)
        said = folder / "master.log"
        wait_until(lambda: said.read_text().count("Registering worker") == 2, "two Spark workers", within=240)
        yield master


def _end(child: subprocess.Popen[bytes]) -> None:
    """End a process of the cluster and all it started."""
    for kind, patience in ((signal.SIGTERM, 10.0), (signal.SIGKILL, 10.0)):
        with suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(child.pid, kind)
            child.wait(patience)
