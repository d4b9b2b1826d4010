"""Escaping, on which everything else rests."""

import markdown
import pytest
from markupsafe import Markup

from runbook.publish.page import anchor, fragment, heading, inert, patterns, short, title


def test_escaped_text_holds_nothing_that_html_or_a_fence_begins_with(evil: str) -> None:
    text = str(inert(f"{evil}\n```\n~~~\n"))
    assert not set("<>\"'`\n") & set(text)


def test_text_that_is_html_already_passes_as_it_is() -> None:
    assert inert(Markup("<b>x</b>")) == "<b>x</b>"


def test_what_is_not_known_is_shown_as_such() -> None:
    assert inert(None) == "?"


def test_a_heading_means_nothing_in_markdown_but_its_words(evil: str) -> None:
    text = f"*a* _b_ [c](d) {{ #e onclick=f }} {evil}"
    rendered = markdown.markdown(f"## {heading(text)}", extensions=["attr_list", "toc"])
    assert rendered.startswith('<h2 id="')
    assert rendered.count("=") == 1  # the id that the table of contents needs
    assert not any(tag in rendered for tag in ("<script", "<em", "<a ", "<img", "<code"))


def test_a_title_has_no_angle_brackets_even_when_references_are_undone() -> None:
    assert not set("<>") & set(Markup(title("a </title><script> b")).unescape())


def test_a_fragment_is_one_block_of_lines_that_begin_with_html(evil: str) -> None:
    changes = [{"version": "1", "date": f"\n\n```\n{evil}", "note": "x"}]
    block = fragment("changes.html", name="x", changes=changes, earlier=[], note="")
    assert "\n\n" not in block
    assert all(line.startswith("<") for line in block.splitlines())


def test_an_anchor_is_letters_digits_and_hyphens(evil: str) -> None:
    assert anchor("ha/topic-survives <x>") == "ha-topic-survives-x"
    assert set(anchor(evil)) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert anchor("<>") == "x"


@pytest.mark.parametrize(
    ("rows", "shown"),
    [("{}", "all"), ('{"topic": "audit-*", "broker": "2"}', "topic audit-*, broker 2"), ("[1]", "[1]"), ("no", "no")],
)
def test_the_rows_of_a_waiver_are_read_by_people(rows: str, shown: str):
    assert patterns(rows) == shown


def test_a_text_is_told_shortly_and_names_stay_as_they_are() -> None:
    assert short("a group line was left. Then more") == "A group line was left"
    assert short("min.insync.replicas is 1; so") == "min.insync.replicas is 1"
    assert short("word " * 40).endswith("word …")
    assert len(short("x" * 400)) <= 152
