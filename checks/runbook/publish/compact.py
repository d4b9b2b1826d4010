"""Pages and files without what nobody reads: the blank lines of templates, and the theme's tools for its makers."""

import re
import shutil
from pathlib import Path

_AS_IT_IS = re.compile(r"(<(pre|script|style|textarea)\b.*?</\2\s*>)", re.DOTALL | re.IGNORECASE)
_SPACE = re.compile(r"\s*\n\s*")


def compact(html: str) -> str:
    """Replace every line end and the space around it by one line end, except where space means something."""
    kept = iter(_AS_IT_IS.split(html))
    parts = []
    for text in kept:
        parts.append(_SPACE.sub("\n", text))
        parts.append(next(kept, ""))  # what is kept as it is
        next(kept, "")  # its tag, the second group of the pattern
    return "".join(parts)


def drop_unused(site: Path) -> None:
    """Remove the theme's source maps, and the search's stemmers for languages that the site is not written in."""
    assets = site / "assets"
    for file in assets.rglob("*.map"):
        file.unlink()
    shutil.rmtree(assets / "javascripts" / "lunr", ignore_errors=True)
