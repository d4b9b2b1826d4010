"""Rows with names: what a probe or view gives, declared once and built by keyword.

A row is a class of its own, named as the probe or view in CamelCase. Each field says its type, what it means and,
where that is more than the type tells, its unit and the entity it names:

    class KafkaBroker(Row):
        broker: Annotated[BrokerId, Cell("Node id.", key=True)]
        rack: Annotated[str | None, Cell("broker.rack; empty when none is set.", entity="rack")]

A field whose type has None may be unknown; mypy holds that one without it never is.

A cell that stands somewhere in an answer says where, as `at("spec.storageClassName")` (`formats/declared.py`): `row_of`
then fills it, and only what is worked out is given by keyword.
"""

import types
from collections.abc import Callable
from functools import cache
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NewType,
    ParamSpec,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from msgspec import Struct, StructMeta

from runbook.model.column import ENTITIES, Column, ColumnType
from runbook.model.quantity import MEANINGS, Meaning, Moment


class Cell(Struct, frozen=True):
    """What a field of a row says of itself beside its type.

    Attributes:
        help: one sentence for authors.
        key: whether it is part of what names the row.
        entity: as in Column; only where the type does not say it.
        unit: as in Column; only where the type does not say it.
        why: as in Column: the field that says why this one is None.
        untold: as in Column.
        moves: as in Column; None: as its type says.
        written: where the answer has what the cell is worked out from, as `spec.storage`; findings point there.
    """

    help: str
    key: bool = False
    entity: str | None = None
    unit: str | None = None
    why: str | None = None
    untold: str = ""
    moves: bool | None = None
    written: str = ""


P = ParamSpec("P")
R = TypeVar("R")
Reader = Callable[[Any], Any]
"""From an answer to a cell."""


class CellSource(Struct, frozen=True):
    """Where the cell of a field stands in an answer; it is written as if it were the field's default.

    It is none: `row_of` reads the cell, and a row that is built without it is refused.
    """

    @property
    def setting(self) -> str:
        """The setting of the system that the cell is; "" if it is none."""
        return ""

    @property
    def path(self) -> tuple[str, ...]:
        """Where it stands, step by step; none if it is worked out of the whole answer."""
        return ()

    def reader(self, where: str, kind: Any) -> Reader:
        """What reads a cell of this type; `where` names the field in mistakes of the declaration."""
        raise NotImplementedError


class _ByKeyword(StructMeta):
    """Makes every row a record that is built by keyword alone: a swap of two cells then needs two wrong names."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any) -> Any:
        own = {field: value for field, value in namespace.items() if isinstance(value, CellSource)}
        rest = {field: value for field, value in namespace.items() if field not in own}
        sources = {field: value for base in bases for field, value in getattr(base, "__sources__", {}).items()}
        rest["__sources__"] = sources | own
        return super().__new__(mcs, name, bases, rest, kw_only=True, frozen=True, gc=False, **options)


@dataclass_transform(kw_only_default=True)
class Row(Struct, metaclass=_ByKeyword):
    """A row of a probe or view; each field is annotated with its type and its Cell.

    A row that inherits has its own columns behind those it inherits, or before them where it sets `own_first`.
    """

    own_first: ClassVar[bool] = False
    __sources__: ClassVar[dict[str, CellSource]]


def row_of(row: Callable[P, R], answer: Any, /, *args: P.args, **cells: P.kwargs) -> R:
    """A row out of an answer: the cells that it gives by keyword, and those whose fields say where they stand.

    Raises:
        Garbled: the answer has something else there.
    """
    read = {name: reader(answer) for name, reader in readers(row) if name not in cells}
    build: Callable[..., R] = row
    return build(*args, **read, **cells)


@cache
def readers(row: Any) -> tuple[tuple[str, Reader], ...]:
    """What reads the cells of a row whose fields say where they stand, by field.

    Raises:
        TypeError: a field has a type that can't be read from there, or makes up a value without saying why.
    """
    hints = get_type_hints(row)
    return tuple(
        (name, source.reader(f"{row.__name__}.{name}", hints[name])) for name, source in row.__sources__.items()
    )


@cache
def columns_of(row: type[Row]) -> tuple[Column, ...]:
    """The columns that a row's fields declare, in their order.

    Raises:
        TypeError: a field has no Cell, a type that no column has, says again what its type says, or is explained by
            what is no text.
    """
    hints = get_type_hints(row, include_extras=True)
    names: tuple[str, ...] = row.__struct_fields__
    if row.own_first:
        names = tuple(sorted(names, key=lambda name: name not in row.__annotations__))
    columns = tuple(_column(f"{row.__name__}.{name}", name, hints[name], row.__sources__.get(name)) for name in names)
    texts = {column.name for column in columns if column.type == "string"}
    for column in columns:
        if column.why is not None and column.why not in texts:
            raise TypeError(f"{row.__name__}.{column.name} is explained by {column.why}, which is no text of the row")
    return columns


def _column(where: str, name: str, hint: Any, source: CellSource | None) -> Column:
    cells = [extra for extra in getattr(hint, "__metadata__", ()) if isinstance(extra, Cell)]
    if get_origin(hint) is not Annotated or len(cells) != 1:
        raise TypeError(f"{where} has no Cell: write `{name}: Annotated[TYPE, Cell(…)]`")
    [cell] = cells
    kind = get_args(hint)[0]
    meaning = MEANINGS.get(_element(known(kind)), Meaning())
    for of in ("unit", "entity"):
        if getattr(cell, of) and getattr(meaning, of):
            raise TypeError(f"{where} names the {of} that its type has already")
    entity = cell.entity or meaning.entity
    if entity is not None and entity not in ENTITIES:
        raise TypeError(f"{where} names the entity {entity!r}, which is unknown; one of {', '.join(ENTITIES)}")
    return Column(
        name=name,
        type=column_type(where, kind),
        help=cell.help,
        key=cell.key,
        entity=entity,
        unit=cell.unit or meaning.unit,
        why=cell.why,
        untold=cell.untold,
        moves=meaning.moves if cell.moves is None else cell.moves,
        renewed=meaning.renewed and cell.key,
        setting=source.setting if source else "",
    )


def known(kind: Any) -> Any:
    """A type without its None."""
    if get_origin(kind) in (Union, types.UnionType):
        rest = [argument for argument in get_args(kind) if argument is not types.NoneType]
        return rest[0] if len(rest) == 1 else kind
    return kind


def _element(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is list else kind


_SCALARS: dict[Any, ColumnType] = {int: "int", float: "float", str: "string", bool: "bool"}
_LISTS: dict[Any, ColumnType] = {int: "list[int]", str: "list[string]"}


def column_type(where: str, kind: Any) -> ColumnType:
    """The type of a column whose field has this type, or this type and None.

    Raises:
        TypeError: no column has it.
    """
    kind = known(kind)
    if kind is Moment:
        return "timestamp"
    if get_origin(kind) is list and (found := _LISTS.get(_plain(get_args(kind)[0]))):
        return found
    if get_origin(kind) is dict and get_args(kind) == (str, str):
        return "map[string]"
    if found := _SCALARS.get(_plain(kind)):
        return found
    raise TypeError(f"{where} has a type that no column has: {kind}")


def _plain(kind: Any) -> Any:
    """The type that values have at run time."""
    while isinstance(kind, NewType):
        kind = kind.__supertype__
    if get_origin(kind) is Literal and all(isinstance(value, str) for value in get_args(kind)):
        return str
    return kind
