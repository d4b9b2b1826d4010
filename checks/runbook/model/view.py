"""What a view declares.

A view is one file in `views/`, named as the view. It holds `VIEW`, a `View`, and a function
`compute(*facts, **parameters) -> Observed`: pure, so that it can be computed whenever results are judged.
"""

from collections.abc import Sequence

from msgspec import Struct

from runbook.model.column import Column
from runbook.model.parameter import Parameter
from runbook.model.row import Row, columns_of


class View(Struct, frozen=True):
    """A function from facts to a fact.

    Attributes:
        help: one sentence: what a row is.
        row: its rows' class, whose fields are the columns.
        of: for each input, in order, the columns it must have.
        needs: for each input, in order, those of them without which nothing can be said: where one cell is unknown, as
            in a bundle from before the column was there, nothing is computed. What an unknown cell of another column
            means is for `compute` to say.
        tells: the inputs, by their place, of whose gaps the view tells itself, by cells or gaps of its own: for want of
            them it lacks nothing. What any other input lacks, the view lacks.
        version: raised when the same facts give other rows.
        parameters: what `with:` may say.
    """

    help: str
    row: type[Row]
    of: tuple[Sequence[str], ...]
    needs: tuple[Sequence[str], ...] = ()
    tells: tuple[int, ...] = ()
    version: int = 1
    parameters: dict[str, Parameter] = {}

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of its rows."""
        return columns_of(self.row)
