"""What the shell may complete a word to. A mistake in a file costs words, never the prompt.

Nothing is imported before a word is asked for: this module belongs to the start-up of every command.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import typer


def complete_runbooks(incomplete: str) -> list[str]:
    """Names of the built-in runbooks, and Markdown files here and in runbooks/."""
    return _beginning(incomplete, _runbooks)


def complete_blocks(incomplete: str) -> list[str]:
    """Runbooks; after RUNBOOK# the blocks of that runbook."""
    return _blocks_of(incomplete, "Check", "Cause", "Diagnostic", "Effect", "Procedure")


def complete_checked(incomplete: str) -> list[str]:
    """Runbooks; after RUNBOOK# what of that runbook can be checked."""
    return _blocks_of(incomplete, "Check", "Diagnostic")


def complete_tested(incomplete: str) -> list[str]:
    """Runbooks; after RUNBOOK# what of that runbook has cases."""
    return _blocks_of(incomplete, "Check", "Cause")


def complete_procedures(incomplete: str) -> list[str]:
    """Runbooks; after RUNBOOK# the procedures of that runbook."""
    return _blocks_of(incomplete, "Procedure")


def complete_checks(ctx: typer.Context, incomplete: str) -> list[str]:
    """Global names of the checks of the runbooks that are named; else of the built-in ones and those in runbooks/.

    Of a word with which none begins, the ids alone that do.
    """
    named = [word for word in ctx.args if not word.startswith("-")]  # arguments are not parsed while one completes
    return _beginning(incomplete, lambda: _checks(named)) or _beginning(
        incomplete, lambda: (name.partition("/")[2] for name in _checks(named))
    )


def one_of(*words: str) -> Callable[[str], list[str]]:
    """What completes an option that takes one of these words."""

    def complete(incomplete: str) -> list[str]:
        return _beginning(incomplete, lambda: words)

    return complete


def complete_severities(incomplete: str) -> list[str]:
    """Severities, the mildest first."""
    return _beginning(incomplete, _severities)


def complete_objectives(incomplete: str) -> list[str]:
    """Objectives that a check may serve."""
    return _beginning(incomplete, _objectives)


def complete_reports(incomplete: str) -> list[str]:
    """Formats of reports."""
    return _beginning(incomplete, lambda: _named("reports"))


def complete_environments(incomplete: str) -> list[str]:
    """Environments of the inventory in force."""
    return _beginning(incomplete, _environments)


def complete_probes(incomplete: str) -> list[str]:
    """Probes, and those of the checks/ folder here."""
    return _beginning(incomplete, lambda: _named("probes"))


def complete_listed(ctx: typer.Context, incomplete: str) -> list[str]:
    """Runbooks; after --probes, --views or --blocks the names of those."""
    room = next((room for room in ("probes", "views") if ctx.params.get(room)), "")
    if room:
        return _beginning(incomplete, lambda: _named(room))
    return _beginning(incomplete, _kinds if ctx.params.get("kinds") else _runbooks)


def complete_walks(ctx: typer.Context, incomplete: str) -> list[str]:
    """Ids of the walks on record, the newest first: of the user's state folder, or of that which --record names."""
    return _beginning(incomplete, lambda: _walks(ctx.params.get("record"), over=True))


def complete_unended(ctx: typer.Context, incomplete: str) -> list[str]:
    """The same of those that have not ended, which alone can be gone on with."""
    return _beginning(incomplete, lambda: _walks(ctx.params.get("record"), over=False))


def _walks(folder: str | None, *, over: bool) -> Iterator[str]:
    from runbook.procedure.walk_file import kept, walks_home
    from runbook.procedure.walk_record import Ended

    for _, record in kept(Path(folder) if folder else walks_home()):
        if over or not isinstance(record.entries[-1], Ended):
            yield record.begun.walk


def complete_losses(ctx: typer.Context, incomplete: str) -> list[str]:
    """What may be lost, one after the other, by commas; by name where --from names a bundle: nothing is contacted."""
    before, comma, last = incomplete.rpartition(",")
    bundle = ctx.params.get("from_")
    return [f"{before}{comma}{word}" for word in _beginning(last, lambda: _losses(bundle))]


def _losses(bundle: str | None) -> Iterator[str]:
    from runbook.evidence.bundle import load_bundle
    from runbook.what_if.loss_request import KINDS

    yield from (f"{kind}:" for kind in KINDS)
    columns = {
        ("kafka_broker", "broker"): "broker",
        ("kafka_broker", "rack"): "rack",
        ("kafka_quorum", "node"): "controller",
    }
    for kept in load_bundle(Path(bundle)).kept if bundle else []:  # words are no paths yet while one completes
        for (probe, column), kind in columns.items():
            cells = kept.facts[""].columns.get(column, []) if kept.ask.probe == probe and "" in kept.facts else []
            yield from (f"{kind}:{cell}" for cell in cells if cell not in (None, ""))


def _beginning(incomplete: str, words: Callable[[], Iterable[str]]) -> list[str]:
    """The words that begin so; none where they can't be read."""
    from runbook.model.errors import RunbookError

    try:
        return [word for word in dict.fromkeys(words()) if word.startswith(incomplete)]
    except (RunbookError, OSError):
        return []


def _runbooks() -> Iterator[str]:
    from runbook.run.sources.runbooks import every_name

    yield from every_name()
    for folder in (Path(), Path("runbooks")):
        yield from (str(file) for file in sorted(folder.glob("*.md")))


def _in_runbooks(known: Sequence[str]) -> Iterator[str]:
    yield from (str(file) for file in sorted(Path("runbooks").glob("*.md")) if file.stem not in known)


def _blocks_of(incomplete: str, *kinds: str) -> list[str]:
    name, mark, _ = incomplete.rpartition("#")
    return _beginning(incomplete, lambda: _blocks(name, kinds)) if mark else complete_runbooks(incomplete)


def _blocks(name: str, kinds: Sequence[str]) -> Iterator[str]:
    from runbook.run.sources.runbooks import read_all

    for book in read_all([name]):
        yield from (f"{name}#{placed.block.id}" for placed in book.placed() if type(placed.block).__name__ in kinds)


def _severities() -> Sequence[str]:
    from runbook.model.block import SEVERITIES

    return SEVERITIES


def _objectives() -> Sequence[str]:
    from runbook.model.block import OBJECTIVES

    return OBJECTIVES


def _checks(named: Sequence[str]) -> Iterator[str]:
    from runbook.model.errors import RunbookError
    from runbook.run.sources.runbooks import every_name, own_names, read_all

    for word in named or [*every_name(), *_in_runbooks(own_names())]:
        try:
            books = read_all([word])
        except RunbookError:
            continue  # the others may be in order
        yield from (placed.name for book in books for placed in book.checks())


def _environments() -> Iterator[str]:
    from runbook.run.sources.inventories import load_inventory

    yield from load_inventory(None).targets


def _named(room: str) -> Iterator[str]:
    from runbook.plugins.catalog import catalog

    yield from catalog(room).names()
    yield from (file.stem for file in sorted(Path("checks", room).glob("[a-z]*.py")))


def _kinds() -> Iterator[str]:
    from runbook.show.declarations import written

    yield from written()
