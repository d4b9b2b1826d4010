"""A plot as a static drawing inside a page: SVG with a text alternative, the same bytes every time."""

import html
import io
import re
from typing import Any, Final

_AROUND: Final = re.compile(r"^.*?(?=<svg)|<metadata>.*?</metadata>", re.DOTALL)


class Drawing:
    """What a notebook shows of a matplotlib figure."""

    def __init__(self, figure: Any, alternative: str) -> None:
        """Draw it.

        Args:
            figure: a matplotlib Figure.
            alternative: what the plot says, in words, for those who do not see it.
        """
        import matplotlib as mpl  # noqa: PLC0415 - pages without plots do without it

        drawn = io.StringIO()
        # Text stays text; ids come from the words, so that two plots of a page never share one.
        with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": alternative}):
            figure.savefig(drawn, format="svg", bbox_inches="tight", metadata={"Date": None})
        label = f'<svg role="img" aria-label="{html.escape(alternative)}"'
        self.alternative = alternative
        self.svg = _AROUND.sub("", drawn.getvalue()).replace("<svg", label, 1)

    def __repr__(self) -> str:
        """Return the words alone."""
        return self.alternative

    def _repr_html_(self) -> str:
        return self.svg
