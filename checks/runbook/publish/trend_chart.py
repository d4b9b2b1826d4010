"""The weeks of an environment as a picture: score and raw score on the range that they take, gaps, changed checks."""

import io
import math
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from runbook.publish.scorecard_rows import Trend


class Palette(Struct, frozen=True):
    """Colours for one ground: text of at least 4.5:1 on it, lines and marks of at least 3:1."""

    text: str
    score: str
    raw: str
    mark: str


PALETTES = {
    "light": Palette(text="#3d3d3d", score="#1d4ed8", raw="#9a3412", mark="#6b21a8"),
    "dark": Palette(text="#d0d1d8", score="#93b4ff", raw="#fdba74", mark="#d8b4fe"),
}

SIZE = (8.0, 2.6)
"""Inches: legible on a phone, where it is drawn at half its size."""

STEP = 5
"""Points: ends of the range are multiples of it."""

LEAST_SPAN = 10
"""Points between bottom and top at least, here and in a sparkline: a change of one point is no cliff. Our judgement."""

TICKS = 8
"""At most so many weeks are named below the picture."""

SETTINGS: Any = {
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "runbook",  # the same numbers give the same bytes
    "font.family": ["sans-serif"],
    "font.size": 11,
    "path.simplify": True,
}


class TrendChart:
    """Draws trends; one for all of them, as making a canvas takes longest."""

    def __init__(self) -> None:
        from matplotlib import rc_context  # noqa: PLC0415 - takes half a second, and only a card with weeks needs it
        from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: PLC0415 - same
        from matplotlib.figure import Figure  # noqa: PLC0415 - same

        self._settings = rc_context
        self._figure = Figure(figsize=SIZE)
        FigureCanvasSVG(self._figure)

    def draw(self, trend: Trend, palette: Palette, *, generated: bool) -> str:
        """Draw a trend as an SVG document with a transparent ground, the same bytes for the same numbers."""
        written = io.StringIO()
        with self._settings(SETTINGS):
            self._figure.clear()
            axes = self._figure.add_axes((0.06, 0.2, 0.86, 0.62))
            _lines(axes, trend, palette)
            _axes(axes, trend, palette)
            if generated:
                self._figure.text(0.06, 0.93, "Generated, not measured", color=palette.text, weight="bold")
            self._figure.savefig(written, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
        return written.getvalue()


def _lines(axes: Any, trend: Trend, palette: Palette) -> None:
    weeks = range(len(trend.weeks))
    for begins, ends in gaps(trend.score):
        axes.axvspan(
            begins - 0.5, ends + 0.5, facecolor="none", edgecolor=palette.text, hatch="//", linewidth=0, alpha=0.35
        )
    _line(axes, trend.score_raw, color=palette.raw, linewidth=1.5, linestyle="--", label="without waivers")
    _line(axes, trend.score, color=palette.score, linewidth=2, label="score")
    changed = [week for week, redefined in zip(weeks, trend.redefined, strict=True) if redefined]
    for place, week in enumerate(changed):
        label = "definitions changed" if place == 0 else None
        axes.axvline(week - 0.5, color=palette.mark, linestyle=":", linewidth=1.5, label=label)
    last = max((week for week in weeks if trend.score[week] is not None), default=None)
    if last is not None:
        text = f" {trend.score[last]:g}"
        axes.text(last + 0.1, trend.score[last], text, color=palette.score, weight="bold", va="center", clip_on=False)


def gaps(scores: Sequence[float | None]) -> list[tuple[int, int]]:
    """The first and the last week of each stretch without a score, from the first score on."""
    found: list[tuple[int, int]] = []
    begun = next((week for week, score in enumerate(scores) if score is not None), len(scores))
    for week in range(begun, len(scores)):
        if scores[week] is None:
            begins = found.pop()[0] if found and found[-1][1] == week - 1 else week
            found.append((begins, week))
    return found


def scale(trend: Trend) -> tuple[int, int]:
    """The range that the scores take, in whole steps: it is said beside the picture, as it does not begin at 0."""
    known = [score for score in (*trend.score, *trend.score_raw) if score is not None]
    low = math.floor(min(known, default=0) / STEP) * STEP
    high = min(100, math.ceil(max(known, default=100) / STEP) * STEP)
    return max(0, min(low, high - LEAST_SPAN)), max(high, low + LEAST_SPAN)


def _line(axes: Any, values: Sequence[float | None], *, color: str, **style: Any) -> None:
    """Draw a line with gaps; a week between two gaps would be no line, and becomes a dot."""
    points = [math.nan if value is None else value for value in values]
    axes.plot(points, color=color, **style)
    around = [math.nan, *points, math.nan]
    alone = [
        week
        for week, value in enumerate(points)
        if not math.isnan(value) and math.isnan(around[week]) and math.isnan(around[week + 2])
    ]
    if alone:
        axes.plot(alone, [points[week] for week in alone], color=color, linestyle="none", marker=".")


def _axes(axes: Any, trend: Trend, palette: Palette) -> None:
    count = len(trend.weeks)
    named = range(count - 1, -1, -max(1, -(-count // TICKS)))
    low, high = scale(trend)
    axes.set_xlim(-0.5, max(count - 0.5, 0.5))
    axes.set_ylim(low, high + (high - low) * 0.04)
    ticks = (low, (low + high) / 2, high)
    axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_xticks(list(named), [trend.weeks[week] for week in named])
    axes.tick_params(colors=palette.text)
    axes.grid(visible=True, axis="y", color=palette.text, alpha=0.3, linewidth=0.5)
    for side, spine in axes.spines.items():
        spine.set_visible(side in {"left", "bottom"})
        spine.set_color(palette.text)
    axes.legend(
        loc="lower right", bbox_to_anchor=(1, 1), ncols=3, frameon=False, labelcolor=palette.text, borderaxespad=0.1
    )
