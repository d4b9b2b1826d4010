"""Spark keeps to itself: loopback only, silent, nothing left behind, a clear word when it can't start."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest
from pyspark.sql import SparkSession

import runbook.scorecard.job as job_module
from runbook.engine.errors import UsageError
from runbook.scorecard.job import roll_up

ROLL_UP = """
import sys
from pathlib import Path
from runbook.engine.errors import UsageError
from runbook.scorecard.job import roll_up
try:
    roll_up(sys.argv[1], Path(sys.argv[2]), java_home=Path(sys.argv[3]) if sys.argv[3] else None)
except UsageError as error:
    print(error)
"""


def _apart(*arguments: str, scratch: Path) -> subprocess.CompletedProcess[str]:
    """Roll up in a process of its own, where Spark starts and ends."""
    scratch.mkdir()
    return subprocess.run(
        [sys.executable, "-c", ROLL_UP, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=scratch,
        env={"PATH": os.environ["PATH"], "TMPDIR": str(scratch)},
    )


def test_it_listens_on_loopback_only(spark: SparkSession) -> None:
    assert spark.range(3).count() == 3
    of_java = [one for child in psutil.Process().children(recursive=True) for one in child.net_connections("inet")]
    listening = {one.laddr.ip for one in of_java if one.status == psutil.CONN_LISTEN}
    assert listening
    assert listening <= {"127.0.0.1", "::1", "::ffff:127.0.0.1"}


def test_it_says_nothing_and_leaves_nothing_behind(tmp_path: Path, store_of: Any, java_home: Path | None) -> None:
    store_of(tmp_path / "store").keep("prod", "2027-01-06T06:00:00Z", {"ha/a": "pass"})
    done = _apart(*(str(tmp_path / "store"), str(tmp_path / "out"), str(java_home or "")), scratch=tmp_path / "scratch")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "out" / "scorecard.json").exists()
    left = [file.name for file in (tmp_path / "scratch").iterdir() if not file.name.startswith("hsperfdata")]
    assert left == []


def test_without_a_java_that_starts_it_says_what_to_do(tmp_path: Path, store_of: Any) -> None:
    store_of(tmp_path / "store").keep("prod", "2027-01-06T06:00:00Z", {"ha/a": "pass"})
    done = _apart(*(str(tmp_path / one) for one in ("store", "out", "no-java")), scratch=tmp_path / "scratch")
    assert done.stdout.startswith("Spark does not start: ")
    assert "set JAVA_HOME" in done.stdout
    assert done.stderr == ""


def test_without_pyspark_it_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_module.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match="pip install"):
        roll_up(str(tmp_path), tmp_path / "out")
