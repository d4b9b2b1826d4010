"""Facts: what a probe saw, typed, dated, and honest about what it did not see."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, islice, repeat
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct, field
from msgspec.structs import astuple, replace

from runbook.model.column import Column, misfits
from runbook.model.errors import CannotLook, Garbled
from runbook.model.gap_kind import GapKind
from runbook.model.row import Row
from runbook.model.sentence import ReasonText, Sentence

_AT_ONCE = 1000  # rows that are taken in at a time


class SharedGap(NamedTuple):
    """What gaps have in common that are told as one."""

    reason: Sentence
    kind: GapKind


class Gap(Struct, frozen=True):
    """Something a probe could not see: why, and what it hides, as far as known.

    Attributes:
        reason: a sentence for people; no code reads it.
        keys: an entity to its value, as in `{"broker": 2}`: only what is about them is hidden, and reports can say what
            gaps and failing rows have in common. Without any, all that was asked for may be hidden.
        kind: why; what code decides by.
        connection: the kind of connection that was asked; empty if none was. Of what is declared unobserved, the
            connection or probe that is.
        at: the address that was asked, where the sentence names one beside a name.
        waited: seconds without an answer, where the sentence tells them.
        deadline: seconds of the deadline to give instead; 0 where another one would not do.
        right: what the system wants for it, where it refused.
        withheld: it was never seen because of a cause of an incident, and would be seen without.
        place: where the file that can't be read has what is wrong with it, as FILE:LINE:COLUMN; empty for no file.
    """

    reason: ReasonText
    keys: dict[str, str | int] = {}
    kind: GapKind = GapKind.INCOMPLETE
    connection: str = ""
    at: str = ""
    waited: float = 0.0
    deadline: float = 0.0
    right: str = ""
    withheld: bool = False
    place: str = ""

    @classmethod
    def of(cls, error: CannotLook, keys: Mapping[str, str | int] | None = None, says: str = "", at: str = "") -> "Gap":
        """The gap that an error leaves.

        Args:
            error: why.
            keys: what it is about.
            says: the whole sentence, where the error's own is a part of it.
            at: the address that was asked, where the error does not have it.
        """
        return cls(
            says or str(error),
            dict(keys or {}),
            error.kind,
            at=at or error.at,
            waited=error.waited,
            deadline=error.deadline,
            right=error.right,
        )

    @property
    def lack(self) -> SharedGap:
        """What it has in common with others that are told as one."""
        return SharedGap(self.reason, self.kind)


class _WhatAndWhy(Struct):
    """What of a gap its fact's digest is made of: facts that were kept before gaps had kinds keep theirs."""

    reason: ReasonText
    keys: dict[str, str | int]


class Observed(Struct):
    """What a probe or view returns: its rows, and what it could not see.

    With no gaps the fact is complete: the probe then has proof that it saw everything it was asked for.
    Where there are many rows they may come one by one, from a generator; they are gone through once.
    `inapplicable` is the reason why the question has no meaning there (a ZooKeeper question to a KRaft cluster).
    """

    rows: Iterable[Any] = ()  # of the one class that the probe or view declares: `tabulate` refuses any other
    gaps: list[Gap] = field(default_factory=list)
    inapplicable: str = ""


class Fact(Struct):
    """Rows, column by column, with their completeness and the time they were collected.

    Attributes:
        source: name of the probe or view.
        columns: column name -> one cell per row.
        gaps: what could not be seen; empty means complete.
        inapplicable: why the question has no meaning for this system; empty if it has.
        collected_at: RFC 3339 UTC, when the probe had finished.
        took_ms: wall time of the probe, milliseconds.
    """

    source: str
    columns: dict[str, list[Any]]
    gaps: list[Gap] = field(default_factory=list)
    inapplicable: str = ""
    collected_at: str = ""
    took_ms: int = 0

    @property
    def complete(self) -> bool:
        """Whether everything asked for was seen."""
        return not self.gaps

    def presence(self, *, found: object) -> bool | None:
        """Say whether something is there: what was not found is known to be absent only if all was seen."""
        return True if found else False if self.complete else None

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __bool__(self) -> bool:  # with rows or without; an empty one must not pass for none
        return True

    def rows(self, *names: str) -> Iterator[dict[str, Any]]:
        """Yield each row as a mapping from column name to cell, of these columns or else of all."""
        named = names or tuple(self.columns)
        rows = zip(*(self.columns[name] for name in named), strict=True)
        yield from map(dict, map(zip, repeat(named), rows))  # two thirds of what a loop takes, of 100,000 rows

    def digest(self) -> str:
        """SHA-256 over what was seen (not when or how fast): equal facts have equal digests."""
        gaps = [_WhatAndWhy(gap.reason, gap.keys) for gap in self.gaps]
        seen = [self.source, self.columns, gaps, self.inapplicable]
        return hashlib.sha256(msgspec.json.encode(seen, order="deterministic")).hexdigest()


