"""What `runbook list` lists: blocks of runbooks, probes, views."""

from collections import Counter
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from runbook.model.block import SEVERITIES, Block, Cause, Check, Diagnostic, Procedure
from runbook.model.errors import UsageError, did_you_mean
from runbook.parse.record_fields import summary
from runbook.parse.runbook import Runbook
from runbook.plugins.catalog import catalog
from runbook.safety.sanitize import sanitize_json
from runbook.show.declarations import declared, written
from runbook.terminal.columns import beside

_COUNTED: dict[type[Block], str] = {Check: "checks", Diagnostic: "symptoms", Cause: "causes", Procedure: "procedures"}


class CatalogEntry(Struct, frozen=True, omit_defaults=True):
    """A line of a list, under the heading `group`; severity and objectives are those of a check.

    Attributes:
        gate: of a check: only gates of procedures judge it, and runs that name it.
    """

    name: str
    kind: str
    title: str
    group: str = ""
    severity: str = ""
    objectives: list[str] = []
    gate: bool = False


def refuse_unknown(option: str, word: str, known: Sequence[str]) -> None:
    """Refuse a word that an option does not know.

    Raises:
        UsageError: with the words it knows.
    """
    if word not in known:
        raise UsageError(f"{option} {word}: {did_you_mean(word, [name for name in known if name])}")


def modules(room: str) -> list[CatalogEntry]:
    """Every probe or view, with what a row of it is.

    Raises:
        UsageError: a file can't be loaded, or declares none.
    """
    word = room.removesuffix("s")
    return [CatalogEntry(name, word, declared(room, name).help) for name in catalog(room).names()]


def block_kinds() -> list[CatalogEntry]:
    """Every kind of block, and what else has fields in a runbook, with what it is."""
    return [CatalogEntry(name, "block", summary(record)) for name, record in written().items()]


def blocks(runbooks: Sequence[Runbook], severity: str, objective: str) -> list[CatalogEntry]:
    """The blocks of runbooks; only checks where a severity above the least, or an objective, is asked for."""
    narrowed = bool(objective) or severity != SEVERITIES[0]
    entries = []
    for book in runbooks:
        where = "built-in" if book.origin == "built-in" else book.path
        group = f"{book.name} {book.front.version}  {book.front.title}  ({where})"
        for placed in book.placed():
            block = placed.block
            if not narrowed or _takes(block, severity, objective):
                kind = type(block).__name__.lower()
                level, goals = (block.severity, block.objectives) if isinstance(block, Check) else ("", [])
                gate = isinstance(block, Check) and block.gate
                entries.append(CatalogEntry(placed.name, kind, block.title, group, level, [*goals], gate))
    return entries


def overview(runbooks: Sequence[Runbook]) -> str:
    """A line for each runbook: how many blocks of each kind it has, checks without gates, and its title."""
    rows = [("runbook", *_COUNTED.values(), "title"), *map(_counted, runbooks)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    fronts = ["".join(f"{cell:{width}}  " for cell, width in zip(row, widths, strict=False)) for row in rows]
    return "\n".join(beside(front, row[-1]) for front, row in zip(fronts, rows, strict=True))


def _counted(book: Runbook) -> tuple[str, ...]:
    every = (placed.block for placed in book.placed())
    kinds = Counter(type(block) for block in every if not (isinstance(block, Check) and block.gate))
    title = book.front.title if book.origin == "built-in" else f"{book.front.title}  ({book.path})"
    return (book.name, *(str(kinds[kind]) for kind in _COUNTED), title)


def _takes(block: Block, severity: str, objective: str) -> bool:
    if not isinstance(block, Check) or severity not in SEVERITIES[: SEVERITIES.index(block.severity) + 1]:
        return False
    return not objective or not block.objectives or objective in block.objectives


def as_json(entries: Sequence[CatalogEntry]) -> str:
    """The list for programs."""
    return sanitize_json(msgspec.to_builtins(entries))


def as_text(entries: Sequence[CatalogEntry]) -> str:
    """The list for people, with a heading for each runbook."""
    width = max((len(entry.name) for entry in entries), default=0)
    lines: list[str] = []
    group = ""
    for entry in entries:
        if entry.group != group:
            group = entry.group
            lines += [*([""] if lines else []), beside("", group)]
        what = f"  {'gate' if entry.gate else entry.kind:10} {entry.severity:8} " if group else ""
        lines.append(beside(f"{what}{entry.name:{width}}  ", entry.title))
    return "\n".join(lines) or "nothing of that kind"
