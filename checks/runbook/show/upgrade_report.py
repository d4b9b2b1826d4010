"""What `runbook upgrade` says, for people and for programs."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from runbook.judge.summary import counted
from runbook.safety.sanitize import sanitize, sanitize_json
from runbook.upgrade.accepted import RECORD, Accepted
from runbook.upgrade.check_changes import CheckChange, Touched
from runbook.upgrade.dropped_fields import Dropped
from runbook.upgrade.named_inputs import Renamed
from runbook.upgrade.renamed_blocks import RenamedBlock

Rewriting = Renamed | Dropped | RenamedBlock
_SIGNS: Final = {"new": "+", "gone": "-", "renamed": ">", "changed": "~"}


def rewritten_as_json(renamed: Sequence[Rewriting], own: Sequence[Touched]) -> str:
    """What was rewritten, and what has to be mended by hand, for programs."""
    return sanitize_json(_rewritten_fields(renamed) | {"yours": msgspec.to_builtins(own)})


def rewritten_as_text(renamed: Sequence[Rewriting], own: Sequence[Touched]) -> str:
    """The same for people."""
    lines = [*_rewritten(renamed), *_yours(own)] or ["nothing had to be rewritten"]
    return "\n".join(map(sanitize, lines)).rstrip("\n")


def _rewritten_fields(renamed: Sequence[Rewriting]) -> dict[str, Any]:
    what = [_what(one) for one in renamed]
    places = [{"file": one.place.file, "line": one.place.line} for one in renamed]
    return {"rewritten": [place | said for place, said in zip(places, what, strict=True)]}


def _what(one: Rewriting) -> dict[str, Any]:
    match one:
        case Renamed():
            return {"of": one.of}
        case RenamedBlock():
            return {"was": one.was, "now": one.now}
    return {"dropped": one.field}


def _rewritten(renamed: Sequence[Rewriting]) -> Iterator[str]:
    if renamed:
        yield "Rewritten, as this version reads it. Look at it, and commit it:"
        yield from (f"  {one}" for one in renamed)
        yield ""


def as_json(
    before: Accepted | None,
    now: Accepted,
    found: Sequence[CheckChange],
    own: Sequence[Touched],
    renamed: Sequence[Rewriting],
) -> str:
    """Everything, for programs."""
    versions = {name: book.version for name, book in now.runbooks.items()}
    accepted = None if before is None else {name: book.version for name, book in before.runbooks.items()}
    return sanitize_json(
        {
            "tool": now.tool,
            "accepted_tool": before.tool if before else None,
            "runbooks": versions,
            "accepted_runbooks": accepted,
            "changes": msgspec.to_builtins(found),
            "yours": msgspec.to_builtins(own),
        }
        | _rewritten_fields(renamed)
    )


def as_text(
    before: Accepted | None,
    now: Accepted,
    found: Sequence[CheckChange],
    own: Sequence[Touched],
    renamed: Sequence[Rewriting],
) -> str:
    """For people: what is yours first, as that is what is to be done."""
    lines = [*_rewritten(renamed), *_yours(own), *_built_in(before, now, found)]
    return "\n".join(sanitize(line) for line in lines)


def _yours(own: Sequence[Touched]) -> Iterator[str]:
    for title, broken in (("To mend:", True), ("To look at:", False)):
        listed = [touched for touched in own if touched.broken is broken]
        if listed:
            yield title
            for touched in listed:
                yield f"  {touched.where}: {touched.check}"
                yield f"      {touched.says}"
            yield ""


def _built_in(before: Accepted | None, now: Accepted, found: Sequence[CheckChange]) -> Iterator[str]:
    if before is None:
        yield f"nothing was accepted yet: runbook upgrade --accept records these built-in runbooks in {RECORD}"
        return
    if not found:
        yield f"no built-in check differs from what was accepted with {before.tool}"
        return
    for name in sorted({change.check.partition("/")[0] for change in found}):
        of_it = [change for change in found if change.check.startswith(f"{name}/")]
        was, is_ = (side.runbooks[name].version if name in side.runbooks else "none" for side in (before, now))
        yield f"{name} {was} -> {is_}: {counted(len(of_it), 'check')} differ{'s' if len(of_it) == 1 else ''}"
        for change in of_it:
            what = f" is called {change.now} now" if change.now else ""
            said = "; ".join(change.what) or change.title
            yield f"  {_SIGNS[change.kind]} {change.severity:8} {change.check}{what}"
            yield f"      {said}"
    yield ""
    yield f"+ new, - gone, > renamed, ~ changed. runbook upgrade --accept records this as accepted in {RECORD}"
