"""What the shell may complete a word to. A mistake in a file costs words, never the prompt.

Nothing is imported before a word is asked for: this module belongs to the start-up of every command.
"""

from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path

Complete = Callable[[str], list[str]]


def _quiet(words: Callable[[str], Iterator[str]]) -> Complete:
    """The words that begin as the incomplete one; none where they can't be read."""

    @wraps(words)
    def complete(incomplete: str) -> list[str]:
        from runbook.engine.errors import RunbookError

        try:
            return [word for word in words(incomplete) if word.startswith(incomplete)]
        except (RunbookError, OSError):
            return []

    return complete


@_quiet
def complete_runbooks(_incomplete: str) -> Iterator[str]:
    """Names of the built-in runbooks, and Markdown files here and in runbooks/."""
    from runbook.cli.sources import builtin_names

    yield from builtin_names()
    for folder in (Path(), Path("runbooks")):
        yield from (str(file) for file in sorted(folder.glob("*.md")))


@_quiet
def complete_blocks(incomplete: str) -> Iterator[str]:
    """Runbooks; after RUNBOOK# the blocks of that runbook."""
    from runbook.cli.sources import read_all

    name, mark, _ = incomplete.rpartition("#")
    if not mark:
        yield from complete_runbooks(incomplete)
        return
    for book in read_all([name]):
        yield from (f"{name}#{placed.block.id}" for placed in book.placed())


@_quiet
def complete_checks(_incomplete: str) -> Iterator[str]:
    """Global names of checks: of the built-in runbooks, and of those in runbooks/; what can't be read is left out."""
    from runbook.cli.sources import builtin_names, read_all
    from runbook.engine.errors import RunbookError

    for word in [*builtin_names(), *map(str, sorted(Path("runbooks").glob("*.md")))]:
        try:
            books = read_all([word])
        except RunbookError:
            continue
        yield from dict.fromkeys(placed.name for book in books for placed in book.checks())


@_quiet
def complete_environments(_incomplete: str) -> Iterator[str]:
    """Environments of the inventory in force."""
    from runbook.cli.sources import load_inventory

    yield from load_inventory(None).targets


@_quiet
def complete_probes(_incomplete: str) -> Iterator[str]:
    """Probes, and those of the checks/ folder here."""
    from runbook.engine.catalog import catalog

    yield from catalog("probes").names()
    yield from (file.stem for file in sorted(Path("checks/probes").glob("[a-z]*.py")))
