"""Folds of a page: what is in them is there and closed, and no heading is in one."""

from pathlib import Path

import pytest

from runbook.publish.folds import mistake_in, with_folds
from support.documented import ROOT


def test_marks_become_a_part_that_opens() -> None:
    page = "<h2>Faults</h2>\n<!-- fold: 40 faults -->\n<table></table>\n<!-- end of fold -->\n<p>x</p>"
    opens = '<details class="rb-why"><summary>40 faults</summary>'
    assert with_folds(page) == f"<h2>Faults</h2>\n{opens}\n<table></table>\n</details>\n<p>x</p>"


def test_a_mark_in_a_list_is_a_mark() -> None:
    assert with_folds("<li><p><!-- end of fold --></p></li>") == "<li></details></li>"


@pytest.mark.parametrize(
    ("markdown", "mistake"),
    [
        ("<!-- fold: a -->\n\nx\n\n<!-- end of fold -->\n## b", ""),
        ("<!-- fold: a -->\nx", "no end"),
        ("<!-- fold: a -->\n<!-- fold: b -->", "begins in a fold"),
        ("<!-- end of fold -->", "ends outside"),
        ("<!-- fold: a -->\n## b\n<!-- end of fold -->", "out of sight"),
    ],
)
def test_what_is_wrong_with_marks_is_said(markdown: str, mistake: str) -> None:
    assert mistake in mistake_in(markdown)
    assert bool(mistake) == bool(mistake_in(markdown))


def test_every_page_is_folded_as_it_should_be() -> None:
    pages = [*Path(ROOT, "docs").rglob("*.md")]
    assert {page.name: wrong for page in pages if (wrong := mistake_in(page.read_text("utf-8")))} == {}
