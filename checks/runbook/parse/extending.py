"""A built-in runbook with changes of one's own: the file says what differs, and nothing is copied.

A file whose front matter says `extends: ha` is the runbook `ha`: what it adds comes first, and the built-in text
follows, with the amendments merged into its blocks as JSON Merge Patch merges (RFC 7396): a mapping is merged, any
other value takes the place of the one that was there, and null takes it away.
"""

import hashlib
import pathlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, TypeVar

from msgspec import structs

from runbook.model.block import BLOCKS, whole_name
from runbook.model.errors import Invalid, Problem, did_you_mean
from runbook.model.front_matter import FrontMatter
from runbook.parse.kept_runbooks import read_kept
from runbook.parse.old_names import old_names, references, referring
from runbook.parse.runbook import Amended, LocatedBlock, Prose, Runbook, read_runbook
from runbook.parse.schema import convert
from runbook.parse.yaml_document import Document, Path
from runbook.plugins.content import builtin_runbooks

P = TypeVar("P")


def read_whole(path: pathlib.Path, *, origin: Literal["built-in", "file"] = "file", shown: str = "") -> Runbook:
    """Read one runbook file, with the built-in runbook that it extends, if it does.

    Args:
        path: the file.
        origin: whether it is one of ours.
        shown: how messages name the file; its path if empty.

    Raises:
        Invalid: the file can't be read or has mistakes; with all of them.
    """
    own = read_kept(path, origin=origin, shown=shown)
    whole, problems = extended(own, read_kept)
    if problems:
        raise Invalid(problems)
    return of_today(whole)


def of_today(book: Runbook) -> Runbook:
    """A runbook of one's own in which names of other blocks are the present ones of those that have another now."""
    if book.origin == "built-in":
        return book  # lint holds it to present names
    others = {name.partition("/")[0] for placed in book.placed() for name in references(placed.block)} - {book.name}
    built_in = [builtin_runbooks() / f"{name}.md" for name in sorted(others)]
    read = [read_kept(file, origin="built-in") for file in built_in if file.is_file()]
    if not (names := old_names([book, *read])):
        return book

    def named(word: str) -> str:
        whole = whole_name(word, book.name)
        return names[whole].removeprefix(f"{book.name}/") if whole in names else word

    parts = [
        part if isinstance(part, Prose) else structs.replace(part, block=referring(part.block, named))
        for part in book.parts
    ]
    return structs.replace(book, parts=tuple(parts))


def extended(own: Runbook, read: Callable[..., Runbook] = read_runbook) -> tuple[Runbook, list[Problem]]:
    """The built-in runbook that a file extends, with what the file says, and what is wrong with that.

    A runbook that extends none is given back as it is; `read` is how the built-in one is read.
    """
    name = own.front.extends
    if not name:
        remedy = "write extends: with the name of the built-in runbook into the front matter"
        return own, [
            Problem(amendment.document.start, "there is nothing to amend", remedy) for amendment in own.amendments
        ]
    known = sorted(file.stem for file in builtin_runbooks().glob("*.md"))
    here = own.head.whole().key(("extends",))
    if name not in known:
        return own, [Problem(here, f"no built-in runbook {name}", did_you_mean(name, known))]
    problems: list[Problem] = []
    if own.name != name:
        remedy = f"call the file {name}.md: it takes the place of the built-in runbook, under its name"
        problems.append(Problem(here, f"{own.path} extends {name}, and is not called so", remedy))
    base = read(builtin_runbooks() / f"{name}.md", origin="built-in")
    problems += _taken(own, base)
    parts, mistakes = _amended(own, base)
    problems += mistakes
    whole = Runbook(
        own.name,
        own.path,
        "file",
        _front(own.front, base.front),
        (*_own_parts(own), Prose(f"## {base.front.title}: the built-in runbook {base.front.version}", 1), *parts),
        hashlib.sha256(f"{base.digest} {own.digest}".encode()).hexdigest(),
        own.head,
        own=own,
        base=base,
    )
    return whole, problems


def _taken(own: Runbook, base: Runbook) -> Iterator[Problem]:
    """Yield a problem for each block of one's own whose id the built-in runbook has already."""
    there = {placed.block.id for placed in base.placed()}
    for placed in own.placed():
        identifier = placed.block.id
        if identifier in there:
            remedy = "give it another id; or, to change the built-in one, write ```yaml {.amend} with what differs"
            yield Problem(placed.document.place(("id",)), f"{base.name} has {identifier} already", remedy)


