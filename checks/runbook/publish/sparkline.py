"""A line of some weeks as small as a word: where it goes, not what it is."""

from collections.abc import Sequence

from markupsafe import Markup

from runbook.publish.page import inert
from runbook.publish.trend_chart import LEAST_SPAN

WEEKS = 12
WIDTH, HEIGHT = 96, 24
_EDGE = 3


def sparkline(scores: Sequence[float | None]) -> Markup:
    """The last weeks of these scores as SVG, each on its own scale; weeks without a score are gaps. Empty below two."""
    shown = list(scores)[-WEEKS:]
    known = [score for score in shown if score is not None]
    if len(known) < 2:  # noqa: PLR2004 - one point has no direction
        return Markup("")
    low = min(*known, 100 - LEAST_SPAN, max(known) - LEAST_SPAN)
    high = max(*known, low + LEAST_SPAN)
    points = [
        None if score is None else (_x(place, len(shown)), _y(score, low, high)) for place, score in enumerate(shown)
    ]
    said = f"{len(shown)} weeks: {known[0]:g} to {known[-1]:g}, lowest {min(known):g}"
    last = next(point for point in reversed(points) if point)
    shape = Markup(
        '<svg class="rb-spark" role="img" aria-label="{}" viewBox="0 0 {} {}" width="{}" height="{}">'
        '<path d="{}"/><circle cx="{}" cy="{}" r="2.2"/></svg>'
    )
    return shape.format(inert(said), WIDTH, HEIGHT, WIDTH, HEIGHT, _path(points), *last)


def _x(place: int, count: int) -> float:
    return round(_EDGE + place * (WIDTH - 2 * _EDGE) / max(1, count - 1), 1)


def _y(score: float, low: float, high: float) -> float:
    return round(HEIGHT - _EDGE - (score - low) / (high - low) * (HEIGHT - 2 * _EDGE), 1)


def _path(points: Sequence[tuple[float, float] | None]) -> str:
    """Lines between weeks that follow each other; a week between two gaps is a dot."""
    drawn, before = [], False
    for point in points:
        if point:
            drawn.append(f"{'L' if before else 'M'}{point[0]:g} {point[1]:g}" + ("" if before else "h.1"))
        before = point is not None
    return "".join(drawn)
