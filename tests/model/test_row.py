from typing import Annotated, ClassVar, Literal, NewType

import pytest

from runbook.model.column import Column
from runbook.model.errors import Garbled
from runbook.model.fact import Observed, tabulate
from runbook.model.quantity import BrokerId, Bytes, Milliseconds, Moment, Percent, ProcessId
from runbook.model.row import Cell, Row, columns_of


class Disk(Row):
    """A disk of a broker."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    host: Annotated[str | None, Cell("Its host.", entity="host")]
    free: Annotated[Bytes | None, Cell("Left.")]
    slowest: Annotated[Milliseconds, Cell("Slowest write.")]
    looked_at: Annotated[Moment, Cell("When.")]
    peers: Annotated[list[BrokerId], Cell("Others.")]
    state: Annotated[Literal["well", "ill"], Cell("How it is.")]
    labels: Annotated[dict[str, str], Cell("Labels.")]
    files: Annotated[int, Cell("Files on it.", unit="files")]


def test_a_rows_fields_are_its_columns() -> None:
    assert columns_of(Disk) == (
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("host", "string", "Its host.", entity="host"),
        Column("free", "int", "Left.", unit="bytes"),
        Column("slowest", "int", "Slowest write.", unit="ms"),
        Column("looked_at", "timestamp", "When."),
        Column("peers", "list[int]", "Others.", entity="broker"),
        Column("state", "string", "How it is."),
        Column("labels", "map[string]", "Labels."),
        Column("files", "int", "Files on it.", unit="files"),
    )


class Process(Row):
    """A process."""

    pid: Annotated[ProcessId, Cell("Its id.", key=True)]
    parent: Annotated[ProcessId, Cell("Who started it.")]
    cpu: Annotated[Percent, Cell("What it takes.")]
    limit: Annotated[Percent, Cell("What it may take.", moves=False)]
    files: Annotated[int, Cell("Files it has open.", moves=True)]
    name: Annotated[str, Cell("Name.")]


def test_a_type_says_what_moves_by_nature_and_a_cell_where_it_is_otherwise() -> None:
    assert [column.name for column in columns_of(Process) if column.moves] == ["cpu", "files"]
    assert [column.name for column in columns_of(Process) if column.renewed] == ["pid"]


class Pair(Row):
    """Two numbers."""

    first: Annotated[int, Cell("The first.")]
    second: Annotated[int, Cell("The second.")]


class Triple(Pair):
    """Three: the first two are another's."""

    third: Annotated[int | None, Cell("The third.")]


def test_a_row_is_built_by_keyword_alone_whoever_inherits_it() -> None:
    for row in (Pair, Triple):
        with pytest.raises(TypeError, match="positional"):
            row(1, 2)  # type: ignore[call-arg, misc]
    assert [column.name for column in columns_of(Triple)] == ["first", "second", "third"]


class OwnFirst(Pair):
    """Three: the last two are another's."""

    own_first: ClassVar[bool] = True
    whose: Annotated[str, Cell("Whose they are.")]


def test_a_row_may_have_its_own_columns_before_those_it_inherits() -> None:
    assert [column.name for column in columns_of(OwnFirst)] == ["whose", "first", "second"]
    fact = tabulate("p", columns_of(OwnFirst), Observed([OwnFirst(first=1, second=2, whose="a")]))
    assert fact.columns == {"whose": ["a"], "first": [1], "second": [2]}


def test_every_cell_comes_under_its_own_name() -> None:
    fact = tabulate("p", columns_of(Triple), Observed([Triple(third=3, second=2, first=1)]))
    assert fact.columns == {"first": [1], "second": [2], "third": [3]}


def test_another_probes_rows_are_refused() -> None:
    with pytest.raises(Garbled, match="p gave rows of Pair, not its own"):
        tabulate("p", columns_of(Triple), Observed([Pair(first=1, second=2)]))
    with pytest.raises(Garbled, match="rows of Pair, Triple"):
        tabulate("p", columns_of(Pair), Observed([Pair(first=1, second=2), Triple(first=1, second=2, third=3)]))


Unheard = NewType("Unheard", bytes)


class NoCell(Row):
    """Says nothing of its field."""

    a: int


class NoColumn(Row):
    """Has a type that no column has."""

    a: Annotated[Unheard, Cell("x")]


class Either(Row):
    """Has two types."""

    a: Annotated[int | str, Cell("x")]


class UnitTwice(Row):
    """Says what its type says."""

    a: Annotated[Bytes, Cell("x", unit="MB")]


class Nobody(Row):
    """Names what nobody knows."""

    a: Annotated[int, Cell("x", entity="brokre")]


class Unexplained(Row):
    """Is explained by a number."""

    a: Annotated[int | None, Cell("x", why="b")]
    b: Annotated[int, Cell("y")]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (NoCell, "NoCell.a has no Cell"),
        (NoColumn, "NoColumn.a has a type that no column has"),
        (Either, "Either.a has a type that no column has"),
        (UnitTwice, "UnitTwice.a names the unit that its type has already"),
        (Nobody, "Nobody.a names the entity 'brokre'"),
        (Unexplained, "Unexplained.a is explained by b, which is no text of the row"),
    ],
)
def test_a_row_that_says_too_little_or_too_much_is_refused(row: type[Row], why: str) -> None:
    with pytest.raises(TypeError, match=why):
        columns_of(row)
