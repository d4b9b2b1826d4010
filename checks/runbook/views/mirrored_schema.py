"""The schemas of a source's registry beside those of the target's: records carry the source's ids along."""

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
)


def compute(source: Fact, target: Fact, /) -> Observed:
    """Pair two schema_version facts. What is not seen is absent only if all of the target's registry was seen."""
    there = {(row["subject"], row["version"]): row["schema"] for row in target.rows()}
    meanings = {row["id"]: row["schema"] for row in target.rows()}
    rows = []
    for one in source.rows():
        key = (one["subject"], one["version"])
        present = True if key in there else False if target.complete else None
        rows.append(
            (*key, one["id"], present, there[key] == one["schema"] if present else None, _means(one, meanings, target))
        )
    return Observed(rows=rows)


def _means(one: dict[str, object], meanings: dict[object, object], target: Fact) -> str | None:
    if one["id"] not in meanings:
        return "nothing" if target.complete else None
    return "this schema" if meanings[one["id"]] == one["schema"] else "another"
