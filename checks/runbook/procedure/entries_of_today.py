"""What is on the record of a walk under old names of checks, under the present ones: the walk goes on with these."""

from collections.abc import Iterable, Mapping

from msgspec import structs

from runbook.procedure.walk_record import Entry, Judged, Overruled


def entries_of_today(entries: Iterable[Entry], names: Mapping[str, str]) -> list[Entry]:
    """Entries in which checks have their present names; the record itself stays as it was written."""
    return [_of_today(entry, names) for entry in entries]


def _of_today(entry: Entry, names: Mapping[str, str]) -> Entry:
    match entry:
        case Judged():
            seen = [structs.replace(one, check=names.get(one.check, one.check)) for one in entry.seen]
            return structs.replace(entry, seen=seen)
        case Overruled():
            return structs.replace(entry, checks=[names.get(check, check) for check in entry.checks])
    return entry
