"""The schemas of a source's registry beside those of the target's: records carry the source's ids along."""

from typing import Annotated, Any

from runbook.formats.subjects import context_of
from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_ASKED = ("subject", "version", "id", "schema")


class MirroredSchema(Row):
    """A version of a subject of the source's registry."""

    subject: Annotated[str, Cell("The subject, with its context.", key=True, entity="subject")]
    version: Annotated[int, Cell("Number of the version.", key=True)]
    id: Annotated[int, Cell("The schema's id, which mirrored records carry too.")]
    present: Annotated[bool | None, Cell("Whether the target's registry has that version of that subject.")]
    same_text: Annotated[bool | None, Cell("Whether its text is the same there.")]
    meaning: Annotated[str | None, Cell("What the id stands for there: this schema, another, or nothing.")]


VIEW = View(
    help="One row per version of a subject of the source's registry.",
    row=MirroredSchema,
    inputs={
        "source": Input("schema_version", columns=_ASKED, at="source"),
        "target": Input("schema_version", columns=_ASKED, at="target"),
    },
    version=3,
)


def compute(*, source: Fact, target: Fact) -> Observed:
    """Pair two schema_version facts. What is not seen is absent only if all of the target's registry was seen."""
    there = {(row["subject"], row["version"]): row["schema"] for row in target.rows()}
    known = [row for row in target.rows() if row["id"] is not None]
    # Each context of a registry counts its own ids: of one id, that of the same context holds.
    anywhere = {row["id"]: row["schema"] for row in known}
    inside = {(context_of(row["subject"]), row["id"]): row["schema"] for row in known}
    ids_known = target.complete and None not in target.columns["id"]
    rows = []
    for row in source.rows():
        key = (row["subject"], row["version"])
        present = target.presence(found=key in there)
        same = _alike(there[key], row["schema"]) if present else None
        rows.append(
            MirroredSchema(
                subject=row["subject"],
                version=row["version"],
                id=row["id"],
                present=present,
                same_text=same,
                meaning=_means(row, inside, anywhere, ids_known=ids_known),
            )
        )
    return Observed(rows=rows)


def _alike(there: str | None, here: str | None) -> bool | None:
    return None if there is None or here is None else there == here


def _means(
    one: dict[str, Any],
    inside: dict[tuple[str, int], str | None],
    anywhere: dict[int, str | None],
    *,
    ids_known: bool,
) -> str | None:
    number = one["id"]
    if number is None:
        return None
    if number not in anywhere:
        return "nothing" if ids_known else None
    told = inside.get((context_of(one["subject"]), number), anywhere[number])
    return {True: "this schema", False: "another", None: None}[_alike(told, one["schema"])]
