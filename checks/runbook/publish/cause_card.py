"""Causes and effects as cards of their pages."""

import re
from collections.abc import Iterable, Iterator, Mapping

from markupsafe import Markup

from runbook.model.block import Cause, Diagnostic, Effect, whole_name
from runbook.parse.runbook import LocatedBlock
from runbook.publish import prose
from runbook.publish.observed_facts import looks
from runbook.publish.page import fragment
from runbook.publish.site_paths import beside
from runbook.publish.sources import cited
from runbook.publish.without_cause import without_cause
from runbook.publish.without_values import without_values

FEWEST = 4  # words; our judgement: "broker … …" says nothing


def cause_card(placed: LocatedBlock, cause: Cause, blocks: Mapping[str, LocatedBlock]) -> Markup:
    """Render a cause: what is seen, how it is told, what to do step by step, and when it is over.

    Args:
        placed: where it stands.
        cause: the block itself.
        blocks: every block of all published runbooks, by its global name: for symptoms and the procedure.
    """
    md, line = prose.of_block(placed.runbook), prose.of_block(placed.runbook, prose.inline)
    procedure = blocks.get(whole_name(cause.procedure, placed.runbook)) if cause.procedure else None
    return fragment(
        "cause.html",
        block=cause,
        name=placed.name,
        runbook=placed.runbook,
        says=[line(sentence) for sentence in _telling([cause.says])],
        seen=list(_seen(placed.name, blocks.values())),
        proof=[line(sentence) for sentence in _telling(cause.proof)],
        first=md(without_values(cause.first)),
        procedure=procedure and procedure.block,
        steps_of=procedure and procedure.runbook,
        avoid=line(without_values(cause.avoid)),
        place=beside,
        md=md,
        line=line,
        without=[line(sentence) for sentence in without_cause(cause)],
        looks=looks(cause),
        sources=[cited(text) for text in cause.sources],
    )


def _telling(sentences: Iterable[str]) -> Iterator[str]:
    """Sentences of a cause without their values, but for those of which too little is left."""
    for sentence in map(without_values, sentences):
        if len(re.findall(r"[a-z]{2,}", sentence)) >= FEWEST:
            yield sentence


def _seen(name: str, blocks: Iterable[LocatedBlock]) -> Iterator[LocatedBlock]:
    """The symptoms that may have this cause."""
    for placed in blocks:
        if isinstance(placed.block, Diagnostic):
            held = (whole_name(cause.holds, placed.runbook) for cause in placed.block.causes if cause.holds)
            if name in held:
                yield placed


def effect_card(placed: LocatedBlock, effect: Effect) -> Markup:
    """Render an effect: the sentences that stand beside a cause."""
    tells = [
        {"label": statement.label, "says": prose.inline(without_values(statement.says))} for statement in effect.tells
    ]
    return fragment("effect.html", name=placed.name, tells=tells)
