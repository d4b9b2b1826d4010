"""Whether the versions of each subject fit together as its level of compatibility promises, over the whole history."""

from collections.abc import Iterator, Sequence
from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Gap, Observed
from runbook.engine.view import View
from runbook.formats.schemas import Parsed, SchemaError, Undecided, incompatibilities, unreserved
from runbook.views._schemas import COLUMNS, Version, Versions

VIEW = View(
    help="One row per version that has earlier ones: whether it fits to them.",
    columns=(
        Column("subject", "string", "The subject.", key=True, entity="subject"),
        Column("version", "int", "Number of the version.", key=True),
        Column("previous", "int", "Number of the version before it."),
        Column("level", "string", "Level of compatibility in force for the subject now."),
        Column("breaks", "list[string]", "What that level does not allow, with the earlier version it is about."),
        Column("unreadable", "list[int]", "Earlier versions whose records a reader of this one can't read."),
        Column("stranded", "list[int]", "Earlier versions whose readers can't read records of this one."),
        Column("why_unreadable", "list[string]", "What of the version before can't be read, if it is among those."),
        Column("why_stranded", "list[string]", "What readers of the version before can't read, if among those."),
        Column("added", "list[string]", "Fields that the version before does not have."),
        Column("removed", "list[string]", "Fields that only the version before has."),
        Column("retyped", "list[string]", "Fields of another type than before, as in `id: long, before: string`."),
        Column("unreserved", "list[string]", "Protobuf numbers and names that went without being reserved."),
    ),
    of=(COLUMNS, ("subject", "compatibility")),
    needs=(("references", "schema", "type"),),
    version=2,
)

_BACKWARD = ("BACKWARD", "FULL")
_FORWARD = ("FORWARD", "FULL")
_TRANSITIVE = "_TRANSITIVE"


def compute(version: Fact, subject: Fact, /) -> Observed:
    """Work it out from schema_version and schema_subject."""
    versions = Versions(version)
    levels = dict(zip(subject.columns["subject"], subject.columns["compatibility"], strict=True))
    made = Observed(rows=[])
    rows: list[tuple[Any, ...]] = []
    for name, history in versions.by_subject():
        for row, why in _rows(versions, history, levels.get(name)):
            rows.append(row)
            made.gaps += [Gap(f"version {row[1]} of subject {name}: {why}", {"subject": name})] if why else []
    made.rows = rows
    return made


def _rows(versions: Versions, history: Sequence[Version], level: str | None) -> Iterator[tuple[tuple[Any, ...], str]]:
    """A row for each version but the first, and why it could not be judged, "" if it could."""
    for number, one in enumerate(history[1:], 1):
        earlier = history[:number]
        whose = (one.subject, one.version, earlier[-1].version, level)
        try:
            yield (*whose, *_judged(versions, one, earlier, level)), ""
        except (SchemaError, Undecided) as error:
            yield (*whose, *[None] * 9), str(error)


def _judged(versions: Versions, one: Version, earlier: Sequence[Version], level: str | None) -> tuple[Any, ...]:
    new = versions.parsed(one)
    olds = {each.version: versions.parsed(each) for each in earlier}
    last = olds[earlier[-1].version]
    unreadable = {number: _misread(new, old) for number, old in olds.items()}
    stranded = {number: _misread(old, new) for number, old in olds.items()}
    before = earlier[-1].version
    return (
        None if level is None else _breaks(level, unreadable, stranded, before),
        [number for number, why in unreadable.items() if why],
        [number for number, why in stranded.items() if why],
        unreadable[before],
        stranded[before],
        *_changes(new, last),
        unreserved(new, last),
    )


def _misread(reader: Parsed, writer: Parsed) -> list[str]:
    """What a reader can't read; another type of schema can't be read at all."""
    if reader.kind != writer.kind:
        return [f"the schema is {reader.kind}, the records were written with {writer.kind}"]
    return incompatibilities(reader, writer)


def _breaks(level: str, unreadable: dict[int, list[str]], stranded: dict[int, list[str]], before: int) -> list[str]:
    plain = level.removesuffix(_TRANSITIVE)
    against = list(unreadable) if level.endswith(_TRANSITIVE) else [before]
    found = []
    if plain in _BACKWARD:
        found += [f"can't read version {number}: {why}" for number in against for why in unreadable[number]]
    if plain in _FORWARD:
        found += [f"version {number} can't read it: {why}" for number in against for why in stranded[number]]
    return found


def _changes(new: Parsed, old: Parsed) -> tuple[list[str], list[str], list[str]]:
    now, then = ({one.path: one.type for one in schema.fields()} for schema in (new, old))
    return (
        [path for path in now if path not in then],
        [path for path in then if path not in now],
        [f"{path}: {now[path]}, before: {then[path]}" for path in now if path in then and now[path] != then[path]],
    )
