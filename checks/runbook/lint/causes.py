"""Mistakes in causes and effects, and names in them, or in diagnostics, of blocks that there are not."""

from collections.abc import Callable, Iterator

from runbook.judge.cause import compile_cause, compile_effect
from runbook.model.block import Block, Cause, Diagnostic, Effect, Procedure, whole_name
from runbook.model.errors import Invalid, Problem, did_you_mean
from runbook.parse.runbook import LocatedBlock, Runbook
from runbook.parse.yaml_document import Path
from runbook.procedure.placeholders import placeholders
from runbook.procedure.walk import stages

Neighbour = Callable[[str], Runbook | None]
"""The runbook of a name, beside this one or built in; None if there is none that can be read."""


def mistaken_causes(book: Runbook, neighbour: Neighbour) -> Iterator[Problem]:
    """Yield what is wrong with causes, effects and their names."""
    for placed in book.placed():
        match placed.block:
            case Cause() as cause:
                yield from _compiled(placed, compile_cause)
                if cause.procedure:
                    yield from _named(placed, ("procedure",), cause.procedure, Procedure, book, neighbour)
                for i, later in enumerate(cause.before):
                    yield from _named(placed, ("before", i), later, Cause, book, neighbour)
                yield from _words(placed, cause, book, neighbour)
                yield from _gated(placed, cause, book, neighbour)
            case Effect():
                yield from _compiled(placed, compile_effect)
            case Diagnostic() as diagnostic:
                for i, possible in enumerate(diagnostic.causes):
                    if possible.holds:
                        yield from _named(placed, ("causes", i, "holds"), possible.holds, Cause, book, neighbour)


def _words(placed: LocatedBlock, cause: Cause, book: Runbook, neighbour: Neighbour) -> Iterator[Problem]:
    """Words that no command of the cause's procedure leaves open."""
    if cause.words and not cause.procedure:
        yield Problem(
            placed.document.place(("words",)), "words without a procedure", "name the one whose words they are"
        )
        return
    found = _procedures(cause, book, neighbour)
    open_ = {word for block in found for step in block.steps for word in placeholders(step.command)}
    for word in cause.words if found else ():
        if word not in open_:
            place = placed.document.place(("words", word))
            remedy = did_you_mean(word, sorted(open_))
            yield Problem(place, f'no command of procedure "{cause.procedure}" has the word {word}', remedy)


def _gated(placed: LocatedBlock, cause: Cause, book: Runbook, neighbour: Neighbour) -> Iterator[Problem]:
    """Gates before the cause's procedure that are shut for as long as the cause holds: it could not begin."""
    there = cause.procedure.rpartition("/")[0] or book.name
    healed = {whole_name(name, book.name) for name in cause.verify}
    for procedure in _procedures(cause, book, neighbour):
        for gate, _ in stages(procedure)[0].checks:  # none where the first stage is a step
            if whole_name(gate, there) in healed:
                message = (
                    f'procedure "{cause.procedure}" can\'t begin: its gate {gate} is what healing this cause opens'
                )
                remedy = f"take {gate} from before: of the procedure, or name a procedure that may begin while it fails"
                yield Problem(placed.document.place(("procedure",)), message, remedy)


def _procedures(cause: Cause, book: Runbook, neighbour: Neighbour) -> list[Procedure]:
    """The procedure that a cause names; none where it names none, or one that there is not."""
    if not cause.procedure:
        return []
    identifier = cause.procedure.rpartition("/")[2]
    blocks = _blocks(cause.procedure, book, neighbour)
    return [block for block in blocks if isinstance(block, Procedure) and block.id == identifier]


def _compiled(placed: LocatedBlock, compile_block: Callable[[LocatedBlock], object]) -> Iterator[Problem]:
    try:
        compile_block(placed)
    except Invalid as invalid:
        yield from invalid.problems


def _blocks(word: str, book: Runbook, neighbour: Neighbour) -> list[Block]:
    """The blocks of the runbook that a name means: its own where it names none, and none where there is no such."""
    name = word.rpartition("/")[0]
    there = book if name in ("", book.name) else neighbour(name)
    return [placed.block for placed in there.placed()] if there else []


def _named(
    placed: LocatedBlock,
    field: Path,
    word: str,
    kind: type[Cause] | type[Procedure],
    book: Runbook,
    neighbour: Neighbour,
) -> Iterator[Problem]:
    name, _, identifier = word.rpartition("/")
    ids = [block.id for block in _blocks(word, book, neighbour) if isinstance(block, kind)]
    if identifier not in ids:
        noun = kind.__name__.lower()
        place = placed.document.place(field)
        yield Problem(
            place,
            f'no {noun} "{word}" in {placed.name}',
            did_you_mean(identifier, ids, f"runbook list {name or book.path}"),
        )
