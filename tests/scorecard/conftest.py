"""A results store to fill, and a Spark session for pure functions over tables."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from py4j.protocol import Py4JError
from pyspark import SparkContext
from pyspark.sql import SparkSession

from runbook.evidence.store import write_run
from runbook.java import spark_java_home
from runbook.model.block import Severity
from runbook.model.result import Common, JudgedRow, Outcome, Result, WaiverUse
from runbook.model.run import Expected, Head, Run
from runbook.scorecard import pipeline
from runbook.scorecard import spark as spark_session
from runbook.scorecard.spark import printed_by_java, session

OLD: dict[str, Severity] = {"ha/old": "critical", "ha/older": "high"}  # as a and b were called once
SEVERITY: dict[str, Severity] = {"ha/a": "critical", "ha/b": "high", "ha/c": "low"} | OLD


class Store:
    """A store that is filled with the engine's own writer."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, environment: str, started_at: str, outcomes: dict[str, str], **fields: Any) -> Path:
        """Keep a scheduled, complete run: check -> outcome, or `waived`; `check @ subject` for a link."""
        digest = fields.pop("digest", "c1")
        results = [_result(environment, check, outcome, digest) for check, outcome in outcomes.items()]
        expected = fields.pop("expected", sorted({result.check for result in results}))
        run = Run(
            id=re.sub(r"[-:]|\.\d+", "", started_at) + "-000000000000",
            tool_version="0",
            started_at=started_at,
            deadline_ms=10_000,
            heads=fields.pop("heads", [Head(environment=environment)]),
            results=results,
            expected=[
                Expected(check, SEVERITY.get(check, "medium"), digest, check.split("/")[0], "1.0.0")
                for check in expected
            ],
            trigger=fields.pop("trigger", "scheduled"),
            complete=fields.pop("complete", True),
            **fields,
        )
        return write_run(self.folder, run)[0]


def _result(environment: str, name: str, said: str, digest: str) -> Result:
    check, _, subject = name.partition(" @ ")
    failed = int(said in {"fail", "waived"})
    return Result(
        check=check,
        environment=environment,
        outcome=Outcome("fail" if failed else said),
        reason=f"{check} says {said}",
        rows=[JudgedRow({"topic": "orders"}, "RF 1", touches={"broker": [2]}, waived=said == "waived")] * failed,
        title=f"{check} holds",
        severity=SEVERITY.get(check, "medium"),
        objectives=["durability"],
        subject=subject or environment,
        subject_kind="link" if subject else "environment",
        judged=3,
        failed=failed,
        undecided=0,
        gaps=[],
        common=[Common("broker", "2", 1, 1)] * failed,
        waiver=WaiverUse("ann", "moves to new disks", "2027-03-01", 1) if said == "waived" else None,
        ranking=[],
        params={},
        overridden=[],
        proof="observed",
        remedy="",
        evidence=[],
        runbook=check.split("/")[0],
        runbook_version="1.0.0",
        runbook_digest="r1",
        check_digest=digest,
    )


@pytest.fixture(scope="session")
def store_of() -> type[Store]:
    """Makes a store of a folder."""
    return Store


@pytest.fixture(scope="session")
def java_home(tmp_path_factory: pytest.TempPathFactory) -> Path | None:
    """What the command line passes on: a Java for Spark where there is none on the machine."""
    return spark_java_home(tmp_path_factory.mktemp("java"))


class Sessions:
    """The one session of all tests here: a process has one at a time, and its start takes longer than a small store.

    Where it stopped itself, the test at hand has failed with the reason; the next one gets a new session.
    """

    def __init__(self, java_home: Path | None) -> None:
        self._java_home = java_home
        self._stack = ExitStack()
        self._opened: SparkSession | None = None

    def open(self) -> SparkSession:
        """The session that is open, or a new one."""
        if self._opened is None or self.is_over():
            self.close()
            _forget_a_java_that_ended()
            self._opened = self._stack.enter_context(session("local[2]", self._java_home))
        return self._opened

    def is_over(self) -> bool:
        """Whether it stopped itself, or its Java process has ended."""
        if self._opened is None:
            return False
        context = self._opened.sparkContext._jsc  # None once it was stopped
        try:
            return context is None or bool(context.sc().isStopped())
        except (Py4JError, OSError):
            return True

    def close(self) -> None:
        """End it."""
        self._stack.close()


def _forget_a_java_that_ended() -> None:
    """A process has one Java side, for good; only tests go on after its end."""
    java = getattr(SparkContext._gateway, "proc", None)
    if java is not None and java.poll() is not None:
        java.stdin.close()
        SparkContext._gateway = SparkContext._jvm = None
        spark_session._gateway.cache_clear()


@pytest.fixture(scope="session")
def sessions(java_home: Path | None) -> Iterator[Sessions]:
    """Gives the session of all tests here."""
    opened = Sessions(java_home)
    yield opened
    opened.close()


@pytest.fixture
def spark(sessions: Sessions) -> SparkSession:
    """The session of all tests here."""
    return sessions.open()


@pytest.fixture(autouse=True)
def log_of_spark(request: pytest.FixtureRequest, sessions: Sessions) -> Iterator[None]:
    """Where Spark stopped itself during a test, what it printed stands beside the failure."""
    yield
    if sessions.is_over():
        request.node.add_report_section("teardown", "what Spark printed", "\n".join(printed_by_java()[-200:]))


@pytest.fixture(autouse=True, scope="session")
def one_session(sessions: Sessions) -> Iterator[None]:
    """Roll up in the session that stays. What a start and an end are like, tests with processes of their own say."""

    @contextmanager
    def opened(*_: Any, **__: Any) -> Iterator[SparkSession]:
        spark = sessions.open()
        yield spark
        spark.catalog.clearCache()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "session", opened)
        yield


@pytest.hookimpl(tryfirst=True)  # before groups are read (tests/support/beside.py)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of this room together where tests are shared out: they have one session."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("spark"))