def first_alike(columns: Sequence[Sequence[Any]]) -> list[int]:
    """For each row the first that has the same cells: the very objects, so that none is looked at.

    Equal cells of a large fact are mostly one object. What depends on these columns alone is worked out once for each
    row that is named; rows that are equal but not the same name different ones.
    """
    first: dict[tuple[int, ...], int] = {}
    return [*map(first.setdefault, zip(*(map(id, column) for column in columns), strict=True), count())]


def by_first_alike(columns: Sequence[Sequence[Any]], of: Iterable[Any]) -> Mapping[int, list[Any]]:
    """The first row of each kind → what stands in `of` beside all rows that are alike, as `first_alike` has them."""
    found: defaultdict[int, list[Any]] = defaultdict(list)
    for first, one in zip(first_alike(columns), of, strict=True):
        found[first].append(one)
    return found


def distinct(gaps: Iterable[Gap]) -> list[Gap]:
    """The gaps without repetitions: two facts may lack the same thing for the same reason."""
    seen = {(gap.reason, tuple(sorted(gap.keys.items()))): gap for gap in gaps}
    return list(seen.values())


def conform(fact: Fact, columns: Sequence[Column]) -> Fact:
    """A stored fact as its probe declares it today: what it was not asked for then is not known.

    Raises:
        Garbled: it is not rectangular, or a cell has another type than its column declares.
    """
    counts = {len(cells) for cells in fact.columns.values()}
    if len(counts) > 1:
        raise Garbled(f"the stored fact of {fact.source} has columns of different lengths")
    for column in columns:
        for value in misfits(column, fact.columns.get(column.name, ())):
            raise Garbled(
                f"the stored fact of {fact.source} has {value!r} for {column.name}, which is declared {column.type}"
            )
    if set(fact.columns) == {column.name for column in columns}:
        return fact
    unknown = [None] * len(fact)
    return replace(fact, columns={column.name: fact.columns.get(column.name, unknown) for column in columns})


def tabulate(source: str, columns: Sequence[Column], observed: Observed) -> Fact:
    """Turn observed rows into a fact, refusing cells that are not of their column's type.

    Raises:
        Garbled: rows are not of one class with these columns, or a cell has another type than its column declares.
    """
    table = _table(source, columns, observed.rows)
    for column in columns:
        for value in misfits(column, table[column.name]):
            raise Garbled(f"{source} gave {value!r} for {column.name}, which is declared {column.type}")
    return Fact(source=source, columns=table, gaps=list(observed.gaps), inapplicable=observed.inapplicable)


def _table(source: str, columns: Sequence[Column], observed: Iterable[Any]) -> dict[str, list[Any]]:
    """The columns. Rows are taken in by the thousand: those that are made as they are asked for don't add up."""
    table: dict[str, list[Any]] = {column.name: [] for column in columns}
    left, kinds = iter(observed), set()
    while rows := [*islice(left, _AT_ONCE)]:
        kinds |= set(map(type, rows))
        own = [kind for kind in kinds if issubclass(kind, Row) and {*kind.__struct_fields__} == {*table}]
        if len(kinds) > 1 or not own:
            raise Garbled(f"{source} gave rows of {', '.join(sorted(kind.__name__ for kind in kinds))}, not its own")
        fields = own[0].__struct_fields__
        for name, cells in zip(fields, zip(*map(astuple, rows), strict=True), strict=True):
            table[name].extend(cells)
    return table
