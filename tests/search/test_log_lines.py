"""Every log line of the table leads to its symptom first, and to nothing that is not there."""

import pytest

from runbook.model.block import Diagnostic
from runbook.run.sources.runbooks import read_or_built_in
from runbook.search.index import Index
from runbook.search.log_lines import TABLE, log_lines

ROWS = [(symptom, line) for symptom, lines in log_lines().items() for line in lines]


@pytest.fixture(scope="module")
def index() -> Index:
    """The built-in runbooks."""
    return Index(read_or_built_in()[0])


def test_each_row_names_a_symptom_and_stands_once_in_order():
    rows = TABLE.read_text("utf-8").splitlines()
    assert rows == sorted(set(rows))
    symptoms = {
        placed.name
        for book in read_or_built_in()[0]
        for placed in book.placed()
        if isinstance(placed.block, Diagnostic)
    }
    assert set(log_lines()) <= symptoms


def test_a_line_leads_to_its_symptom(index: Index):
    led = [
        (symptom, line, index.search(f"[2026-11-30 03:14:15,926] ERROR {line} x-7")[0].name) for symptom, line in ROWS
    ]
    assert [row for row in led if row[0] != row[2]] == []


def test_what_a_symptom_lists_comes_before_a_log_line(index: Index):
    line = "ERROR Uncaught error in request completion: (o.a.k.clients.NetworkClient) NotEnoughReplicasException"
    assert index.search(line)[0].name == index.search("NotEnoughReplicasException")[0].name


def test_a_line_that_a_symptom_lists_may_stand_in_the_table(index: Index):
    """Of a start that failed the exception tells more than that it failed, and alone the line leads to its symptom."""
    line = "[KafkaServer id=1] Fatal error during KafkaServer startup. Prepare to shutdown"
    assert index.search(line)[0].name == "os-hardware/a-broker-does-not-take-its-log-directory"
    assert index.search(f"{line}\nNo space left on device")[0].name == "ha/a-disk-failed-or-is-full"


def test_a_symptom_says_what_led_to_it(index: Index):
    [hit, *_] = index.search("WARN Found an orphaned index file /data/a/0001.index, with no corresponding log file.")
    assert (hit.name, hit.why) == ("ha/a-broker-takes-long-to-come-back", "log line Found an orphaned index file")
