"""The page of a block: what introduces it, and a card with everything a reader needs, and the last results."""

import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from runbook.parse.extending import read_whole
from runbook.parse.runbook import Runbook, read_runbook
from runbook.plugins.content import builtin_runbooks
from runbook.publish.block_pages import block_pages, moved_blocks
from runbook.publish.evidence import EnvironmentEvidence, read_environments
from runbook.publish.page_context import PageContext
from runbook.publish.versions import VersionHistory

WEEK = timedelta(days=8)


def _pages(book: Runbook, environments: list[EnvironmentEvidence]) -> dict[str, str]:
    blocks = {placed.name: placed for placed in book.placed()}
    pages = block_pages(book, PageContext(environments, WEEK, blocks, VersionHistory()))
    return {page.path.removeprefix(f"runbooks/{book.name}/").removesuffix(".md"): page.text for page in pages}


@pytest.fixture
def pages(book: Runbook, store: Path, now: datetime) -> dict[str, str]:
    return _pages(book, read_environments(store, ["hostile"], now))


def test_each_block_has_a_page_with_the_way_back(book: Runbook, pages: dict[str, str]) -> None:
    assert [*pages] == [placed.block.id for placed in book.placed()]
    place = "a-heading-b-onclickalert1withb-code-i-onclickalert1"
    for name, text in pages.items():
        assert re.search(rf"^# .* {{ #{name} }}$", text, re.MULTILINE)
        assert '<a href="../hostile.html">Hostile' in text
        assert f'<a href="../hostile.html#{place}">A heading' in text


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
        '<a href="../../reference/probes/kafka_topic.html">kafka_topic</a>',
        "<summary>What is run of it (YAML)</summary><pre><code>id: rows-hold&#10;",
    ],
)
def test_a_check_becomes_a_card_that_says_all_of_it(pages: dict[str, str], shown: str) -> None:
    assert shown in pages["rows-hold"]


def test_the_strip_has_a_cell_for_every_environment_that_leads_to_its_rows(pages: dict[str, str]) -> None:
    card = pages["rows-hold"]
    assert '<a href="../../evidence/broken/hostile.html#hostile-rows-hold-broken"><strong>broken</strong>' in card
    assert card.count("<li class=") == 3
    assert "No results yet." in pages["never-judged"]


def test_an_old_result_says_so(pages: dict[str, str]) -> None:
    healthy = pages["rows-hold"].partition("<strong>healthy")[2]
    assert "older than results may be" in healthy
    assert "older than results may be" not in pages["rows-hold"].partition("<strong>healthy")[0]


def test_a_result_of_an_earlier_definition_says_so(book: Runbook, store: Path, now: datetime) -> None:
    environments = read_environments(store, ["hostile"], now)
    for found in environments:
        for seen in found.seen():
            seen.result.check_digest = "other"
    assert "judged by an earlier definition" in _pages(book, environments)["rows-hold"]


def test_without_results_the_card_says_so(book: Runbook) -> None:
    assert "No results yet." in _pages(book, [])["rows-hold"]


def test_what_the_card_says_already_is_not_said_again_as_yaml(pages: dict[str, str]) -> None:
    yaml = pages["rows-hold"].partition("What is run of it (YAML)")[2]
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
    pages = _pages(read_whole(file), [])
    card = pages["every-broker-answers"]
    assert "Otherwise than built in:</strong> <code>severity</code>, <code>remedy</code>, by <code>ha.md</code>" in card
    assert "Ask <strong>us</strong>." in card
    assert "consequence: part-down" in card  # as built in
    assert "# and what is amended of it:&#10;id: every-broker-answers&#10;severity: medium" in card
    assert "Otherwise than built in" not in pages["partitions-take-writes"]


def test_a_backtick_of_a_built_in_runbook_is_code_wherever_it_is_shown() -> None:
    raw = {}
    for file in sorted(builtin_runbooks().glob("*.md")):
        text = "\n".join(_pages(read_runbook(file), []).values())
        shown = re.sub(r"<(pre|code)\b.*?</\1>", "", text, flags=re.DOTALL)
        raw[file.name] = re.findall(r".{60}&#96;.{20}", shown)
    assert {name: found for name, found in raw.items() if found} == {}


def test_a_check_says_what_is_so_and_what_to_do_before_how_it_is_judged_and_why() -> None:
    ha = _pages(read_runbook(builtin_runbooks() / "ha.md"), [])["partitions-take-writes"]
    order = ["No results yet.", "<dt>If not</dt>", "Remedy", "vendor's tool", "<dt>Looks at</dt>", "With fewer in-sync"]
    assert [ha.index(text) for text in order] == sorted(ha.index(text) for text in order)


def test_prose_between_two_blocks_is_on_the_page_of_the_second() -> None:
    pages = _pages(read_runbook(builtin_runbooks() / "ha.md"), [])
    assert "The ISR may be a single broker" in pages["acknowledged-records-are-on-two-brokers"]
    assert "The ISR may be a single broker" not in pages["no-partition-at-its-minimum"]


def test_a_cause_is_a_card_from_what_is_seen_to_when_it_is_over() -> None:
    card = _pages(read_runbook(builtin_runbooks() / "ha.md"), [])["broker-is-down"]
    order = [
        "Seen as",
        '<a href="../ha/writers-are-refused.html">',
        "How to tell",
        "Do first",
        "Do not<",
        '<a href="bring-a-broker-back.html">',
        "Gate: ",
        "It is over when these pass",
    ]
    places = [card.find(text) for text in order]
    assert -1 not in places
    assert places == sorted(places)
    assert "<strong>Stop if:</strong> The broker&#39;s disk failed" in card


def test_a_cause_whose_procedure_is_not_published_names_it() -> None:
    ha = read_runbook(builtin_runbooks() / "ha.md")
    (cause,) = (placed for placed in ha.placed() if placed.block.id == "broker-is-down")
    card = _pages(replace(ha, parts=(cause,)), [])["broker-is-down"]
    assert "<p>Procedure <code>bring-a-broker-back</code></p>" in card
    assert "Seen as" not in card


def test_the_address_under_an_old_name_leads_to_the_page_of_today(book: Runbook) -> None:
    first, *rest = book.placed()
    renamed = replace(first, block=replace(first.block, was=["old", "gone/old"]))
    pages = [*moved_blocks(replace(book, parts=(renamed, *rest)))]
    assert [page.path for page in pages] == ["runbooks/hostile/old.html", "runbooks/gone/old.html"]
    assert all(f'href="../{first.name}.html"' in page.text for page in pages)
    assert [*moved_blocks(book)] == []
