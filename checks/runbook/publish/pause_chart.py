"""Stops over time against the session timeout as a picture: static SVG with a text alternative, on either ground.

The facts are those of the probes jvm_gc_pause and kafka_broker_config, from a bundle or just collected.
"""

import datetime as dt
import html
import importlib
import io
import re
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from runbook.judge.summary import counted
from runbook.model import moment
from runbook.model.fact import Fact
from runbook.publish.trend_chart import SETTINGS, Palette

SIZE = (8.0, 3.0)
"""Inches."""

_LEAST: Final = 1.0
"""Milliseconds as which a stop is drawn whose length is not known at all; the axis is logarithmic."""

_NOT_ALL: Final = "Not all could be seen"

_BEFORE_SVG: Final = re.compile(r"^.*?(?=<svg)|<metadata>.*?</metadata>", re.DOTALL)


class _Point(Struct, frozen=True):
    broker: int
    ended: dt.datetime
    ms: float
    kind: str | None
    failed: bool | None
    what: str
    unended: bool


class PauseChart(Struct, frozen=True):
    """A picture: `svg` to put into a page or a file, `words` for those who do not see it (also within the SVG)."""

    svg: str
    words: str


def draw_pauses(pauses: Fact, config: Fact, palette: Palette) -> PauseChart:
    """Draw the stops of all brokers, each as a mark at the moment it ended, and the timeouts as lines.

    Stops that do not say when they were, or how long, are counted in the words and not drawn.

    Args:
        pauses: the fact of jvm_gc_pause.
        config: the fact of kafka_broker_config; its session timeouts are drawn.
        palette: colours for the ground it will stand on.
    """
    timeouts = {row["broker"]: row["session_timeout"] for row in config.rows() if row["session_timeout"] is not None}
    rows = list(pauses.rows())
    points = [_point(row) for row in rows if row["ended"] is not None and row["length"] is not None]
    scopes = {row["scope"] for row in rows if row.get("scope")}
    words = _words(points, timeouts, scopes, undated=len(rows) - len(points), complete=pauses.complete)
    note = "" if pauses.complete else _NOT_ALL
    return PauseChart(_svg(points, sorted(set(timeouts.values())), palette, words, note), words)


def _point(row: dict[str, Any]) -> _Point:
    return _Point(
        broker=row["broker"],
        ended=moment.read(row["ended"]),
        ms=row["length"],
        kind=row["kind"],
        failed=row["evacuation_failed"],
        what=row.get("what") or "",
        unended=bool(row.get("unended")),
    )


def _words(
    points: Sequence[_Point], timeouts: dict[int, int], scopes: set[str], *, undated: int, complete: bool
) -> str:
    """What the picture says."""
    said = [_summary(points, timeouts)] if points else []
    if undated:
        verb = "does not say when it was" if undated == 1 else "do not say when they were"
        said.append(f"{f'{undated} more' if points else counted(undated, 'long stop')} {verb}, or how long.")
    if not said:
        said.append("No long stop is in the logs." if complete else "No long stop was seen.")
    said += [f"{text[:1].upper()}{text[1:]}." for text in sorted(scopes)]
    if not complete:
        said.append(f"{_NOT_ALL}.")
    return " ".join(said)


def _summary(points: Sequence[_Point], timeouts: dict[int, int]) -> str:
    longest = max(points, key=lambda point: point.ms)
    first, last = (pick(point.ended for point in points) for pick in (min, max))
    over = [point for point in points if point.ms >= timeouts.get(point.broker, float("inf"))]
    full = sum(point.kind == "full" for point in points)
    doubt = _unsure(sum(point.kind is None for point in points))
    what = f": {longest.what}" if longest.what else ""
    length, how = f"{longest.ms:.0f} ms", "ended"
    if longest.unended:
        length, how = f"at least {length}" if longest.ms >= _LEAST else "of unknown length", "stood"
    count = f"{len(points)} long stop{'' if len(points) == 1 else 's'}"
    timeout = timeouts.get(longest.broker)
    against = "" if timeout is None else f"; its session timeout is {timeout} ms"
    return (
        f"{count} from {first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M} UTC, {full} of them full "
        f"collections{doubt}. The longest, {length}, {how} on broker {longest.broker} at "
        f"{longest.ended:%H:%M:%S}{what}{against}. {_outlasted(points, timeouts, len(over))}"
    )


