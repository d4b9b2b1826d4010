"""What a page of the site may do at all: the last fence, should a text ever get past the escaping.

A page runs the scripts that it was built with and nothing else, and asks nothing of another host. The policy stands in
the page, as the site also opens from a folder, where no server could send it:
https://www.w3.org/TR/CSP3/#meta-element
"""

import base64
import hashlib
import html
from html.parser import HTMLParser
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


def with_policy(page: str) -> str:
    """The page with its Content-Security-Policy as the first thing in its head.

    Call it last: a script that is changed afterwards no longer runs. A page without a head is left as it is.
    """
    scripts = _InlineScripts()
    scripts.feed(page)
    scripts.close()
    hashes = dict.fromkeys(f"'sha256-{_digest(script)}'" for script in scripts.found)
    rules = "; ".join([*_RULES, " ".join(["script-src 'self'", *hashes])])
    head = f'<meta http-equiv="Content-Security-Policy" content="{html.escape(rules, quote=True)}">'
    before, tag, after = page.partition("<head>")
    return f"{before}{tag}{head}{after}" if tag else page


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
