"""Markdown of runbooks as HTML that can do nothing: the reader that the engine uses, with raw HTML shown as text."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from runbook.publish.page import heading, inert


@cache
def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False}).enable(["table"])
    reader.add_render_rule("fence", _code)
    reader.add_render_rule("code_block", _code)
    reader.add_render_rule("image", _image)
    return reader


def _code(_self: Any, tokens: list[Token], position: int, _options: Any, _env: Any) -> str:
    return f"<pre><code>{inert(tokens[position].content)}</code></pre>"


def _image(_self: Any, tokens: list[Token], position: int, _options: Any, _env: Any) -> str:
    """Only the words of a picture: fetching one would tell a foreign host who reads the page."""
    return str(inert(tokens[position].content))


def html(text: str, up: str = "", own: str = "") -> Markup:
    """Render a few paragraphs of Markdown, such as a remedy; `up` and `own` as for `link`."""
    return _render(_reader().parse(text), up, own)


def inline(text: str, up: str = "", own: str = "") -> Markup:
    """Render one line of Markdown, without a paragraph around it; `up` and `own` as for `link`."""
    return _render(_reader().parseInline(" ".join(text.split())), up, own)


def markdown(text: str, up: str = "") -> str:
    """Turn Markdown into Markdown that a site builder may read: its headings, and HTML blocks between them.

    A heading of the first level begins a part of the runbook, such as Respond, and is shown as one.
    """
    parts: list[str] = []
    tokens = _reader().parse(text)
    for group in _groups(tokens):
        if group[0].type == "heading_open" and group[0].level == 0:
            level = max(2, int(group[0].tag[1:]))  # the page has its own title
            part = " { .rb-part }" if group[0].tag == "h1" else ""
            parts.append(f"{'#' * level} {_title(group[1])}{part}")
        else:
            parts.append(f'<div class="rb-prose">\n{_render(group, up)}\n</div>')
    return "\n\n".join(parts)


def _groups(tokens: list[Token]) -> Iterator[list[Token]]:
    """Split tokens into headings of the top level, and what stands between them."""
    group: list[Token] = []
    for token in tokens:
        if token.type == "heading_open" and token.level == 0 and group:
            yield group
            group = []
        group.append(token)
        if token.type == "heading_close" and token.level == 0:
            yield group
            group = []
    if group:
        yield group


def _title(token: Token) -> str:
    parts = []
    for child in token.children or ():
        if child.type == "code_inline":
            parts.append(f"<code>{heading(child.content)}</code>")
        elif child.content:
            parts.append(heading(child.content))
        elif child.type == "softbreak":
            parts.append(" ")
    return "".join(parts)


def _render(tokens: list[Token], up: str = "", own: str = "") -> Markup:
    for token in tokens:
        for part in (token, *(token.children or ())):
            if part.type == "link_open":
                part.attrSet("href", link(str(part.attrGet("href") or ""), up, own))
    reader = _reader()
    rendered = str(reader.renderer.render(tokens, reader.options, {}))
    # Line ends inside code are references by now; every other one is mere space.
    return Markup(" ".join(rendered.split("\n")).replace("`", "&#96;").strip())  # noqa: S704


def link(target: str, up: str = "", own: str = "") -> str:
    """Where a link of a runbook leads on the site: `docs/` is its root, and pages end in .html.

    Args:
        target: as the runbook has it.
        up: the way from the page to where pages of runbooks are, as in `../`.
        own: the page of the runbook itself, where that is another one.
    """
    if target.startswith("../docs/"):
        target = "../" + target.removeprefix("../docs/")
    page, mark, place = target.partition("#")
    page = page or own
    if page.endswith(".md") and "://" not in page:
        page = page.removesuffix(".md") + ".html"
    inside = page and "://" not in page and not page.startswith(("/", "mailto:"))
    return (up if inside else "") + page + mark + place
