"""Spark keeps to itself: loopback only, silent, nothing left behind, a clear word when it can't start."""

import importlib.util
import os
from pathlib import Path
from typing import Any

import psutil
import pytest
from pyspark.sql import SparkSession

from runbook.model.errors import UsageError
from runbook.scorecard import spark as spark_session
from runbook.scorecard.job import roll_up
from support.roll_up_apart import run_apart

ROLL_UP = """
import sys
from pathlib import Path
from runbook.model.errors import UsageError
from runbook.scorecard.job import roll_up
try:
    java_home, cache = (Path(one) if one else None for one in sys.argv[3:5])
    roll_up(sys.argv[1], Path(sys.argv[2]), java_home=java_home, cache=cache)
except UsageError as error:
    print(error)
"""


def test_it_listens_on_loopback_only(spark: SparkSession) -> None:
    assert spark.range(3).count() == 3
    java = psutil.Process(spark.sparkContext._gateway.proc.pid)
    whole = [java, *java.children(recursive=True)]  # not what else this worker has started
    of_java = [connection for process in whole for connection in process.net_connections("inet")]
    listening = {connection.laddr.ip for connection in of_java if connection.status == psutil.CONN_LISTEN}
    assert listening
    assert listening <= {"127.0.0.1", "::1", "::ffff:127.0.0.1"}


def test_it_says_nothing_and_leaves_nothing_behind(tmp_path: Path, store_of: Any, java_home: Path | None) -> None:
    store_of(tmp_path / "store").keep("prod", "2027-01-06T06:00:00Z", {"ha/a": "pass"})
    arguments = [str(tmp_path / "store"), str(tmp_path / "out"), str(java_home or ""), str(tmp_path / "cache")]
    done = run_apart(ROLL_UP, *arguments, scratch=tmp_path / "scratch")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "out" / "scorecard.json").exists()
    left = [file.name for file in (tmp_path / "scratch").iterdir() if not file.name.startswith("hsperfdata")]
    assert left == []
    assert [file.suffix for file in (tmp_path / "cache").iterdir()] == [".jsa"]
    _starts_with_spoilt_classes(tmp_path, arguments)


def _starts_with_spoilt_classes(folder: Path, arguments: list[str]) -> None:
    (kept,) = (folder / "cache").iterdir()
    kept.write_bytes(b"no archive")
    again = [arguments[0], str(folder / "again"), *arguments[2:]]
    done = run_apart(ROLL_UP, *again, scratch=folder / "more-scratch")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    first, second = (sorted((folder / name).glob("[!.]*")) for name in ("out", "again"))
    assert [file.read_bytes() for file in first] == [file.read_bytes() for file in second]
    assert {file.suffix for file in first} == {".json", ".jsonl", ".parquet"}


def test_without_a_java_that_starts_it_says_what_to_do(tmp_path: Path, store_of: Any) -> None:
    store_of(tmp_path / "store").keep("prod", "2027-01-06T06:00:00Z", {"ha/a": "pass"})
    done = run_apart(
        ROLL_UP, *(str(tmp_path / name) for name in ("store", "out", "no-java")), "", scratch=tmp_path / "scratch"
    )
    assert done.stdout.startswith("Spark does not start: ")
    assert "set JAVA_HOME" in done.stdout
    assert done.stderr == ""


def test_what_it_says_is_the_reason_and_not_the_last_line() -> None:
    lines = ["WARN one", "Exception in thread main: basedir", "at a.b", "[9.3s][warning][cds] class not supported"]
    reason = spark_session._reason(lines, OSError("exited"))
    assert reason.startswith("Exception in thread main: basedir. It needs Java 17 or newer: set JAVA_HOME")
    assert spark_session._reason(["no", "such file"], OSError("exited")).startswith("such file. ")
    assert spark_session._reason([], OSError("exited")).startswith("exited. ")


def test_a_user_without_a_name_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container whose user has a number only: what Hadoop says of it helps nobody."""
    monkeypatch.setattr(os, "getuid", lambda: 2_000_000_001)
    reason = spark_session._reason(["Exception in thread main: basedir must be absolute"], OSError("exited"))
    assert reason == (
        "user 2000000001 has no line in /etc/passwd, and Hadoop, which is part of it, asks for the name. Add one"
    )


def test_without_pyspark_it_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match="pip install"):
        roll_up(str(tmp_path), tmp_path / "out")