def _outlasted(points: Sequence[_Point], timeouts: dict[int, int], over: int) -> str:
    """How many were longer than a session: not known without a timeout, nor of a shorter stop without an end."""
    unsure = sum(point.broker not in timeouts for point in points)
    unsure += sum(point.unended and point.ms < timeouts.get(point.broker, 0) for point in points)
    if unsure == len(points):
        return "Whether one outlasted the session of its broker is not known."
    return f"{over or 'None'} outlasted the session of its broker{_unsure(unsure)}."


def _unsure(count: int) -> str:
    return f" (not known of {count})" if count else ""


def _svg(points: Sequence[_Point], timeouts: Sequence[int], palette: Palette, words: str, note: str) -> str:
    from matplotlib import rc_context  # noqa: PLC0415 - takes half a second, and only this picture needs it
    from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: PLC0415 - same
    from matplotlib.figure import Figure  # noqa: PLC0415 - same

    written = io.StringIO()
    with rc_context(SETTINGS | {"svg.hashsalt": words}):  # two pictures of a page never share an id
        figure = Figure(figsize=SIZE)
        FigureCanvasSVG(figure)
        axes = figure.add_axes((0.12, 0.18, 0.86, 0.67))
        _marks(axes, points, palette)
        for timeout in timeouts:
            axes.axhline(
                timeout, color=palette.mark, linestyle="--", linewidth=1.5, label=f"session timeout {timeout} ms"
            )
        _frame(axes, palette)
        figure.text(0.12, 0.01, note, color=palette.text, weight="bold")
        figure.savefig(written, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    label = f'<svg role="img" aria-label="{html.escape(words)}"'
    return _BEFORE_SVG.sub("", written.getvalue()).replace("<svg", label, 1)


def _marks(axes: Any, points: Sequence[_Point], palette: Palette) -> None:
    """Draw the marks: shape and word say the kind, colour only repeats it."""
    full = [point for point in points if point.kind == "full"]
    failed = [point for point in points if point.failed and point.kind != "full"]
    others = [point for point in points if point.kind != "full" and not point.failed]
    safepoints = [point for point in others if point.kind == "safepoint"]
    known = [point for point in others if None not in (point.kind, point.failed)]
    unsure = [point for point in others if None in (point.kind, point.failed) and point.kind != "safepoint"]
    for label, some, mark, color in (
        ("pause", [point for point in known if point.kind != "safepoint"], "o", palette.score),
        ("safepoint", safepoints, "D", palette.score),
        ("pause, not known of which kind", unsure, "s", palette.score),
        ("no room to copy to", failed, "^", palette.raw),
        ("full collection", full, "X", palette.raw),
    ):
        if some:
            times, lengths = [point.ended for point in some], [max(point.ms, _LEAST) for point in some]
            axes.plot(times, lengths, color=color, linestyle="none", marker=mark, markersize=6, label=label)


def _frame(axes: Any, palette: Palette) -> None:
    dates: Any = importlib.import_module("matplotlib.dates")  # it has no types
    axes.set_yscale("log")
    axes.set_ylabel("ms", color=palette.text)
    axes.yaxis.set_major_formatter("{x:,.0f}")
    locator = dates.AutoDateLocator(tz=dt.UTC, minticks=2, maxticks=7)
    axes.xaxis_date(tz=dt.UTC)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(dates.ConciseDateFormatter(locator, tz=dt.UTC, show_offset=False))
    axes.tick_params(colors=palette.text, which="both")
    axes.grid(visible=True, axis="y", color=palette.text, alpha=0.3, linewidth=0.5)
    for side, spine in axes.spines.items():
        spine.set_visible(side in {"left", "bottom"})
        spine.set_color(palette.text)
    if axes.get_legend_handles_labels()[0]:
        place = {"loc": "lower right", "bbox_to_anchor": (1, 1), "borderaxespad": 0.1}
        axes.legend(ncols=4, frameon=False, labelcolor=palette.text, **place)
