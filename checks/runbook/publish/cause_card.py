"""Causes and effects as cards of their runbook's page."""

import re

from markupsafe import Markup

from runbook.model.block import Cause, Effect
from runbook.parse.runbook import LocatedBlock
from runbook.publish import prose
from runbook.publish.decision_tree import check_place
from runbook.publish.observed_facts import looks
from runbook.publish.page import fragment
from runbook.publish.sources import cited
from runbook.publish.without_cause import without_cause

_VALUE = re.compile(r"\{[^{}]+\}")
_WHATEVER = "…"  # stands for what only facts can tell


def cause_card(placed: LocatedBlock, cause: Cause) -> Markup:
    """Render a cause: what is said where it holds, what to do, and how it is told."""
    return fragment(
        "cause.html",
        block=cause,
        name=placed.name,
        says=prose.inline(without_values(cause.says)),
        first=prose.html(without_values(cause.first)),
        avoid=prose.inline(without_values(cause.avoid)),
        procedure_place=check_place(cause.procedure),
        place=check_place,
        without=[prose.inline(sentence) for sentence in without_cause(cause)],
        looks=looks(cause),
        sources=[cited(text) for text in cause.sources],
    )


def effect_card(placed: LocatedBlock, effect: Effect) -> Markup:
    """Render an effect: the sentences that stand beside a cause."""
    tells = [
        {"label": statement.label, "says": prose.inline(without_values(statement.says))} for statement in effect.tells
    ]
    return fragment("effect.html", name=placed.name, tells=tells)


def without_values(text: str) -> str:
    """A sentence of a cause without the values that a run puts in."""
    return _VALUE.sub(_WHATEVER, text)
