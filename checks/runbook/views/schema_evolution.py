"""Whether the versions of each subject fit together as its level of compatibility promises, over the whole history."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._schemas import COLUMNS, Version, Versions
from schema_compat import Parsed, SchemaError, UndecidedSchema, incompatibilities, unreserved


class SchemaEvolution(Row):
    """A version that has earlier ones."""

    subject: Annotated[str, Cell("The subject.", key=True, entity="subject")]
    version: Annotated[int, Cell("Number of the version.", key=True)]
    previous: Annotated[int, Cell("Number of the version before it.")]
    level: Annotated[str | None, Cell("Level of compatibility in force for the subject now.")]
    breaks: Annotated[list[str] | None, Cell("What that level does not allow, with the earlier version it is about.")]
    unreadable: Annotated[list[int] | None, Cell("Earlier versions whose records a reader of this one can't read.")]
    stranded: Annotated[list[int] | None, Cell("Earlier versions whose readers can't read records of this one.")]
    why_unreadable: Annotated[list[str] | None, Cell("What of the version before can't be read, if it is among those.")]
    why_stranded: Annotated[list[str] | None, Cell("What readers of the version before can't read, if among those.")]
    added: Annotated[list[str] | None, Cell("Fields that the version before does not have.")]
    removed: Annotated[list[str] | None, Cell("Fields that only the version before has.")]
    retyped: Annotated[list[str] | None, Cell("Fields of another type than before, as in `id: long, before: string`.")]
    unreserved: Annotated[list[str] | None, Cell("Protobuf numbers and names that went without being reserved.")]


VIEW = View(
    help="One row per version that has earlier ones: whether it fits to them.",
    row=SchemaEvolution,
    leaves_out="first versions, which have none before them",
    inputs={
        "version": Input("schema_version", columns=COLUMNS, needs=("references", "schema", "type")),
        "subject": Input("schema_subject", columns=("subject", "compatibility")),
    },
    version=2,
)

_BACKWARD = ("BACKWARD", "FULL")
_FORWARD = ("FORWARD", "FULL")
_TRANSITIVE = "_TRANSITIVE"


def compute(*, version: Fact, subject: Fact) -> Observed:
    """Work it out from schema_version and schema_subject."""
    versions = Versions(version)
    levels = dict(zip(subject.columns["subject"], subject.columns["compatibility"], strict=True))
    rows: list[SchemaEvolution] = []
    gaps: list[Gap] = []
    for name, history in versions.by_subject():
        for number, later in enumerate(history[1:], 1):
            row, why = _row(versions, later, history[:number], levels.get(name))
            rows.append(row)
            if why:
                gaps.append(Gap(f"version {later.version} of subject {name}: {why}", {"subject": name}))
    return Observed(rows=rows, gaps=gaps)


def _row(
    versions: Versions, one: Version, earlier: Sequence[Version], level: str | None
) -> tuple[SchemaEvolution, str]:
    """The row of a version, and why it could not be judged, "" if it could."""
    before = earlier[-1].version
    try:
        new = versions.parsed(one)
        olds = {each.version: versions.parsed(each) for each in earlier}
        unreadable = {number: _misread(new, old) for number, old in olds.items()}
        stranded = {number: _misread(old, new) for number, old in olds.items()}
        changes = _changes(new, olds[before])
        row = SchemaEvolution(
            subject=one.subject,
            version=one.version,
            previous=before,
            level=level,
            breaks=None if level is None else _breaks(level, unreadable, stranded, before),
            unreadable=[number for number, why in unreadable.items() if why],
            stranded=[number for number, why in stranded.items() if why],
            why_unreadable=unreadable[before],
            why_stranded=stranded[before],
            added=changes.added,
            removed=changes.removed,
            retyped=changes.retyped,
            unreserved=unreserved(new, olds[before]),
        )
    except (SchemaError, UndecidedSchema) as error:
        return _undecided(one, before, level), str(error)
    return row, ""


def _undecided(one: Version, before: int, level: str | None) -> SchemaEvolution:
    return SchemaEvolution(
        subject=one.subject,
        version=one.version,
        previous=before,
        level=level,
        breaks=None,
        unreadable=None,
        stranded=None,
        why_unreadable=None,
        why_stranded=None,
        added=None,
        removed=None,
        retyped=None,
        unreserved=None,
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


class _Changes(NamedTuple):
    added: list[str]
    removed: list[str]
    retyped: list[str]


def _changes(new: Parsed, old: Parsed) -> _Changes:
    now, then = ({field.path: field.type for field in schema.fields()} for schema in (new, old))
    return _Changes(
        added=[path for path in now if path not in then],
        removed=[path for path in then if path not in now],
        retyped=[
            f"{path}: {now[path]}, before: {then[path]}" for path in now if then.get(path, now[path]) != now[path]
        ],
    )
