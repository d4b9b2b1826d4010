"""Procedures: the card of each, which prints as a checklist, and the addresses that such checklists had."""

from collections.abc import Iterator

from markupsafe import Markup

from runbook.model.block import Procedure
from runbook.parse.runbook import LocatedBlock, Runbook
from runbook.publish import prose
from runbook.publish.page import Page, fragment
from runbook.publish.site_paths import beside
from runbook.publish.sources import cited


def procedure_card(placed: LocatedBlock) -> Markup:
    """Render a procedure."""
    return fragment(
        "procedure.html",
        block=placed.block,
        name=placed.name,
        place=beside,
        md=prose.of_block(placed.runbook),
        line=prose.of_block(placed.runbook, prose.inline),
        sources=[cited(text) for text in placed.block.sources],
    )


def moved_checklists(runbook: Runbook) -> Iterator[Page]:
    """Files at the addresses that the checklists of procedures once had: each leads to the page of its procedure."""
    for placed in runbook.placed():
        if isinstance(placed.block, Procedure):
            text = fragment("moved.html", title=placed.block.title, href=f"../{placed.name}.html")
            yield Page(f"runbooks/procedures/{placed.runbook}--{placed.block.id}.html", f"{text}\n")
