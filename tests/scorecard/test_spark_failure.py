"""Where Spark can't go on, the sentence names the cause, and nothing else is printed."""

from pathlib import Path
from typing import Any

import pytest
from py4j.protocol import Py4JNetworkError
from pyspark.errors import PySparkException

from runbook.scorecard import spark_failure
from runbook.scorecard.spark import HEAP_GB
from support.roll_up_apart import run_apart

ROLL_UP = """
import os, signal, sys
from pathlib import Path
from pyspark import SparkContext
from runbook.model.errors import UsageError
from runbook.scorecard.job import roll_up

def kills(gateway):
    os.kill(gateway.proc.pid, signal.SIGKILL)

def interrupts(gateway):
    for thread in gateway.jvm.java.lang.Thread.getAllStackTraces().keySet():
        if thread.getName().startswith("spark-listener-group"):
            thread.interrupt()

def progress(what):
    if what.startswith("scoring"):
        {"kills": kills, "interrupts": interrupts}[sys.argv[4]](SparkContext._gateway)

try:
    roll_up(sys.argv[1], Path(sys.argv[2]), java_home=Path(sys.argv[3]) if sys.argv[3] else None, progress=progress)
except UsageError as error:
    print(error)
"""
HEAP_FULL = """Setting Spark log level to "ERROR".
Exception in thread "Thread-3" java.lang.OutOfMemoryError: Java heap space
2026-11-26T15:23:42.801077968Z driver-heartbeater ERROR An exception occurred processing Appender console
org.apache.logging.log4j.core.appender.AppenderLoggingException: java.lang.OutOfMemoryError: Java heap space
"""
"""Printed by Spark 4.3.0 on 2026-11-26, whose heap of 500 MB was filled."""


@pytest.mark.parametrize(
    ("does", "says"),
    [
        ("kills", "its Java process was killed by signal 9. That is what a machine or a container does that runs out"),
        ("interrupts", ", stopping SparkContext: java.lang.InterruptedException"),
    ],
)
def test_what_ended_spark_is_said_and_not_what_came_of_it(
    does: str, says: str, tmp_path: Path, store_of: Any, java_home: Path | None
) -> None:
    store_of(tmp_path / "store").keep("prod", "2027-01-06T06:00:00Z", {"ha/a": "pass"})
    folders = [str(tmp_path / name) for name in ("store", "out")]
    done = run_apart(ROLL_UP, *folders, str(java_home or ""), does, scratch=tmp_path / "scratch")
    assert done.stdout.startswith(f"Spark could not finish the scorecard of {tmp_path / 'store'}: ")
    assert says in done.stdout
    assert done.stderr == ""
    assert not (tmp_path / "out" / "scorecard.json").exists()


def test_a_full_heap_is_said_by_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark_failure, "printed_by_java", HEAP_FULL.splitlines)
    said = spark_failure.why(PySparkException("any"))
    assert said == f"the {HEAP_GB} GB that its Java may hold were full: let a cluster compute (--master)"


def test_without_a_word_of_java_the_error_itself_is_the_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark_failure, "printed_by_java", list)
    monkeypatch.setattr(spark_failure, "_ENDS_WITHIN", 0.1)
    assert spark_failure.why(OSError("no space left\nmore")) == "no space left"
    assert spark_failure.why(Py4JNetworkError("")) != ""
