"""What a view declares.

A view is one file in `views/`, named as the view. It holds `VIEW`, a `View`, and a function
`compute(*, **inputs, **parameters) -> Observed`: pure, so that it can be computed whenever results are judged.
"""

from collections.abc import Mapping

from msgspec import Struct

from runbook.model.column import Column
from runbook.model.field_types import Site
from runbook.model.parameter import Parameter
from runbook.model.row import Row, columns_of


class Input(Struct, frozen=True):
    """A fact that a view takes.

    Attributes:
        kind: the probe or view that gives it.
        columns: those that the view reads. By them alone a built-in view takes facts of users' own probes and views.
        needs: those of them without which nothing can be said: where one cell is unknown, as in a bundle from before
            the column was there, nothing is computed. What an unknown cell of another column means is for `compute` to
            say.
        also: other probes and views that may give it.
        at: of a view over a link: the environment that it is about.
        tells: whether the view tells itself of what the fact lacks, by cells or gaps of its own: for want of it, it
            lacks nothing. What any other input lacks, the view lacks.
    """

    kind: str
    columns: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    at: Site | None = None
    tells: bool = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """Every probe and view that may give it."""
        return (self.kind, *self.also)


class View(Struct, frozen=True):
    """A function from facts to a fact.

    Attributes:
        help: one sentence: what a row is.
        row: its rows' class, whose fields are the columns.
        inputs: the facts it takes, by the names that runbooks bind in `of:` and that `compute` has for them.
        version: raised when the same facts give other rows.
        parameters: what `with:` may say.
        leaves_out: what of its first input, the one that it says something of, has no row by design; "" where all has
            one. What has none for want of knowledge is a gap instead.
    """

    help: str
    row: type[Row]
    inputs: Mapping[str, Input]
    version: int = 1
    leaves_out: str = ""
    parameters: dict[str, Parameter] = {}

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of its rows."""
        return columns_of(self.row)