def _amended(own: Runbook, base: Runbook) -> tuple[list[Prose | LocatedBlock], list[Problem]]:
    """The parts of the built-in runbook, and what is wrong with what is to be changed of them."""
    problems: list[Problem] = []
    waiting: dict[str, Amended] = {}
    known = [placed.block.id for placed in base.placed()]
    names = old_names([base])
    for written in own.amendments:
        now = names.get(f"{base.name}/{written.id}", "").removeprefix(f"{base.name}/") or written.id
        amendment = structs.replace(written, id=now)
        place = amendment.document.place(("id",))
        if amendment.id not in known:
            problems.append(
                Problem(
                    place,
                    f"{base.name} has no {amendment.id} to amend",
                    did_you_mean(amendment.id, known, f"runbook list {base.name}"),
                )
            )
        elif amendment.id in waiting:
            line = waiting[amendment.id].document.start.line
            problems.append(
                Problem(place, f"{amendment.id} is amended twice", f"the first time in line {line}: write one")
            )
        elif set(amendment.document.value) == {"id"}:
            problems.append(Problem(place, f"nothing of {amendment.id} is amended", "write the fields that differ"))
        else:
            waiting[amendment.id] = amendment
    parts: list[Prose | LocatedBlock] = []
    for part in base.parts:
        if isinstance(part, Prose):
            parts.append(_without_title(part, base.front.title))
            continue
        changed = part
        if part.block.id in waiting:
            try:
                changed = _with(part, waiting[part.block.id])
            except Invalid as invalid:
                problems += invalid.problems
        parts.append(changed)
    return parts, problems


def _with(base: LocatedBlock, change: Amended) -> LocatedBlock:
    """A block with what is changed of it.

    Raises:
        Invalid: it is no such block any more.
    """
    if strange := [*_strange_parameters(base, change)]:
        raise Invalid(strange)
    kind = next(kind for kind, record in BLOCKS.items() if isinstance(base.block, record))
    document = merged(base.document, change.document)
    document.value["id"] = base.block.id
    _without_stale_sources(document, change.document)
    return LocatedBlock(convert(document, BLOCKS[kind], kind), document, base.runbook, base, change)


def _without_stale_sources(document: Document, change: Document) -> None:
    """Of a default that was amended, the source of the built-in one tells nothing."""
    asked = change.value.get("params")
    for name, value in asked.items() if isinstance(asked, dict) else ():
        if isinstance(value, dict) and "default" in value and "source" not in value:
            document.value["params"][name].pop("source", None)


def _strange_parameters(base: LocatedBlock, change: Amended) -> Iterator[Problem]:
    """What is wrong with parameters that the built-in block does not have, or of which a value stands alone.

    Those that say a type are new ones.
    """
    there: Mapping[str, object] = getattr(base.block, "params", {})
    asked = change.document.value.get("params")
    for name, value in asked.items() if isinstance(asked, dict) else ():
        path: Path = ("params", name)
        if name not in there and not (isinstance(value, dict) and "type" in value):
            message = f"{base.block.id} has no parameter {name}"
            yield Problem(change.document.key(path), message, did_you_mean(name, [*there]))
        elif value is not None and not isinstance(value, dict):
            shown = str(value).lower() if isinstance(value, bool) else value
            message = f"the value of {name} stands alone: what is amended of a parameter is its default"
            yield Problem(change.document.place(path), message, f"write params: {{{name}: {{default: {shown}}}}}")


def merged(base: Document, over: Document) -> Document:
    """A document with another merged into it, in which every value is found where it was written."""
    replaced = [path for path in over.values if not isinstance(_at(over.value, path), dict)]
    return Document(
        _patched(base.value, over.value),
        base.start,
        _laid_over(base.values, over.values, replaced),
        _laid_over(base.keys, over.keys, replaced),
        _laid_over(base.texts, over.texts, replaced),
    )


def _laid_over(mine: dict[Path, P], theirs: dict[Path, P], replaced: list[Path]) -> dict[Path, P]:
    kept = {path: at for path, at in mine.items() if not any(path[: len(other)] == other for other in replaced)}
    return kept | {path: at for path, at in theirs.items() if path}


def _patched(base: Any, over: Any) -> Any:
    if not isinstance(over, dict):
        return over
    found = dict(base) if isinstance(base, dict) else {}
    for name, value in over.items():
        if value is None:
            found.pop(name, None)
        else:
            found[name] = _patched(found.get(name), value)
    return found


def _at(value: Any, path: Path) -> Any:
    for part in path:
        value = value[part]
    return value


def _front(own: FrontMatter, base: FrontMatter) -> FrontMatter:
    changes = [structs.replace(change, version=f"+{change.version}") for change in own.changes]
    lists = {
        name: list(dict.fromkeys([*getattr(own, name), *getattr(base, name)])) for name in ("alerts", "errors", "tags")
    }
    return structs.replace(
        own,
        version=f"{base.version}+{own.version}",  # as semantic versions tell of a build
        changes=[*changes, *base.changes],
        summary=own.summary or base.summary,
        **lists,
    )


def _own_parts(own: Runbook) -> Iterator[Prose | LocatedBlock]:
    for part in own.parts:
        yield _without_title(part, own.front.title) if isinstance(part, Prose) else part


def _without_title(part: Prose, title: str) -> Prose:
    first, _, rest = part.text.partition("\n")
    return Prose(rest.lstrip("\n"), part.line) if first.strip() == f"# {title}" else part
