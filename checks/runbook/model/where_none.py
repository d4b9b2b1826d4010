"""What it means for a check that there is nothing to judge."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from runbook.model.field_types import Sentence


class WhereNone(Struct, frozen=True, forbid_unknown_fields=True):
    """What it means for a check that there is nothing to judge: no authorizer, no registry, no row.

    Attributes:
        outcome: fail, or not_applicable, which is meant where nothing is said.
        message: why, as the reason of the result.
    """

    outcome: Literal["fail", "not_applicable"]
    message: Annotated[Sentence, Meta(description="what it means that there is none, as the reason of the result")]
