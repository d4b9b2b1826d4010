"""Runbooks that bind the inputs of views by place, rewritten to bind them by name: `of: [src, dst]`.

Only what stands between the brackets changes; comments, quotes and line ends stay. A view's inputs are declared in the
order in which they were bound by place.
"""

import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.front_matter import front_matter_plugin
from msgspec import Struct

from runbook.evidence.named_file import write_named
from runbook.model.errors import FilePosition, Problem, UsageError
from runbook.parse.runbook import read_runbook, read_text
from runbook.plugins.catalog import catalog
from runbook.plugins.content import builtin_runbooks
from runbook.run.sources.runbooks import shown_path
from runbook.upgrade.dropped_fields import Dropped, without_dropped_fields

_BLOCKS: Final = re.compile(r"\{[^}]*\.(check|cause|effect|amend)\b")
"""The info of a fence whose block may have views."""
_LINE: Final = re.compile(r"(\r\n|\r|\n)")
_NESTED: Final = 2  # columns by which what was a list at the column of its key has to move


class Renamed(Struct, frozen=True):
    """One `of:` that was rewritten: where it stands, and what it binds now."""

    place: FilePosition
    of: dict[str, str]

    def __str__(self) -> str:
        return f"{self.place}: of: {{{', '.join(f'{word}: {fact}' for word, fact in self.of.items())}}}"


class Rewritten(Struct, frozen=True):
    """A text as this version reads it, what was rewritten of it, and what somebody has to do."""

    text: str
    renamed: list[Renamed]
    problems: list[Problem]
    dropped: list[Dropped] = []


class _Edit(Struct, frozen=True, order=True):
    """What takes the place of some columns of a line."""

    line: int
    first: int
    last: int
    text: str


def rewrite_files(paths: Iterable[Path]) -> tuple[list[Renamed | Dropped], list[Problem]]:
    """Rewrite runbooks where they stand.

    Raises:
        Invalid: one can't be read, or is no text.
        UsageError: one can't be written.
    """
    made = [rewrite_file(path, shown_path(path)) for path in paths]
    places: list[Renamed | Dropped] = []
    for each in made:
        places += [*each.dropped, *each.renamed]
    return places, [one for each in made for one in each.problems]


def rewrite_file(path: Path, shown: str) -> Rewritten:
    """Rewrite a runbook where it stands; a file of which nothing changes is not written.

    Raises:
        Invalid: it can't be read, or is no text.
        UsageError: it can't be written.
    """
    read_text(path, shown)  # it refuses what is no text
    text, dropped = without_dropped_fields(path.read_bytes().decode("utf-8"), shown)
    made = msgspec.structs.replace(with_named_inputs(text, shown), dropped=dropped)
    if made.renamed or dropped:
        try:
            write_named(path, made.text.encode("utf-8"), stat.S_IMODE(path.stat().st_mode))
        except OSError as error:
            raise UsageError(f"{shown} can't be written: {error.strerror}") from error
    return made


def with_named_inputs(text: str, file: str) -> Rewritten:
    """The text of a runbook in which every view's inputs are bound by name."""
    parts = _LINE.split(text)
    lines, ends = parts[::2], [*parts[1::2], ""]
    tokens = MarkdownIt("commonmark").use(front_matter_plugin).disable("inline").parse(text.removeprefix("\ufeff"))
    amended = _amended_views(tokens)
    edits: list[_Edit] = []
    renamed: list[Renamed] = []
    problems: list[Problem] = []
    for token in tokens:
        if token.type != "fence" or token.map is None or not _BLOCKS.search(token.info):
            continue
        block = _Block(lines, token.map[0] + 1, token.content.split("\n"))
        for bound in _bound_by_place(token.content, amended):
            line, column = block.at(bound.of.start_mark)
            place = FilePosition(file, line + 1, column + 1)
            names = [str(item.value) for item in bound.of.value]
            try:
                inputs = _inputs(bound.view, names)
                edits += [*_edits(bound, inputs, block)]
                renamed.append(Renamed(place, dict(zip(inputs, names, strict=True))))
            except UsageError as error:
                problems.append(Problem(place, str(error), "bind its inputs by name, as in of: {input: fact}"))
    for edit in sorted(edits, reverse=True):
        was = lines[edit.line]
        lines[edit.line] = was[: edit.first] + edit.text + was[edit.last :]
    return Rewritten("".join(map("".join, zip(lines, ends, strict=True))), renamed, problems)


