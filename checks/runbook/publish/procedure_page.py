"""Procedures: as a card in their runbook, and each as a page of its own that prints as a checklist."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from markupsafe import Markup

from runbook.model.block import Procedure
from runbook.parse.runbook import LocatedBlock, Runbook
from runbook.publish import prose
from runbook.publish.decision_tree import check_place
from runbook.publish.page import UNSEARCHED, Page, fragment, title
from runbook.publish.sources import cited


def procedure_card(placed: LocatedBlock) -> Markup:
    """Render a procedure for the page of its runbook."""
    sources = [cited(text) for text in placed.block.sources]
    values = _values(placed, "") | {"sources": sources, "place": _file(placed) + ".html"}
    return fragment("procedure.html", **values)


def checklists(runbook: Runbook) -> Iterator[Page]:
    """Make the checklist of every procedure of a runbook. The search leads to the runbook, not here."""
    for placed in runbook.placed():
        if not isinstance(placed.block, Procedure):
            continue
        values = _values(placed, "../")
        head = fragment("checklist_head.html", **values, runbook=runbook)
        steps = fragment("checklist.html", **values)
        text = f"{UNSEARCHED}{title(placed.block.title)}\n\n{head}\n\n{steps}\n"
        yield Page(f"runbooks/procedures/{_file(placed)}.md", text)


def _values(placed: LocatedBlock, up: str) -> dict[str, Any]:
    own = f"{placed.runbook}.html" if up else ""

    def place(check: str) -> str:
        return f"{up}{check_place(check)}" if "/" in check else f"{up}{own}#{check}"

    written = {"md": partial(prose.html, up=up, own=own), "line": partial(prose.inline, up=up, own=own)}
    return {"block": placed.block, "name": placed.name, "ref": place, **written}


def _file(placed: LocatedBlock) -> str:
    return f"{placed.runbook}--{placed.block.id}"
