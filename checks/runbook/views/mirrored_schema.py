"""The schemas of a source's registry beside those of the target's: records carry the source's ids along."""

from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View

_ASKED = ("subject", "version", "id", "schema")

VIEW = View(
    help="One row per version of a subject of the source's registry.",
    columns=(
        Column("subject", "string", "The subject, with its context.", key=True, entity="subject"),
        Column("version", "int", "Number of the version.", key=True),
        Column("id", "int", "The schema's id, which mirrored records carry too."),
        Column("present", "bool", "Whether the target's registry has that version of that subject."),
        Column("same_text", "bool", "Whether its text is the same there."),
        Column("meaning", "string", "What the id stands for there: this schema, another, or nothing."),
    ),
    of=(_ASKED, _ASKED),
    version=2,
)


def compute(source: Fact, target: Fact, /) -> Observed:
    """Pair two schema_version facts. What is not seen is absent only if all of the target's registry was seen."""
    there = {(row["subject"], row["version"]): row["schema"] for row in target.rows()}
    meanings = {row["id"]: row["schema"] for row in target.rows() if row["id"] is not None}
    ids_known = target.complete and None not in target.columns["id"]
    rows = []
    for one in source.rows():
        key = (one["subject"], one["version"])
        present = True if key in there else False if target.complete else None
        same = _alike(there[key], one["schema"]) if present else None
        rows.append((*key, one["id"], present, same, _means(one, meanings, ids_known=ids_known)))
    return Observed(rows=rows)


def _alike(there: str | None, here: str | None) -> bool | None:
    return None if there is None or here is None else there == here


def _means(one: dict[str, Any], meanings: dict[int, str | None], *, ids_known: bool) -> str | None:
    if one["id"] is None:
        return None
    if one["id"] not in meanings:
        return "nothing" if ids_known else None
    return {True: "this schema", False: "another", None: None}[_alike(meanings[one["id"]], one["schema"])]
