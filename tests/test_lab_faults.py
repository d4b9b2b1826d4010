"""The record of the lab's faults has a line for each of which it is kept how it was healed."""

import re

from live.test_causes import SILENT
from support.faults_page import PAGE, fault_of, healed

TEXT = PAGE.file.read_text("utf-8")
TOLD = dict(re.findall(r"^\| `([a-z0-9-]+(?: \+ [a-z0-9-]+)*)` \| (.+) \|$", TEXT, re.MULTILINE))


def test_every_fault_that_was_healed_has_a_line() -> None:
    """`python tests/benchmarks/causes.py --write` makes them anew."""
    assert [fault for fault in map(fault_of, healed()) if fault not in TOLD] == []


def test_where_no_cause_is_named_it_is_said_why() -> None:
    assert {fault: TOLD.get(fault) for fault in SILENT} == SILENT
    assert TOLD["no-dead-letter-queue"].startswith("not at once")


def test_no_line_is_of_a_fault_that_is_not_kept() -> None:
    assert set(TOLD) - {*map(fault_of, healed())} - {*SILENT} == set()


def test_what_was_called_explained_passed_once_healed() -> None:
    assert re.search(r"^was healed, and 0 did not\.$", TEXT, re.MULTILINE)
