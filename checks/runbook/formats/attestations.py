"""The file of attestations: what a person looked at because no machine can, signed off until a day."""

import datetime as dt
from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta, Struct

from runbook.model.errors import Garbled, Invalid, Problem
from runbook.parse.schema import convert
from runbook.parse.yaml_document import Document, read_yaml

LONGEST = dt.timedelta(days=366)
"""How long a sign-off may hold. Our judgement: what nobody looked at for a year is not known any more."""

Text = Annotated[str, Meta(min_length=3, max_length=2000)]
Date = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description="as 2026-12-31, in UTC")]
Id = Annotated[
    str, Meta(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", max_length=100, description="lower-case words joined by hyphens")
]


class Attestation(Struct, frozen=True, forbid_unknown_fields=True):
    """One sign-off. It holds to the end of the day `expires`, in UTC.

    Attributes:
        id: what checks ask for.
        statement: what is so, in a sentence.
        by: who saw it.
        at: the day on which.
        evidence: a link, or a text, by which somebody else can see it too.
        expires: the last day on which it holds; a year after `at` at most.
    """

    id: Id
    statement: Text
    by: Annotated[str, Meta(min_length=1, max_length=200)]
    at: Date
    evidence: Text
    expires: Date

    def begins(self) -> dt.datetime:
        """When the day on which it was signed begins."""
        return _midnight(self.at)

    def ends(self) -> dt.datetime:
        """When it holds no more."""
        return _midnight(self.expires) + dt.timedelta(days=1)


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    attestations: list[Attestation]


def parse_attestations(text: str, file: str) -> list[Attestation]:
    """Read the file.

    Raises:
        Garbled: it has mistakes; with every one of them, its place and what to write instead.
    """
    try:
        document = read_yaml(text, file)
        found = convert(document, _File, "the file of attestations").attestations
    except Invalid as invalid:
        raise _mistakes(list(invalid.problems)) from None
    problems = [problem for at, attestation in enumerate(found) for problem in _dates(at, attestation, document)]
    ids = [attestation.id for attestation in found]
    for at, name in enumerate(ids):
        if name in ids[:at]:
            place = document.place(("attestations", at, "id"))
            problems.append(Problem(place, f"{name} is signed off twice", "keep the newer entry"))
    if problems:
        raise _mistakes(problems)
    return found


def _mistakes(problems: list[Problem]) -> Garbled:
    return Garbled(
        "; ".join(
            f"{problem.place} {problem.message}{f' ({problem.remedy})' if problem.remedy else ''}"
            for problem in problems
        )
    )


def _dates(at: int, one: Attestation, document: Document) -> Iterator[Problem]:
    known = True
    for field, day in (("at", one.at), ("expires", one.expires)):
        try:
            dt.date.fromisoformat(day)
        except ValueError:
            known = False
            yield Problem(document.place(("attestations", at, field)), f"{day} is no date", "write it as 2026-12-31")
    if not known:
        return
    place = document.place(("attestations", at, "expires"))
    signed = dt.date.fromisoformat(one.at)
    if one.expires < one.at:
        yield Problem(place, f"{one.id} expires before it was signed off", "write the last day on which it holds")
    elif dt.date.fromisoformat(one.expires) - signed > LONGEST:
        remedy = f"{signed + LONGEST} is the last day it may hold"
        yield Problem(place, f"{one.id} is to hold for more than {LONGEST.days} days", remedy)


def _midnight(day: str) -> dt.datetime:
    return dt.datetime.combine(dt.date.fromisoformat(day), dt.time(), dt.UTC)
