"""Each runbook has two parts: what is done on call comes first, what must be true on a good day after it."""

from collections.abc import Iterator

import pytest

from runbook.model.block import Block, Cause, Check, Diagnostic, Effect, Procedure
from runbook.parse.runbook import Prose, Runbook
from support.built_in import all_built_in

ELSEWHERE = {"topologies": ["choose-a-failover-strategy"]}
"""Procedures of a choice that is made at leisure: they stand beside the checks of what was chosen."""


def parted(book: Runbook) -> Iterator[tuple[str, Block | str]]:
    """Each block, and each heading of a part or section, with the part in which it stands."""
    part = ""
    for one in book.parts:
        if not isinstance(one, Prose):
            yield part, one.block
            continue
        for line in one.text.splitlines():
            if line.startswith("# ") and line[2:] in ("Respond", "Standard"):
                part = line[2:]
            if line.startswith(("# ", "## ")):
                yield part, line.lstrip("# ")


@pytest.mark.parametrize("book", all_built_in(), ids=lambda book: book.name)
def test_what_is_done_on_call_stands_first(book: Runbook) -> None:
    placed = [*parted(book)]
    assert [one for _, one in placed if isinstance(one, str)][:3] == [book.front.title, "Respond", "Start here"]
    assert "Standard" in [one for _, one in placed]
    symptoms = [one for part, one in placed if isinstance(one, Diagnostic | Cause | Effect) and part != "Respond"]
    assert [one.id for one in symptoms] == []
    steps = [one for part, one in placed if isinstance(one, Procedure) and part != "Respond"]
    assert [one.id for one in steps] == ELSEWHERE.get(book.name, [])


def test_most_checks_that_runs_judge_stand_in_the_standard() -> None:
    for book in all_built_in():
        parts = [part for part, one in parted(book) if isinstance(one, Check) and not one.gate]
        assert parts.count("Standard") > parts.count("Respond"), book.name
