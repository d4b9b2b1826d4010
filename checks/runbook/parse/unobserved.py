"""What an environment declares unobserved: it exists, and until some day nobody looks at it; with who decided that."""

import datetime as dt
import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from runbook.model.errors import Problem
from runbook.parse.yaml_document import Document, Path

LONGEST: Final = dt.timedelta(days=366)  # our judgement: whoever does not look decides so anew at least once a year

ALWAYS_THERE: Final = {"ssh": "hosts", "jolokia": "JVMs", "files": "files of brokers and clients"}
"""Kind of connection → what it tells of and every cluster has, so that `absent` can't be true of it."""

Date = Annotated[
    str,
    Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description="as 2026-12-31, in UTC", examples=["2026-12-31"]),
]


class Unobserved(Struct, frozen=True, forbid_unknown_fields=True):
    """A connection, or a probe, that exists and is not looked at for now; under `unobserved:` of an environment.

    Attributes:
        because: why it is not observed.
        owner: who decided that, and answers for it.
        until: the last day on which it holds, to its end in UTC, as 2026-12-31; 366 days ahead at most.
    """

    because: Annotated[str, Meta(min_length=3, description="why it is not observed", examples=["no access yet"])]
    owner: Annotated[str, Meta(min_length=1, description="who decided that", examples=["team-x"])]
    until: Date

    def ended(self, now: dt.datetime) -> bool:
        """Whether it no longer holds; what older inventories call absent has no end."""
        return bool(self.until) and now.date() > dt.date.fromisoformat(self.until)

    @property
    def says(self) -> str:
        """Why, by whom and until when."""
        return f"{self.because} ({self.owner}, until {self.until})" if self.owner else self.because


def called_absent(absent: Mapping[str, str]) -> dict[str, Unobserved]:
    """What is called absent and always exists: nobody looks at it, and there is neither an owner nor an end."""
    return {kind: Unobserved(why, "", "") for kind, why in absent.items() if kind in ALWAYS_THERE}


def said_of_absent(absent: Mapping[str, str]) -> str:
    """That what is called absent always exists, what that means, and what rewrites it; "" where nothing is."""
    called = [*called_absent(absent)]
    if not called:
        return ""
    exist = ", ".join(ALWAYS_THERE[kind] for kind in called)
    return (
        f"absent: {', '.join(called)} reads as unobserved, as every cluster has {exist}: runbook upgrade --owner TEAM "
        "rewrites it so, with who decided that and until when"
    )


def wrong_ends(
    unobserved: Mapping[str, Unobserved], path: Path, document: Document, today: dt.date
) -> Iterator[Problem]:
    """Ends that are no dates, or too far away."""
    for name, one in unobserved.items():
        place: Path = (*path, "unobserved", name, "until")
        if not document.is_lost(place):
            yield from wrong_date(one.until, document, place, today, LONGEST, "what is not observed stays so")


def wrong_date(
    text: str, document: Document, path: Path, today: dt.date, longest: dt.timedelta, what: str
) -> Iterator[Problem]:
    """What is wrong with the day on which something ends."""
    try:
        ends = dt.date.fromisoformat(text)
    except ValueError:
        yield Problem(document.place(path), f"{text} is no date", "write it as 2026-12-31")
        return
    if ends - today > longest:
        message = f"{what} {longest.days} days at most"
        yield Problem(document.place(path), message, f"{today + longest} is the latest date today")


def shape(entry: Any, document: Document, path: Path) -> Iterator[tuple[str, Problem]]:
    """Each name below which a reason stands alone, as it does under `absent`, with what to write."""
    listed = [entry] if isinstance(entry, str) else entry if isinstance(entry, list) else []
    given = entry if isinstance(entry, dict) else {str(name): None for name in listed}
    for name, said in given.items():
        if isinstance(said, str) or said is None:
            because = json.dumps(said, ensure_ascii=False) if said else "no access yet"
            remedy = f"write {name}: {{because: {because}, owner: TEAM, until: 2026-12-31}}"
            place = document.place((*path, name) if isinstance(entry, dict) else path)
            yield name, Problem(place, f"unobserved.{name} needs a reason, an owner and an end", remedy)
