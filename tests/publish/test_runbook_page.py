"""A runbook's page: cards with everything a reader needs, and the last results."""

import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from runbook.parse.extending import read_whole
from runbook.parse.runbook import Runbook, read_runbook
from runbook.plugins.content import builtin_runbooks
from runbook.publish.evidence import EnvironmentEvidence, read_environments
from runbook.publish.runbook_page import PageContext, _words, arrivals_page, marks, runbook_page, runbooks_index
from runbook.publish.versions import VersionHistory

WEEK = timedelta(days=8)


def _page(book: Runbook, environments: list[EnvironmentEvidence]) -> str:
    checks = {placed.name: placed for placed in book.checks()}
    return runbook_page(book, PageContext(environments, WEEK, checks, VersionHistory())).text


@pytest.fixture
def text(book: Runbook, store: Path, now: datetime) -> str:
    return _page(book, read_environments(store, ["hostile"], now))


def _card(text: str, block: str) -> str:
    return text.partition(f"{{ #{block} }}")[2].partition("</section>")[0]


@pytest.mark.parametrize(
    "shown",
    [
        "One row per topic.",
        "(internal: false)",
        "needs Describe on all topics",
        "<pre><code>topic.replication_factor &lt; 3",
        "<td>≥ 0 ≤ 5</td><td>no environment</td><td>our judgement</td>",
        "First <strong>do</strong> this:",
        "kafka-topics.sh --describe",
        "advice for availability; it applies where durability ranks higher",
        '<a href="../reference/probes.html#kafka_topic">kafka_topic</a>',
        "<summary>What is run of it (YAML)</summary><pre><code>id: rows-hold&#10;",
    ],
)
def test_a_check_becomes_a_card_that_says_all_of_it(text: str, shown: str) -> None:
    assert shown in _card(text, "rows-hold")


def test_the_strip_has_a_cell_for_every_environment_that_leads_to_its_rows(text: str) -> None:
    card = _card(text, "rows-hold")
    assert '<a href="../evidence/broken/hostile.html#hostile-rows-hold-broken"><strong>broken</strong>' in card
    assert card.count("<li class=") == 3
    assert "No results yet." in _card(text, "never-judged")


def test_an_old_result_says_so(text: str) -> None:
    healthy = _card(text, "rows-hold").partition("<strong>healthy")[2]
    assert "older than results may be" in healthy
    assert "older than results may be" not in _card(text, "rows-hold").partition("<strong>healthy")[0]


def test_a_result_of_an_earlier_definition_says_so(book: Runbook, store: Path, now: datetime) -> None:
    environments = read_environments(store, ["hostile"], now)
    for found in environments:
        for seen in found.seen():
            seen.result.check_digest = "other"
    assert "judged by an earlier definition" in _page(book, environments)


def test_without_results_the_card_says_so(book: Runbook) -> None:
    assert "No results yet." in _card(_page(book, []), "rows-hold")


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


def test_alerts_and_errors_lead_to_their_place(book: Runbook) -> None:
    index = arrivals_page([book]).text
    row = index.partition("<code>NotEnoughReplicas</code></th>")[2]
    assert row.startswith('<td>not enough replicas</td><td><a href="runbooks/hostile.html#writers-are-refused">')
    assert "Alert&lt;script&gt;" in index


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


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("KafkaISRShrinkRate", "kafka isr shrink rate"),
        ("NOT_ENOUGH_REPLICAS", "not enough replicas"),
        ("offline", ""),
        ("leader: none", ""),
    ],
)
def test_names_are_listed_with_their_words_so_that_a_search_for_one_finds_them(name: str, words: str) -> None:
    assert _words(name) == words


def test_what_the_card_says_already_is_not_said_again_as_yaml(text: str) -> None:
    yaml = _card(text, "rows-hold").partition("What is run of it (YAML)")[2]
    assert "&#10;expect:&#10;" in yaml
    assert not re.search(r"&#10;(remedy|audit|sources|effect):", yaml)


def test_an_amended_block_says_what_is_otherwise_than_built_in_and_shows_both_sources(tmp_path: Path) -> None:
    file = tmp_path / "ha.md"
    file.write_text(
        "---\ntitle: Ours\nextends: ha\nversion: 0.1.0\n"
        'changes: [{version: 0.1.0, date: "2026-11-24", note: Ours}]\n---\n# Ours\n\nOur words.\n\n'
        "```yaml {.amend}\nid: every-broker-answers\nseverity: medium\nremedy: Ask **us**.\n```\n",
        "utf-8",
    )
    text = _page(read_whole(file), [])
    assert text.index("Our words.") < text.index("every-broker-answers")
    card = _card(text, "every-broker-answers")
    assert "Otherwise than built in:</strong> <code>severity</code>, <code>remedy</code>, by <code>ha.md</code>" in card
    assert "Ask <strong>us</strong>." in card
    assert "consequence: part-down" in card  # as built in
    assert "# and what is amended of it:&#10;id: every-broker-answers&#10;severity: medium" in card
    assert "Otherwise than built in" not in _card(text, "partitions-take-writes")


def test_a_backtick_of_a_built_in_runbook_is_code_wherever_it_is_shown() -> None:
    raw = {}
    for file in sorted(builtin_runbooks().glob("*.md")):
        shown = re.sub(r"<(pre|code)\b.*?</\1>", "", _page(read_runbook(file), []), flags=re.DOTALL)
        raw[file.name] = re.findall(r".{60}&#96;.{20}", shown)
    assert {name: found for name, found in raw.items() if found} == {}


def test_ones_own_runbooks_are_told_from_the_built_in_ones_wherever_they_are_listed(book: Runbook) -> None:
    tag = '<span class="rb-tag">our own</span>'
    other = read_runbook(builtin_runbooks() / "gc.md")
    index = runbooks_index([other, book], own={"hostile"}).text
    assert index.index("hostile.html") < index.index(tag) < index.index("gc.html")
    assert index.count(tag) == 1
    rows = [row for row in arrivals_page([other, book], own={"hostile"}).text.splitlines() if "<td>" in row]
    assert {"hostile.html" in row for row in rows} == {True, False}
    assert [row for row in rows if (tag in row) != ("hostile.html" in row)] == []
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
