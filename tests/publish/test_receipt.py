"""The receipt of a result: what is otherwise than at the look before, and the command that verifies it."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from runbook.cli.results_verification import verify_store
from runbook.evidence.store import write_run
from runbook.incident.results_store import store_to_read
from runbook.model.result import JudgedRow, Outcome, Result
from runbook.model.run import Run
from runbook.parse.runbook import Runbook
from runbook.publish.evidence import LastSeen, read_environments
from runbook.publish.evidence_pages import evidence_pages
from runbook.publish.receipt import since_before

Make = Callable[..., Result]
MakeRun = Callable[..., Run]


def rows(*topics: str) -> list[JudgedRow]:
    """An offending row of each topic."""
    return [JudgedRow({"topic": topic, "partition": 0}, "no leader") for topic in topics]


@pytest.fixture
def seen(tmp_path: Path, book: Runbook, now: datetime, make_result: Make, make_run: MakeRun) -> LastSeen:
    """A failing result of a store."""
    failing = make_result(book.checks()[0], "prod", Outcome.FAIL, failed=2, rows=rows("audit", "orders"))
    write_run(tmp_path, make_run(book, "prod", [failing], at=now - timedelta(hours=1)))
    (environment,) = read_environments(tmp_path, ["hostile"], now)
    return next(environment.seen())


@pytest.mark.parametrize(
    ("then", "said"),
    [
        ({}, "nothing: the same outcome and the same rows"),
        ({"rows": rows("audit")}, "came: partition 0, topic orders"),
        ({"rows": rows("audit", "orders", "billing")}, "went: partition 0, topic billing"),
        ({"outcome": Outcome.PASS, "rows": rows("audit", "orders")}, "pass then, fail now"),
        ({"check_digest": "0" * 64}, "the check is defined otherwise"),
        ({"params": {"spare": 4}}, "its parameters differ"),
        (
            {"rows": rows(*"abcde", "audit", "orders")},
            "went: partition 0, topic a / partition 0, topic b / partition 0, topic c and 2 more",
        ),
    ],
)
def test_what_is_otherwise_since_the_look_before(seen: LastSeen, then: dict[str, object], said: str) -> None:
    assert since_before(seen, replace(seen, result=replace(seen.result, **then))) == said


def test_the_command_of_a_page_verifies_the_result(
    seen: LastSeen, tmp_path: Path, now: datetime, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = evidence_pages(read_environments(tmp_path, ["hostile"], now), [], "our data/results")
    (text,) = [page.text for page in pages if page.path == "evidence/prod/hostile.md"]
    told = re.search(r"runbook results verify &#39;our data/results&#39; --receipt ([0-9a-f]{64})<", text)
    assert told
    assert all(fact.digest in text for fact in seen.result.evidence)
    store = store_to_read(str(tmp_path), None)
    assert verify_store(store, told[1]) == 0
    said = capsys.readouterr().out
    assert f"receipt {told[1]}: line 2 of runs/prod/" in said
    assert said.endswith(f"{seen.result.check} of prod: fail\n")
    assert verify_store(store, "0" * 64) == 1
    assert "no line that is as it was written has it" in capsys.readouterr().out
    (file,) = tmp_path.rglob("*.jsonl")
    file.write_bytes(file.read_bytes().replace(b'"outcome":"fail"', b'"outcome":"pass"'))
    assert verify_store(store, told[1]) == 1
    assert "no line that is as it was written has it" in capsys.readouterr().out
