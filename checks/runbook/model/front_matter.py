"""The head of a runbook."""

from typing import Annotated

from msgspec import Meta, Struct, field

from runbook.model.field_types import Sentence


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """One version of a runbook.

    Attributes:
        version: as in 1.2.0.
        date: as in 2026-01-31.
        note: what it changed, for whoever has waivers and parameters of its checks.
    """

    version: Annotated[str, Meta(pattern=r"^[0-9]+\.[0-9]+\.[0-9]+$", description="three numbers", examples=["0.1.0"])]
    date: Annotated[str, Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$", examples=["2026-01-31"])]
    note: Sentence


class FrontMatter(Struct, frozen=True, forbid_unknown_fields=True):
    """The head of a runbook.

    Attributes:
        title: of the runbook.
        version: of this file.
        changes: what each version of it changed, the newest first.
        summary: what it is for, in a few sentences.
        alerts: names of alert rules that lead to it.
        errors: error texts that lead to it.
        tags: words by which it is found.
        extends: the built-in runbook whose place this file takes, with what it adds and amends.
    """

    title: Sentence
    version: Annotated[str, Meta(pattern=r"^[0-9]+\.[0-9]+\.[0-9]+$", description="three numbers", examples=["0.1.0"])]
    changes: Annotated[list[Change], Meta(min_length=1)]
    summary: str = ""
    alerts: list[str] = []
    errors: list[str] = []
    tags: list[str] = field(default_factory=list)
    extends: str = ""
