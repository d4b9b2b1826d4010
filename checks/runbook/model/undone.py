"""What a cause says that facts would be without it: fields of its block."""

from typing import Any, Literal

from msgspec import Struct

from runbook.model.field_types import Expression, Name, Site


class RowsUndone(Struct, frozen=True, forbid_unknown_fields=True):
    """What becomes of rows of one probe without the cause; of rows that `where` leaves out, nothing.

    Expressions see each row as it was seen, as `row.column`, and what the cause found as `fact.column`: the list of
    that column's values in the rows of which the cause holds. Where one can't be decided, the cell is unknown.

    Attributes:
        probe: whose facts are meant.
        where: only rows for which this is true, such as `row.host in disk.host`; all of them without it.
        set: column -> its value then; a text in braces, such as `"{row.end}"`, is an expression that gives it.
        unknown: columns of which nobody can tell what they would be; `all` for those that are not set, but for keys.
        drop: the rows are gone.
    """

    probe: Name
    where: Expression | None = None
    set: dict[Name, Any] = {}
    unknown: list[Name] | Literal["all"] = []
    drop: bool = False


class Undone(Struct, frozen=True, forbid_unknown_fields=True, rename={"with_": "with"}):
    """What facts would be without the cause: by `rows`, or by a recovery where several facts hang together.

    Attributes:
        rows: what becomes of rows; all others stay as they are.
        unknown: with `rows`: probes of which only the keys are still known, as the cause may change their facts, too.
        recovery: the name of a recovery, in place of `rows`.
        with_: what the recovery is given; a value `fact.column` stands for the cells of that column in the rows that
            hold.
        at: of a cause over a link: whose facts it sets, of the environment that is mirrored or of the one it leads to.
    """

    rows: list[RowsUndone] = []
    unknown: list[Name] = []
    recovery: Name | None = None
    with_: dict[str, Any] = {}
    at: Site | None = None
