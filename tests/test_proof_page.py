"""The totals on the page that says how runbooks are proved are those of the records, which do not leave this tree."""

from support import proof_page
from support.made_page import RECORDS


def test_the_totals_are_those_of_the_records() -> None:
    """`python tests/benchmarks/walks.py --write` makes them anew."""
    assert proof_page.PAGE.file.read_text("utf-8") == proof_page.page()


def test_there_is_a_total_of_every_record() -> None:
    assert len(proof_page.PAGE.made()) == len([*RECORDS.glob("*.md")])
