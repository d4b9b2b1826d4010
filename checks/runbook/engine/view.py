"""What a view declares.

A view is one file in `views/`, named as the view. It holds `VIEW`, a `View`, and a function
`compute(*facts, **parameters) -> Observed`: pure, so that it can be computed whenever results are judged.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import force_setattr

from runbook.engine.column import Column
from runbook.engine.parameter import Parameter
from runbook.engine.row import Row, columns_of


class View(Struct, frozen=True):
    """A function from facts to a fact.

    Attributes:
        help: one sentence: what a row is.
        row: its rows' class, whose fields are the columns.
        of: for each input, in order, the columns it must have.
        needs: for each input, in order, those of them without which nothing can be said: where one cell is unknown, as
            in a bundle from before the column was there, nothing is computed. What an unknown cell of another column
            means is for `compute` to say.
        version: raised when the same facts give other rows.
        parameters: what `with:` may say.
    """

    help: str
    of: tuple[Sequence[str], ...]
    needs: tuple[Sequence[str], ...] = ()
    version: int = 1
    parameters: dict[str, Parameter] = {}
    row: type[Row] = Row
    columns: tuple[Column, ...] = ()

    def __post_init__(self) -> None:
        if self.row is not Row:
            force_setattr(self, "columns", columns_of(self.row))
