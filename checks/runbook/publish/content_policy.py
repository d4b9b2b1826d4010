"""What a page of the site may do at all: the last fence, should a text ever get past the escaping.

A page runs the scripts that its theme's templates hold and nothing else, and asks nothing of another host. What stands
in the finished page says nothing of where it came from, so that no script is allowed by being there. The policy stands
in the page, as the site also opens from a folder, where no server could send it:
https://www.w3.org/TR/CSP3/#meta-element
"""

import base64
import hashlib
import html
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

_RUN: Final = {"", "module", "text/javascript", "application/javascript"}
"""Types of script that a browser executes; others, such as application/json, hold data."""

_RULES: Final = (
    "default-src 'self'",
    "img-src 'self' data:",  # icons of the theme, and plots
    "style-src 'self' 'unsafe-inline'",  # plots and notebooks style their elements
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
)


class _InlineScripts(HTMLParser):
    """Collects the text of each script that stands in the page itself and is executed."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.found: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        self._inside = tag == "script" and "src" not in said and (said.get("type") or "").lower() in _RUN
        if self._inside:
            self.found.append("")

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 - the parser passes it; a script holds no other element
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.found[-1] += data


@cache
def scripts_of_theme(folders: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern of every script that stands in the templates of a theme, whatever address or word they fill in."""
    found = {script for folder in folders for file in _templates(folder) for script in _inline(file)}
    return re.compile("|".join(_FILLED_IN.join(map(re.escape, _EXPRESSION.split(script))) for script in sorted(found)))


def _templates(folder: str) -> Iterator[str]:
    return (file.read_text("utf-8", "replace") for file in sorted(Path(folder).rglob("*.html")))


_EXPRESSION: Final = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_FILLED_IN: Final = r"[\w./:~ ,\"{}\[\]-]*"  # addresses, words and lists: none of it calls or assigns anything


def _inline(page: str) -> list[str]:
    scripts = _InlineScripts()
    scripts.feed(page)
    scripts.close()
    return scripts.found


def with_policy(page: str, known: re.Pattern[str]) -> str:
    """The page with its Content-Security-Policy as the first thing in its head.

    Call it last: a script that is changed afterwards no longer runs. A page without a head is left as it is.

    Args:
        page: as it is to be written.
        known: the scripts that it may run.
    """
    hashes = dict.fromkeys(f"'sha256-{_digest(script)}'" for script in _inline(page) if known.fullmatch(script))
    rules = "; ".join([*_RULES, " ".join(["script-src 'self'", *hashes])])
    head = f'<meta http-equiv="Content-Security-Policy" content="{html.escape(rules, quote=True)}">'
    before, tag, after = page.partition("<head>")
    return f"{before}{tag}{head}{after}" if tag else page


def unknown_scripts(page: str, known: re.Pattern[str]) -> list[str]:
    """The scripts of a page that its policy keeps from running."""
    return [script for script in _inline(page) if script.strip() and not known.fullmatch(script)]


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
