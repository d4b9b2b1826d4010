"""Prose of runbooks: read as the engine reads it, shown without any power."""

import markdown
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runbook.publish import prose


def test_raw_html_is_shown_as_text() -> None:
    assert prose.html("a <script>x</script>\n\n<div onclick=y>") == (
        "<p>a &lt;script&gt;x&lt;/script&gt;</p> <p>&lt;div onclick=y&gt;</p>"
    )


def test_links_that_are_scripts_are_no_links() -> None:
    assert "href" not in prose.html("[a](javascript:alert(1)) [b](data:text/html,x) [c](vbscript:x)")


def test_pictures_are_shown_by_their_words() -> None:
    assert prose.html("![a **pixel**](https://elsewhere.example/p.png)") == "<p>a **pixel**</p>"


def test_code_keeps_its_lines_in_one_line_of_html() -> None:
    assert prose.html("```sh\na\n  b\n```") == "<pre><code>a&#10;  b&#10;</code></pre>"


def test_tables_are_read() -> None:
    assert "<th>a</th>" in prose.html("| a |\n|---|\n| b |")


def test_headings_stay_markdown_so_that_the_site_finds_them() -> None:
    text = prose.markdown("# One `x_y`\n\ntext\n\n### Three\n\n> ## quoted\n")
    lines = [line for line in text.splitlines() if line.startswith("#")]
    assert lines == ["## One <code>x&#95;y</code> { .rb-part }", "### Three"]
    assert "<h2>quoted</h2>" in text


def test_a_part_keeps_the_anchor_that_lint_knows_and_a_section_below_it_is_none() -> None:
    text = prose.markdown("# Respond\n\nNow.\n\n## Start here\n\nGo.\n")
    rendered = markdown.markdown(text, extensions=["attr_list", "toc"])
    assert '<h2 class="rb-part" id="respond">Respond</h2>' in rendered
    assert '<h2 id="start-here">Start here</h2>' in rendered


@pytest.mark.parametrize(
    ("written", "leads_to"),
    [
        ("dr.md", "dr.html"),
        ("dr.md#failover", "dr.html#failover"),
        ("#here", "#here"),
        ("../docs/explanation/objectives.md", "../explanation/objectives.html"),
        ("https://kafka.apache.org/a.md", "https://kafka.apache.org/a.md"),
    ],
)
def test_links_lead_to_pages_of_the_site(written: str, leads_to: str) -> None:
    assert prose.link(written) == leads_to


@given(st.text(alphabet="ab <>/&\"'`~*_[](){}#!=-\n\t:;x1", max_size=120))
def test_no_text_becomes_an_element_that_markdown_has_no_word_for(text: str) -> None:
    rendered = markdown.markdown(prose.markdown(text), extensions=["attr_list", "tables", "pymdownx.superfences"])
    for element in ("<script", "<b>", "<b ", "<x", "<img", 'onclick=x"'):
        assert element not in rendered


@pytest.mark.parametrize(
    ("written", "leads_to"),
    [
        ("../docs/how-to/lab.md#parts", "../../how-to/lab.html#parts"),
        ("gc.md", "../gc.html"),
        ("#here", "#here"),
        ("https://example.org/a", "https://example.org/a"),
        ("mailto:a@example.org", "mailto:a@example.org"),
    ],
)
def test_links_of_a_page_further_down_lead_up_first(written: str, leads_to: str) -> None:
    assert prose.link(written, "../") == leads_to
