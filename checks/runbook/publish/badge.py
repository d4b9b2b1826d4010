"""A small picture of an environment's score, to be shown on pages elsewhere."""

from runbook.publish.page import STATUS, fragment
from runbook.publish.scorecard_rows import Score

LETTER = 7
"""Width of a letter in pixels, rounded up, of a sans-serif font of 11 pixels."""

LONGEST = 40
"""Letters of a name that are shown; the rest is in the title."""

COLOURS = {"pass": "#14532d", "fail": "#8f1218", "unknown": "#5c4300", "waived": "#5b21a6"}
"""Grounds for white letters, each with a contrast of more than 7:1; others are grey."""

GREY = "#454545"


def badge(environment: str, score: Score | None, *, silent: str = "", generated: bool) -> str:
    """Draw the badge as an SVG: the name, then shape, word, score and week, and whether it was generated.

    A picture knows no clock: its week says how old it is, wherever it hangs.

    Args:
        environment: its name.
        score: of all runbooks, in the week shown; None where nothing was due or came.
        silent: since when it is silent, in words; empty where it is not.
        generated: whether its results were made up.
    """
    status = score.shown if score else "none"
    shown = STATUS[status]
    number = f" {score.score:g}" if score and score.status == "scored" and score.score is not None else ""
    said = f"silent, {silent}" if silent else shown.word
    if score and status == "unobserved":
        said = f"{score.observed} of {score.applies} observed"
    week = f" · {score.week}" if score else ""
    value = f"{shown.shape} {said}{number}{week}{' (generated, not measured)' if generated else ''}"
    name = environment if len(environment) <= LONGEST else f"{environment[: LONGEST - 1]}…"
    drawn = fragment(
        "badge.svg",
        name=name,
        value=value,
        whole=f"{environment}: {value}",
        left=len(name) * LETTER + 12,
        right=len(value) * LETTER + 12,
        colour=COLOURS.get(status, GREY),
    )
    return f"{drawn}\n"
