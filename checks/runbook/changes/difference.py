"""What two looks differ in, as records: plain enough to be shown, and to be written as JSON."""

from typing import Any, Literal

from msgspec import Struct

Kind = Literal["went", "came", "changed"]


class CellChange(Struct, frozen=True, gc=False):
    """A cell that is another than it was.

    Attributes:
        column: its column.
        item: of a map, the key that is meant; "" otherwise.
        before: what it was; of a map's item that was not there, None. Not of a list.
        after: what it is, likewise.
        removed: of a list, what it has no more, in its order. The order of a list is no part of it.
        added: of a list, what it had not.
    """

    column: str
    item: str = ""
    before: Any = None
    after: Any = None
    removed: tuple[Any, ...] = ()
    added: tuple[Any, ...] = ()


class RowChange(Struct, frozen=True, gc=False):
    """A row that is in one look only, or another than it was.

    Attributes:
        kind: whether it went, came or changed.
        keys: what names it: key column to value.
        cells: what changed in it; empty unless it changed.
    """

    kind: Kind
    keys: dict[str, Any]
    cells: tuple[CellChange, ...] = ()


class Unseen(Struct, frozen=True):
    """What may have changed or not, as one of the looks did not see it.

    Attributes:
        probe: whose rows.
        look: which look did not see it, as `old` or `new`.
        reason: why.
        rows: of how many rows this is so; 0 where none is known that it hides.
        columns: of which of their columns; empty where whole rows are meant.
        asked: whether that look asked for it at all.
    """

    probe: str
    look: Literal["old", "new"]
    reason: str
    rows: int
    columns: tuple[str, ...] = ()
    asked: bool = True


class EntityChange(Struct, frozen=True):
    """The same change of one entity, or of several.

    Attributes:
        kind: whether they went, came or changed.
        entity: what kind of entity it is that changed, as columns name it; "" for none that has a name.
        probe: whose rows say so.
        subjects: the keys of each, key column to value.
        cells: what changed in each of them alike.
        within: probe to how many rows went or came with them, as the partitions of a topic do.
    """

    kind: Kind
    entity: str
    probe: str
    subjects: tuple[dict[str, Any], ...]
    cells: tuple[CellChange, ...] = ()
    within: dict[str, int] = {}


class Comparison(Struct):
    """One environment at two times.

    Attributes:
        environment: its name.
        old: when the first look was, RFC 3339 UTC.
        new: when the second was.
        changes: what changed, the most telling first.
        unseen: what may have changed and was not seen twice, most rows first.
        rows: how many rows both looks saw.
        neither: how many of their cells neither look knew.
        left_out: how many changes of what moves by nature were left out.
        blind: where neither look saw anything of what both were asked, the reason that each gives most often, by look.
    """

    environment: str
    old: str
    new: str
    changes: list[EntityChange]
    unseen: list[Unseen]
    rows: int = 0
    neither: int = 0
    left_out: int = 0
    blind: dict[Literal["old", "new"], str] = {}
