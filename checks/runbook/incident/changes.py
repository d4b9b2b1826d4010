"""What changed in an incident: by kept looks one after the other, each compared with the same one from before it."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from runbook.changes.difference import CellChange, EntityChange
from runbook.incident.record import ObservationSince


class _Place(NamedTuple):
    """What can change by itself: a cell of an entity, or that it is there at all.

    Attributes:
        probe: whose rows say so.
        keys: what names the entity.
        what: the column; of an entity that went or came, which of both.
        item: of a map, the key that is meant.
    """

    probe: str
    keys: frozenset[tuple[str, str]]
    what: str
    item: str


_Told = tuple[EntityChange, CellChange | None]


class SeenChange(Struct, frozen=True):
    """A change when a look saw it first, or no more.

    Attributes:
        at: when the look was, RFC 3339 UTC.
        change: what had changed.
        back: it is again as it was before.
    """

    at: str
    change: EntityChange
    back: bool = False


def seen_changes(looks: Sequence[ObservationSince]) -> list[SeenChange]:
    """What each look saw that was not told yet, and what it saw to be as before again.

    A look that did not ask for something, or lacks a part of it, says nothing of what was told of that.
    """
    told: list[SeenChange] = []
    standing: dict[_Place, _Told] = {}
    for look in looks:
        at, now = look.found.new, _by_place(look.found.changes)
        fresh = [place for place, (_, cell) in now.items() if place not in standing or standing[place][1] != cell]
        told += [SeenChange(at, change) for change in _whole(fresh, now)]
        seen = look.probes - {one.probe for one in look.found.unseen}
        ended = [place for place in standing if place not in now and place.probe in seen]
        told += [SeenChange(at, change, back=True) for change in _parts(ended, standing)]
        standing = {place: found for place, found in standing.items() if place not in ended} | now
    return told


def _by_place(changes: Sequence[EntityChange]) -> dict[_Place, _Told]:
    """Each cell that changed, and each row that went or came, with the change that tells of it."""
    return {
        _place(change, subject, cell): (change, cell)
        for change in changes
        for subject in change.subjects
        for cell in change.cells or (None,)
    }


def _place(change: EntityChange, subject: Mapping[str, Any], cell: CellChange | None) -> _Place:
    keys = frozenset((key, repr(value)) for key, value in subject.items())
    return _Place(change.probe, keys, cell.column if cell else change.kind, cell.item if cell else "")


def _whole(places: Sequence[_Place], found: Mapping[_Place, _Told]) -> list[EntityChange]:
    """The changes to which the places belong, each once."""
    return list({id(change): change for change, _ in (found[place] for place in places)}.values())


def _parts(places: Sequence[_Place], found: Mapping[_Place, _Told]) -> list[EntityChange]:
    """Of each of these changes the entities and the cells to which the places belong."""
    return [
        replace(
            change,
            subjects=tuple(
                subject
                for subject in change.subjects
                if any(_place(change, subject, cell) in places for cell in change.cells or (None,))
            ),
            cells=tuple(
                cell
                for cell in change.cells
                if any(_place(change, subject, cell) in places for subject in change.subjects)
            ),
            within={},
        )
        for change in _whole(places, found)
    ]
