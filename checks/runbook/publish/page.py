"""A page of the site before it is built, and the templates that pages are made of.

Pages are plain Markdown with HTML blocks: nothing in them is particular to one site builder. Templates escape every
value by default; only what `runbook.publish.prose` rendered, or another template, passes as it is.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from msgspec import Struct

from runbook.judge.template import show
from runbook.publish.when import until, when

UNSEARCHED = "---\nsearch:\n  exclude: true\n---\n\n"
"""The head of a page that the site's search leaves out: there are many of them, and a page above them is found."""

WIDE = "---\nhide: [toc]\n---\n\n"
"""The head of a page that leaves its width to a table."""

TEMPLATES = Path(__file__).parent / "templates"
_SPECIAL = re.compile(r"[^0-9A-Za-z .,/-]", re.ASCII)
_CODE = re.compile(r"`([^`\n]+)`")
_ANGLES = str.maketrans("<>", "\u2039\u203a")


class Page(Struct, frozen=True):
    """One page: where it goes below the docs folder, and its Markdown (or other text)."""

    path: str
    text: str


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        finalize=inert,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["coded"] = coded
    environment.filters["when"] = when
    environment.filters["until"] = until
    environment.filters["patterns"] = patterns
    environment.filters["short"] = short
    environment.filters["status"] = lambda word: STATUS["unknown"] if word is None else STATUS.get(word, STATUS["none"])
    return environment


def inert(value: Any) -> Markup:
    """Escape a value for HTML that stands in Markdown; what is not known is "?", as everywhere, and never empty.

    Besides HTML's own characters, line ends and backticks are written as references: a Markdown reader looks for
    fences line by line before it looks at HTML.
    """
    if isinstance(value, Markup):
        return value
    text = show(value)
    return Markup(str(escape(text)).replace("\r", "").replace("\n", "&#10;").replace("`", "&#96;"))  # noqa: S704


def coded(text: str) -> Markup:
    """Escape a text of a runbook or of a declaration; what stands between backticks in it is code, as they write it."""
    parts = [
        Markup("<code>{}</code>").format(inert(part)) if i % 2 else inert(part)
        for i, part in enumerate(_CODE.split(text))
    ]
    return Markup("").join(parts)


def heading(text: str) -> str:
    """A text as the Markdown of a heading: every character that could mean something is a reference."""
    return _SPECIAL.sub(lambda found: f"&#{ord(found[0])};", re.sub(r"\s+", " ", text))


def title(text: str) -> str:
    """A text as the Markdown of a page's title.

    Themes undo references in the title of the window, so that angle brackets must not be there at all.
    """
    return f"# {heading(text.strip().translate(_ANGLES))}"


def fragment(template: str, **values: Any) -> Markup:
    """Render a template to HTML without blank lines, so that Markdown sees one block."""
    text = _environment().get_template(template).render(**values)
    return Markup("\n".join(line.strip() for line in text.splitlines() if line.strip()))  # noqa: S704


class PageStatus(Struct, frozen=True):
    """How an outcome is shown: class (colour), shape and word; never by colour alone."""

    css: str
    shape: str
    word: str


STATUS = {
    "pass": PageStatus("pass", "✓", "pass"),
    "fail": PageStatus("fail", "✗", "fail"),
    "unknown": PageStatus("unknown", "?", "unknown"),
    "unobserved": PageStatus("none", "◌", "not observed"),
    "not_applicable": PageStatus("na", "○", "not applicable"),
    "waived": PageStatus("waived", "◇", "fails, waived"),
    "none": PageStatus("none", "·", "no result yet"),
}


def short(text: str, longest: int = 150) -> str:
    """The first sentence of a text, with a capital unless it begins with a name; where it is long, its first words."""
    first = re.split(r"(?<=[.;])\s", " ".join(text.split()), maxsplit=1)[0].rstrip(".;")
    if first.partition(" ")[0].isalpha():
        first = first[:1].upper() + first[1:]
    return first if len(first) <= longest else f"{first[:longest].rpartition(' ')[0] or first[:longest]} …"


def anchor(text: str) -> str:
    """A text as an id in a page: letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "x"


def patterns(rows: str) -> str:
    """The rows that a waiver names, by column, for a reader: JSON is how the scorecard keeps them."""
    try:
        named = json.loads(rows)
    except ValueError:
        return rows
    if not isinstance(named, dict):
        return rows
    return ", ".join(f"{column} {pattern}" for column, pattern in named.items()) or "all"