def _inputs(view: str, names: list[str]) -> list[str]:
    """The names of a view's inputs.

    Raises:
        UsageError: there is no such view, it can't be loaded, or takes another number of facts.
    """
    declared = getattr(catalog("views").load(view), "VIEW", None)
    inputs = [*getattr(declared, "inputs", ())]
    if len(inputs) != len(names):
        raise UsageError(f"{view} takes {len(inputs)} facts, not {len(names)}: {', '.join(inputs)}")
    return inputs


def _amended_views(tokens: list[Token]) -> Mapping[str, Mapping[str, str]]:
    """Of the built-in runbook that is extended: block -> name -> view."""
    head = _fields(_composed(tokens[0].content)) if tokens and tokens[0].type == "front_matter" else {}
    file = builtin_runbooks() / f"{getattr(head.get('extends'), 'value', '')}.md"
    if not file.is_file():
        return {}
    return {
        placed.block.id: {name: request.view for name, request in getattr(placed.block, "views", {}).items()}
        for placed in read_runbook(file, origin="built-in").placed()
    }


class _Bound(Struct, frozen=True):
    """A view whose inputs stand in a list: that list, and the column of the key above it."""

    view: str
    of: yaml.SequenceNode
    column: int


def _bound_by_place(text: str, amended: Mapping[str, Mapping[str, str]]) -> Iterator[_Bound]:
    """Yield each view of a block whose inputs stand in a list; none of what is no YAML."""
    fields = _fields(_composed(text))
    known = amended.get(str(getattr(fields.get("id"), "value", "")), {})
    for name, request in _fields(fields.get("views")).items():
        view = _fields(request).get("view")
        for key, of in request.value if isinstance(request, yaml.MappingNode) else ():
            if key.value == "of" and isinstance(of, yaml.SequenceNode):
                yield _Bound(str(view.value) if view else known.get(name, ""), of, key.start_mark.column)


def _composed(text: str) -> Any:
    try:
        return yaml.compose(text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError:
        return None


def _fields(node: Any) -> dict[str, Any]:
    pairs = node.value if isinstance(node, yaml.MappingNode) else ()
    return {str(key.value): value for key, value in pairs}


class _Block(Struct, frozen=True):
    """Where the lines of a block stand in its file: in a list or a quotation, moved to the right."""

    lines: list[str]
    first: int
    own: list[str]

    def at(self, mark: yaml.Mark) -> tuple[int, int]:
        line = self.first + mark.line
        return line, len(self.lines[line]) - len(self.own[mark.line]) + mark.column


def _edits(bound: _Bound, inputs: list[str], block: _Block) -> Iterator[_Edit]:
    """Yield what makes a mapping of a list.

    Raises:
        UsageError: it is written so that only a person can.
    """
    of = bound.of
    if of.flow_style:
        line, column = block.at(of.start_mark)
        yield _Edit(line, column, column + 1, "{")
        line, column = block.at(of.end_mark)
        yield _Edit(line, column - 1, column, "}")
    nested = " " * (0 if of.flow_style or of.start_mark.column > bound.column else _NESTED)
    for word, item in zip(inputs, of.value, strict=True):
        line, column = block.at(item.start_mark)
        first = column
        if not of.flow_style:
            first = block.lines[line].rfind("-", 0, column)
            if first < 0 or block.lines[line][first + 1 : column].strip():
                raise UsageError("this list can't be rewritten")
        yield _Edit(line, first, column, f"{nested}{word}: ")
