"""Markdown of runbooks as HTML that can do nothing: the reader that the engine uses, with raw HTML shown as text."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from msgspec import Struct

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


def of_block(runbook: str, writer: Callable[..., Markup] = html) -> Callable[[str], Markup]:
    """The writer of a text for the page of a runbook's block, in a folder beside the page of the runbook."""
    return partial(writer, up="../", own=f"{runbook}.html")


def inline(text: str, up: str = "", own: str = "") -> Markup:
    """Render one line of Markdown, without a paragraph around it; `up` and `own` as for `link`."""
    return _render(_reader().parseInline(" ".join(text.split())), up, own)


class Passage(Struct, frozen=True):
    """A heading of the top level, and what stands under it up to the next; before the first one `level` is 0."""

    level: int = 0
    heading: list[Token] = []
    under: list[Token] = []

    @property
    def words(self) -> str:
        """The text of the heading."""
        return "".join(" " if child.type == "softbreak" else child.content for child in self.heading)

    def title(self, anchor: str = "") -> str:
        """The heading as Markdown; one of the first level begins a part of the runbook, and is shown as one."""
        marks = [f"#{anchor}"] * bool(anchor) + [".rb-part"] * (self.level == 1)
        level = max(2, self.level)  # the page has its own title
        said = ["#" * level, _title(self.heading), *([f"{{ {' '.join(marks)} }}"] if marks else [])]
        return " ".join(said) if self.level else ""

    def body(self, up: str = "", own: str = "") -> Markup:
        """What stands under the heading, as a block of HTML; `up` and `own` as for `link`."""
        shown = Markup('<div class="rb-prose">\n{}\n</div>').format(_render(self.under, up, own))
        return shown if self.under else Markup()


def passages(text: str) -> list[Passage]:
    """Take Markdown apart at its headings of the top level."""
    found = [Passage()]
    level = 0
    for token in _reader().parse(text):
        if token.level == 0 and token.type in ("heading_open", "heading_close"):
            level = int(token.tag[1:]) if token.type == "heading_open" else 0
        elif level:
            found.append(Passage(level, token.children or []))
        else:
            found[-1].under.append(token)
    return [passage for passage in found if passage.level or passage.under]


def markdown(text: str, up: str = "") -> str:
    """Turn Markdown into Markdown that a site builder may read: its headings, and HTML blocks between them."""
    return "\n\n".join(part for passage in passages(text) for part in (passage.title(), passage.body(up)) if part)


def _title(tokens: list[Token]) -> str:
    parts = []
    for child in tokens:
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
