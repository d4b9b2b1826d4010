"""Walks of procedures as they were carried out on real systems: kept in `tests/walks`, told by a page of the docs."""

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from msgspec import Struct

from runbook.model import moment
from runbook.model.block import Procedure
from runbook.parse.old_names import with_first_names
from runbook.procedure.walk_record import Begun, Record
from support.built_in import all_built_in
from support.numbered_records import Ledger

FOLDER = Path(__file__).parents[1] / "walks"
WHY = FOLDER / "not_noticed.yaml"
"""Procedure → step that nothing notices when it is left out → why nothing can, or need not."""
NOT_LIVE = "not live"
"""In `where`, of a walk of which a part was replayed: it counts as none that was walked on a real system."""
KEEP = "RUNBOOK_KEEP_WALKS"
"""Name of the environment's variable with which tests keep what they have walked."""


class Counted(Struct, frozen=True):
    """What became of numbered records while a procedure was walked."""

    acknowledged: int
    lost: int
    doubled: int


class KeptWalk(Struct, kw_only=True):
    """One walk of a procedure.

    Attributes:
        way: `right`, or how it was walked wrong.
        where: on which of the lab's shapes, or how else.
        day: on which it was walked.
        seconds: from its beginning to its end; 0 where nobody took the time.
        text: digest of what its commands and gates said then.
        noticed: number of a step that was left out → what noticed it; "" if nothing.
        records: those that a writer numbered and a reader worked on meanwhile.
        times: how many walks this tells of, with their sums.
        note: what else is to be said of it.
    """

    way: str
    where: str
    day: str
    seconds: float
    text: str
    noticed: dict[int, str] = {}
    records: Counted | None = None
    times: int = 1
    note: str = ""


Keep = Callable[..., None]
"""Keeps a walk, if that is asked for: its record, how it was walked, what noticed a step, and the records counted.

A step that nothing noticed when it was left out, and of which nobody says why, fails the test.
"""


def procedures() -> dict[str, Procedure]:
    """Every procedure of the built-in runbooks, as dr/fail-over."""
    return {f"{book.name}/{procedure.id}": procedure for book in all_built_in() for procedure in book.procedures()}


def text_of(name: str, procedure: Procedure) -> str:
    """A digest of what is carried out: the commands and the gates by their first names, not the words around them."""
    named = with_first_names(procedure, name.partition("/")[0], all_built_in())
    assert isinstance(named, Procedure)
    procedure = named
    parts: Sequence[Any] = [
        procedure.before,
        procedure.after,
        *chain.from_iterable((step.command, step.verify) for step in procedure.steps),
    ]
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:12]


def kept(name: str) -> list[KeptWalk]:
    """The walks of a procedure that are kept."""
    file = FOLDER / f"{name}.json"
    return msgspec.json.decode(file.read_bytes(), type=list[KeptWalk]) if file.exists() else []


def keep(name: str, walk: KeptWalk) -> None:
    """Keep one, in the place of an earlier one of the same way."""
    file = FOLDER / f"{name}.json"
    others = [kept_walk for kept_walk in kept(name) if (kept_walk.way, kept_walk.where) != (walk.way, walk.where)]
    file.parent.mkdir(parents=True, exist_ok=True)
    walks = sorted([*others, walk], key=lambda walk_: (walk_.way != "right", walk_.way, walk_.where))
    file.write_bytes(msgspec.json.format(msgspec.json.encode(walks), indent=1) + b"\n")


def walk_of(record: Record, where: str, way: str = "right") -> tuple[str, KeptWalk]:
    """The name of a procedure and the walk that its record tells of."""
    begun, last = record.entries[0], record.entries[-1]
    assert isinstance(begun, Begun)
    name = begun.procedure
    seconds = (moment.read(last.at) - moment.read(begun.at)).total_seconds()
    text = text_of(name, procedures()[name])
    return name, KeptWalk(way=way, where=where, day=begun.at[:10], seconds=round(seconds, 1), text=text)


def why_unnoticed() -> dict[str, dict[int, str]]:
    """Why nothing notices that a step is left out."""
    found: dict[str, dict[int, str]] = yaml.safe_load(WHY.read_text("utf-8"))
    return found


def unexplained(name: str, noticed: Mapping[int, str]) -> set[int]:
    """The steps of a procedure that nothing noticed when they were left out, and of which nobody says why."""
    return {step for step, by in noticed.items() if not by} - why_unnoticed().get(name, {}).keys()


def counted(ledger: Ledger) -> Counted:
    """What a ledger says now."""
    return Counted(len(ledger.acknowledged), len(ledger.lost), len(ledger.doubled))


@pytest.fixture
def keeps() -> Keep:
    """Keep what was walked, where the environment asks for it."""

    def kept_too(
        record: Record,
        where: str,
        way: str = "right",
        noticed: Mapping[int, str] | None = None,
        ledger: Ledger | None = None,
    ) -> None:
        name, walk = walk_of(record, where, way)
        walk.noticed = dict(noticed or {})
        walk.records = counted(ledger) if ledger else None
        if os.environ.get(KEEP):
            keep(name, walk)
        assert unexplained(name, walk.noticed) == set(), f"{name}: {WHY.name} does not say why nothing noticed them"

    return kept_too
