"""When a check has a meaning."""

from typing import Annotated

from msgspec import Meta, Struct

from runbook.model.field_types import Expression, Name


class Applicability(Struct, frozen=True, forbid_unknown_fields=True):
    """When a check has a meaning: else it is not applicable.

    Attributes:
        each: the fact whose rows are looked at.
        that: the expression that must be true of every row.
        otherwise: the reason that is given where it does not apply.
    """

    each: Name
    that: Expression
    otherwise: Annotated[str, Meta(min_length=3, description="the reason given where it does not apply")]
