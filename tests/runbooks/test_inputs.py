"""Two inputs of a view, taken for each other: every such slip in a built-in runbook is refused, or a case fails."""

from collections.abc import Iterator
from itertools import combinations

import pytest
from msgspec.structs import replace

from runbook.judge.cause import CompiledCause, compile_cause, compile_effect
from runbook.judge.compiled import Compiled, compile_check
from runbook.model.block import Cause, Check, Effect
from runbook.model.errors import Invalid
from runbook.parse.runbook import LocatedBlock, Runbook
from runbook.run.judgement.case import cases_of_block, try_cases
from runbook.run.sources.built_in import builtin_names
from runbook.run.sources.runbooks import read_all


def swaps(book: Runbook) -> Iterator[tuple[str, LocatedBlock]]:
    """Each block with two inputs of one of its views swapped, and which."""
    for placed in book.placed():
        if not isinstance(placed.block, Check | Cause | Effect):
            continue
        for name, request in placed.block.views.items():
            for one, other in combinations(request.of, 2):
                of = request.of | {one: request.of[other], other: request.of[one]}
                views = placed.block.views | {name: replace(request, of=of)}
                yield f"{placed.name}: {one} and {other}", replace(placed, block=replace(placed.block, views=views))


def compiled(placed: LocatedBlock) -> Compiled | CompiledCause | None:
    """A block made ready; None for an effect, which has no cases.

    Raises:
        Invalid: lint tells what is wrong with it.
    """
    if isinstance(placed.block, Effect):
        compile_effect(placed)
        return None
    return compile_check(placed) if isinstance(placed.block, Check) else compile_cause(placed)


def is_noticed(book: Runbook, placed: LocatedBlock) -> bool:
    """Whether lint refuses a block, or one of its cases comes out otherwise."""
    try:
        ready = compiled(placed)
    except Invalid as invalid:
        return all(", and the input " in problem.message for problem in invalid.problems)
    if ready is None or isinstance(placed.block, Effect):
        return False
    assert isinstance(placed.block, Check | Cause)
    file = cases_of_block(book, placed, placed.block)
    return any(tried.wrong for tried in try_cases(book, ready, file, str(file)))


@pytest.mark.parametrize("name", builtin_names())
def test_two_inputs_that_are_swapped_are_noticed(name: str) -> None:
    [book] = read_all([name])
    assert [which for which, placed in swaps(book) if not is_noticed(book, placed)] == []
