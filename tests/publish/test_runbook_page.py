"""A runbook's page: a map of its topics and blocks; and the list of runbooks."""

import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from runbook.parse.extending import read_whole
from runbook.parse.runbook import Runbook, read_runbook
from runbook.plugins.content import builtin_runbooks
from runbook.publish.alert_pages import arrivals_page
from runbook.publish.evidence import EnvironmentEvidence, read_environments
from runbook.publish.page_context import PageContext, marks
from runbook.publish.runbook_page import runbook_page, runbooks_index
from runbook.publish.versions import VersionHistory

WEEK = timedelta(days=8)


def _page(book: Runbook, environments: list[EnvironmentEvidence]) -> str:
    blocks = {placed.name: placed for placed in book.placed()}
    return runbook_page(book, PageContext(environments, WEEK, blocks, VersionHistory())).text


@pytest.fixture
def text(book: Runbook, store: Path, now: datetime) -> str:
    return _page(book, read_environments(store, ["hostile"], now))


def test_a_block_is_a_line_under_its_old_address_that_leads_to_its_page(book: Runbook, text: str) -> None:
    for placed in book.placed():
        line = text.partition(f'<li id="{placed.block.id}" data-rb-page>')[2].partition("</li>")[0]
        assert f'<a href="hostile/{placed.block.id}.html">' in line
    assert '<span id="writers-are-refused-2"></span>' in text


def test_a_line_says_what_needs_a_person_and_nothing_of_what_passes(text: str) -> None:
    line = text.partition('<li id="rows-hold"')[2].partition("</li>")[0]
    assert '<span class="rb-severity rb-severity-high">high</span>' in line
    assert re.findall(r"</span> ([a-z, ]+)</span> (\d)", line) == [("fail", "1"), ("unknown", "1")]


def test_prose_under_a_heading_of_several_blocks_stays_on_the_map(text: str) -> None:
    assert "nested as CommonMark allows" in text
    assert ".rb-part }" in text


def test_the_command_that_runs_it_can_be_pasted(book: Runbook, text: str) -> None:
    assert "run it: <code>runbook check hostile --env &#39;*&#39;</code>" in text  # there are several environments
    assert "run it: <code>runbook check hostile</code>" in _page(book, [])


def test_a_heading_of_the_prose_that_repeats_the_title_is_left_out(book: Runbook) -> None:
    text = (
        "---\ntitle: Same\nversion: 1.0.0\nchanges: [{version: 1.0.0, date: 2026-11-21, note: one}]\n---\n"
        "# Same\n\nWords.\n"
    )
    Path(book.path).write_text(text, encoding="utf-8")
    assert _page(read_runbook(Path(book.path)), []).count("Same") == 1


def test_checks_for_gates_are_counted_apart() -> None:
    ha = read_runbook(builtin_runbooks() / "ha.md")
    gates = sum(getattr(placed.block, "gate", False) for placed in ha.checks())
    assert gates
    counted = re.search(r"Checks: (.*?)\. (\d+) more for gates of procedures\.", _page(ha, []))
    assert counted is not None
    assert sum(map(int, re.findall(r"\d+", counted[1]))) == len(ha.checks()) - gates
    assert int(counted[2]) == gates
    assert f"<td>{len(ha.checks()) - gates}</td>" in runbooks_index([ha]).text


def test_without_runbooks_the_index_says_what_to_do() -> None:
    assert "There is no runbook yet." in runbooks_index([]).text


def test_ones_own_runbooks_are_told_from_the_built_in_ones_wherever_they_are_listed(book: Runbook) -> None:
    tag = '<span class="rb-tag">our own</span>'
    other = read_runbook(builtin_runbooks() / "gc.md")
    index = runbooks_index([other, book], own={"hostile"}).text
    assert index.index("hostile.html") < index.index(tag) < index.index("gc.html")
    assert index.count(tag) == 1
    arrivals = arrivals_page([other, book], own={"hostile"}).text
    assert f'<li><a href="alerts/Alert/index.html">Alert</a> {tag}</li>' in arrivals
    ours, theirs = arrivals.partition("<details")[2].split("<details")
    assert ("runbooks/hostile" in ours, tag in ours) == (True, True)
    assert ("runbooks/hostile" in theirs, tag in theirs) == (False, False)
    assert tag not in runbooks_index([other, book]).text
    shown = PageContext([], WEEK, {}, VersionHistory(), own=frozenset({"hostile"}))
    assert tag in runbook_page(book, shown).text
    assert tag not in runbook_page(other, shown).text


def test_a_built_in_runbook_that_is_amended_is_not_called_our_own(tmp_path: Path):
    file = tmp_path / "ha.md"
    front = "title: Ours\nversion: 0.1.0\nchanges: [{version: 0.1.0, date: 2026-11-26, note: first}]\n"
    file.write_text(f"---\n{front}extends: ha\n---\n# Ours\n\nCall us.\n", "utf-8")
    (tmp_path / "new.md").write_text(f"---\n{front}---\n# Ours\n\nCall us.\n", "utf-8")
    books = [read_whole(tmp_path / name) for name in ("ha.md", "new.md")]
    listed = runbooks_index(books, {"ha", "new"}).text
    assert 'href="ha.html">Ours</a> <span class="rb-tag">built-in, amended</span>' in listed
    assert 'href="new.html">Ours</a> <span class="rb-tag">our own</span>' in listed
    assert marks(books, {"ha", "new"}) == {"ha": "built-in, amended", "new": "our own"}
    assert marks(books, ()) == {}
