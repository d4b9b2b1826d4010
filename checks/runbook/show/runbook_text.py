"""Write what `runbook show` was asked for as text: prose as it stands, blocks as cards."""

import sys
from collections.abc import Iterator

import msgspec

from runbook.model.block import Check
from runbook.parse.runbook import LocatedBlock, Prose, Runbook, read_text
from runbook.parse.sections import sections
from runbook.parse.yaml_document import Document, UnreadDocument
from runbook.run.sources.runbooks import FoundBlock, locate
from runbook.safety.sanitize import sanitize, sanitize_json
from runbook.show.cards import card, code, kind_of
from runbook.show.help_pages import with_pages
from runbook.show.pasted_commands import word_for
from runbook.terminal.safe_stdout import paint


def page(found: FoundBlock) -> str:
    """Write it for a person, as Markdown without anything that could drive a terminal."""
    text = _runbook_page(found.runbook) if found.placed is None else _block_page(found.runbook, found.placed)
    return "\n".join(sanitize(line) for line in with_pages(text).splitlines())


def _runbook_page(book: Runbook) -> str:
    front = book.front
    parts = [f"# {sanitize(front.title)}", f"{code(book.name)} {front.version} · {_where(book)}", front.summary.strip()]
    for what, texts in (("Alerts", front.alerts), ("Errors", front.errors)):
        if texts:
            parts.append(f"**{what}** that lead here: {', '.join(map(code, texts))}")
    word = word_for(book)
    if any(book.placed()):
        parts.append("**In this runbook**\n\n" + "\n".join(_outline(book, word)))
    for part in book.parts:
        if isinstance(part, Prose):
            parts.append(_without_title(part.text, front.title))
        else:
            parts.append(
                f"> {kind_of(part.block)} · {sanitize(part.block.title)}  \n"
                f"> read on: runbook show {word}#{part.block.id}"
            )
    return "\n\n".join(filter(None, parts))


def _without_title(text: str, title: str) -> str:
    first, _, rest = text.partition("\n")
    return rest.strip("\n") if first.removeprefix("# ").strip() == title else text


def _outline(book: Runbook, word: str) -> Iterator[str]:
    """A line for each block, beneath that of its part, where the runbook has parts."""
    for part in book.parts:
        if isinstance(part, Prose):
            names = [section.title for section in sections(part.text) if section.level == 1]
            yield from (f"- **{sanitize(name)}**" for name in names if name != book.front.title)
        else:
            yield _entry(word, part)


def _entry(word: str, placed: LocatedBlock) -> str:
    block = placed.block
    severity = f" {block.severity}" if isinstance(block, Check) else ""
    return f"- {code(f'{word}#{placed.block.id}')} ({kind_of(block)}{severity}): {sanitize(block.title)}"


def _where(book: Runbook) -> str:
    beneath = f", then the built-in {sanitize(book.base.front.title)}" if book.base else ""
    return "built-in" if book.origin == "built-in" else f"{book.path}{beneath}"


def _block_page(book: Runbook, placed: LocatedBlock) -> str:
    return card(placed, _stands(book, placed), _prose_before(book, placed))


def _stands(book: Runbook, placed: LocatedBlock) -> str:
    """Where a block stands; of a runbook that extends a built-in one, where it comes from and what is changed of it."""
    if book.origin == "built-in":
        return f"built-in, version {book.front.version}"
    if placed.amended:
        start = placed.amended.document.start
        return f"built-in, amended in {start.file}, line {start.line - 1}: {', '.join(placed.amended.fields())}"
    start = placed.source.start
    return f"{book.path}, line {start.line - 1}" if start.file == book.path else "built-in, not amended"


def _prose_before(book: Runbook, placed: LocatedBlock) -> str:
    """The prose that a block stands under: from the last heading before it, without that heading."""
    before = book.parts[: book.parts.index(placed)]
    if not before or not isinstance(before[-1], Prose):
        return ""
    *_, last = sections(before[-1].text)
    return last.text


def source(found: FoundBlock) -> str:
    """The Markdown as it stands in the file: all of it, or the fenced block, with what is amended of it.

    Raises:
        Invalid: the file can't be read any more.
    """
    if found.placed is None:
        return read_text(locate(found.runbook.path)[0], found.runbook.path).rstrip("\n")
    change = [found.placed.amended.document] if found.placed.amended else []
    return "\n\n".join(_fenced(document) for document in (found.placed.source, *change))


def _fenced(document: Document | UnreadDocument) -> str:
    """A fenced block as it stands in its file."""
    file = document.start.file
    lines = read_text(locate(file)[0], file).splitlines()[document.start.line - 2 :]
    mark = lines[0].lstrip()
    fence = mark[: len(mark) - len(mark.lstrip(mark[0]))]
    closing = next((i for i, line in enumerate(lines[1:], 1) if line.strip().startswith(fence)), len(lines) - 1)
    return "\n".join(lines[: closing + 1])


def as_json(found: FoundBlock) -> str:
    """The same for programs: front matter and blocks, with digests and places."""
    book = found.runbook
    head = {"runbook": book.name, "version": book.front.version, "path": book.path, "digest": book.digest}
    if found.placed is not None:
        return _encode(head | _block_json(found.placed))
    blocks = [_block_json(placed) for placed in book.placed()]
    return _encode(head | {"front": msgspec.to_builtins(book.front), "blocks": blocks})


def _block_json(placed: LocatedBlock) -> dict[str, object]:
    return {
        "name": placed.name,
        "kind": kind_of(placed.block),
        "file": placed.source.start.file,
        "line": placed.source.start.line - 1,
        "amended": placed.amended.fields() if placed.amended else [],
        "block_digest": placed.digest(),
        "block": msgspec.to_builtins(placed.block),
    }


def _encode(value: object) -> str:
    return sanitize_json(value)


def write_markdown(text: str) -> None:
    """Write Markdown to the terminal with colours; links show their addresses, and no name in a table is cut."""
    from rich.console import Console

    from runbook.terminal.markdown_tables import MarkdownOfTables

    console = Console(force_terminal=True, highlight=False)
    with console.capture() as written:
        console.print(MarkdownOfTables(text, hyperlinks=False))
    paint(written.get(), sys.stdout)
