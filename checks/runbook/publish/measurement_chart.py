"""Latencies of measured settings as a picture: static SVG with a text alternative."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from runbook.incident.measurement_ranking import MeasuredSetting, named
from runbook.model.measurement import Repetition
from runbook.publish.plot import Drawing
from runbook.publish.trend_chart import SETTINGS, Palette

_ROW: Final = 0.45  # inches for a setting
_FIGURES: Final = (("p50", "o"), ("p99", "D"))


def draw_latencies(found: Sequence[MeasuredSetting], palette: Palette, about: str) -> str:
    """Draw end-to-end latency by setting: medians as marks, and the spread between repetitions as lines.

    Args:
        found: the settings, of which one at least has a latency.
        palette: colours for the ground it will stand on.
        about: what was measured, as the text alternative begins.
    """
    from matplotlib import rc_context  # noqa: PLC0415 - takes half a second, and only pictures need it
    from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: PLC0415 - same
    from matplotlib.figure import Figure  # noqa: PLC0415 - same

    names = [row.name or named(row.setting) for row in found]
    words = [about]
    with rc_context(SETTINGS):
        figure = Figure(figsize=(8.0, 1.2 + _ROW * len(found)))
        FigureCanvasSVG(figure)
        axes = figure.add_axes((0.3, 0.2, 0.68, 0.65))
        for (name, mark), color in zip(_FIGURES, (palette.score, palette.raw), strict=True):
            for y, row in enumerate(found):
                spread = row.spread(_read(name))
                if spread is None:
                    continue
                axes.plot([spread.least, spread.most], [y, y], color=color, linewidth=2)
                axes.plot([spread.median], [y], color=color, marker=mark, label="" if y else f"{name} end to end")
                words.append(f"{names[y]}: {name} {spread.median:.1f} ms")
        _frame(axes, names, palette)
        return Drawing(figure, "; ".join(words)).svg


def _read(name: str) -> Callable[[Repetition], float | None]:
    return lambda rep: getattr(rep.read.latency, name) if rep.read and rep.read.latency else None


def _frame(axes: Any, names: Sequence[str], palette: Palette) -> None:
    axes.set_xscale("log")
    axes.set_xlabel("ms; lines: from the least to the largest of the repetitions", color=palette.text)
    axes.xaxis.set_major_formatter("{x:,g}")
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.margins(y=0.3)
    axes.tick_params(colors=palette.text, which="both")
    axes.grid(visible=True, axis="x", color=palette.text, alpha=0.3, linewidth=0.5)
    for side, spine in axes.spines.items():
        spine.set_visible(side in {"left", "bottom"})
        spine.set_color(palette.text)
    axes.legend(ncols=3, frameon=False, labelcolor=palette.text, loc="lower right", bbox_to_anchor=(1, 1))
