"""Find and read the runbooks that commands are given, and the blocks in them."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct, structs

from runbook.model.errors import Invalid, Problem, RunbookError, UsageError, did_you_mean, near_names, nearest
from runbook.parse.block_fields import KINDS
from runbook.parse.extending import extended, of_today, read_whole
from runbook.parse.inventory import OF_INVENTORY
from runbook.parse.old_names import old_names, present_name
from runbook.parse.runbook import LenientRunbook, LocatedBlock, Runbook, read_runbook, read_text, survey_runbook
from runbook.plugins.content import builtin_runbooks
from runbook.run.sources.built_in import BUILT_IN, builtin_names, replaced_by, with_way_on
from runbook.run.sources.project import VARIABLE, Project, above, find_project, is_there

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_INVENTORY = re.compile(r"^environments *:", re.MULTILINE)
_CASES = re.compile(r"^cases *:", re.MULTILINE)


def own_names() -> list[str]:
    """The names of the runbooks of the project one is in; none where there is no project."""
    project = find_project()
    return list(project.runbooks()) if project else []


def every_name() -> list[str]:
    """The names of the runbooks that are meant where none is named: the built-in ones, and those of the project."""
    project = find_project()
    return sorted([*project.builtin(), *project.runbooks()]) if project else builtin_names()


def locate(word: str) -> tuple[Path, str]:
    """The file a word means, and its origin: an existing path, a runbook of the project, or a built-in one's name.

    `built-in:ha` is the built-in one, also where the project has one of that name.

    Raises:
        UsageError: it is neither.
        Invalid: it is no text.
    """
    path = Path(word)
    name = path.name.removesuffix(".md")
    builtin = builtin_runbooks() / f"{name.removeprefix(BUILT_IN)}.md"
    # A folder that is called as a runbook, such as ha/ beside a configuration, hides none.
    if path.exists() and not (path.is_dir() and word in every_name()):
        if reason := no_runbook(path):
            raise UsageError(reason)
        inside = path.resolve().parent == builtin_runbooks().resolve()
        return path, "built-in" if inside else "file"
    if str(path.parent) == ".":
        project = find_project()
        if project and name in project.runbooks():
            return project.runbooks()[name], "file"
        if builtin.exists():
            return builtin, "built-in"
        if name.startswith(BUILT_IN):
            given = name.removeprefix(BUILT_IN)
            raise UsageError(f"no built-in runbook {given}: {did_you_mean(given, builtin_names())}")
    known = sorted({*every_name(), *builtin_names()})
    raise UsageError(
        f"no runbook {word}: no such file, nor a built-in one; {did_you_mean(path.stem, known, 'runbook list')}"
    )


def _locate_whole(word: str) -> tuple[Path, str]:
    """As `locate`; who names a block where whole runbooks are meant is told how it is shown, and whose it is."""
    try:
        return locate(word)
    except UsageError:
        book, identifier = split_word(word)
        known = {*every_name(), *builtin_names()}
        there = [book] if identifier else _places(read_sound([])[0]).get(word, [])
        if not there or not known.issuperset(there):
            raise
        shown = " or ".join(f"runbook show {name}#{identifier or word}" for name in there)
        whole = f"here whole runbooks are named: {' or '.join(there)}"
        raise UsageError(f"{word} is one block: {shown}; {whole}") from None


def read_all(words: Sequence[str]) -> list[Runbook]:
    """Read the named runbooks; if none is named, all built-in ones, and those of the project.

    Raises:
        UsageError: one can't be found.
        Invalid: with the mistakes of all of them.
    """
    runbooks, problems = read_each(words or every_name())
    if problems:
        raise Invalid(with_way_on(problems))
    return runbooks


def read_or_built_in() -> tuple[list[Runbook], list[Problem]]:
    """Read all that are meant where none is named; a built-in one for each of the project's that has mistakes.

    For looking things up; what is judged is never judged by another text than the one that is meant.

    Raises:
        Invalid: no runbook is left.
    """
    runbooks, problems = read_sound([])
    replaced = replaced_by({problem.place.file for problem in problems})
    return [*runbooks, *read_all([f"{BUILT_IN}{name}" for name in replaced])] if replaced else runbooks, problems


def read_sound(words: Sequence[str]) -> tuple[list[Runbook], list[Problem]]:
    """Read as `read_all` does; where none is named, those that have mistakes are left out, and the mistakes are told.

    One misspelt line must not take every other runbook from somebody who named none.

    Raises:
        UsageError: one can't be found.
        Invalid: with the mistakes of all that are named, or where no runbook is left.
    """
    if words:
        return read_all(words), []
    runbooks, problems = read_each(every_name())
    if not runbooks:
        raise Invalid(problems)
    return runbooks, problems


def read_each(words: Sequence[str]) -> tuple[list[Runbook], list[Problem]]:
    """Read the runbooks that these words name: those that can be read, and the mistakes of the others.

    Raises:
        UsageError: one can't be found, or two are called alike.
    """
    runbooks: list[Runbook] = []
    problems: list[Problem] = []
    for word in words:
        path, origin = _locate_whole(word)
        try:
            runbook = read_whole(path, origin="built-in" if origin == "built-in" else "file", shown=shown_path(path))
        except Invalid as invalid:
            problems += invalid.problems
            continue
        if all(runbook.digest != other.digest for other in runbooks):
            runbooks.append(runbook)
    names = [runbook.name for runbook in runbooks]
    for name in {name for name in names if names.count(name) > 1}:
        raise UsageError(f"two different runbooks are called {name}: check them one after the other")
    return runbooks, problems


def survey(word: str) -> LenientRunbook:
    """Read a runbook that may have mistakes, going on behind them.

    Raises:
        UsageError: it can't be found.
        Invalid: it is no text.
    """
    path, origin = _locate_whole(word)
    text = read_text(path, shown_path(path))
    found = survey_runbook(text, path.stem, shown_path(path), origin="built-in" if origin == "built-in" else "file")
    whole, problems = extended(found.runbook)
    return structs.replace(found, runbook=of_today(whole), problems=[*found.problems, *problems])


def extending(project: Project) -> list[Runbook]:
    """The runbooks of a project that extend built-in ones, as they stand in their files.

    Raises:
        Invalid: one can't be read.
    """
    books = [read_runbook(file, shown=shown_path(file)) for file in project.runbooks().values()]
    return [book for book in books if book.front.extends]


def wanted_built_in(project: Project) -> list[str]:
    """The names of the built-in runbooks that a project wants, whether it extends them or not."""
    own = {book.front.extends for book in extending(project)}
    return sorted({*project.builtin(), *own} & {*builtin_names()})


def old_names_in_force() -> dict[str, str]:
    """Old names of blocks → present ones, of the runbooks that are meant where none is named."""
    try:
        return old_names(read_or_built_in()[0])
    except RunbookError:
        return {}


class FoundBlock(Struct, frozen=True):
    """A runbook, or one block of it."""

    runbook: Runbook
    placed: LocatedBlock | None


def find_block(word: str) -> FoundBlock:
    """Find what a word means: a file or built-in runbook; RUNBOOK#ID, RUNBOOK/ID or ID alone for one block.

    Raises:
        UsageError: there is no such runbook, or no such block in it; or several have one of that name.
        Invalid: the runbook has mistakes.
    """
    name, identifier = meant_by(word)
    (runbook,) = read_all([name])
    if not identifier:
        return FoundBlock(runbook, None)
    for placed in runbook.placed():
        if placed.block.id == identifier:
            return FoundBlock(runbook, placed)
    known = [placed.block.id for placed in runbook.placed()]
    raise UsageError(
        f"{runbook.name} has no block {identifier}: {did_you_mean(identifier, known, f'runbook list {name}')}"
    )


def meant_by(word: str) -> tuple[str, str]:
    """The runbook and the block that a word means, as `split_word`; an ID alone is the one block that is called so.

    An old name means the block that had it, and is given as the present one. Only blocks of runbooks that are found by
    their names are found by their ids. A runbook's name comes first.

    Raises:
        UsageError: several blocks are called so, or nothing is.
        Invalid: a runbook has mistakes.
    """
    name, identifier = split_word(word)
    if identifier:
        return _of_today(name, identifier)
    try:
        locate(word)
    except UsageError:
        if not _ID.fullmatch(word) or Path(word).exists():
            raise
        books, problems = read_sound([])
        places = _places(books)
        if word not in places and (now := present_name(word, old_names(books))) != word:
            runbook, _, identifier = now.partition("/")
            return runbook, identifier
        if word not in places and nearest(word, sorted({*every_name(), *builtin_names()})):
            raise
        return _block_called(word, places, problems)
    return name, ""


def _of_today(name: str, identifier: str) -> tuple[str, str]:
    """A runbook and a block of it: those that are called so, or else the ones that an old name means."""
    try:
        (book,) = read_all([name])
    except RunbookError:
        return name, identifier  # whoever reads it says why it can't be read
    whole = f"{book.name}/{identifier}"
    if any(placed.name == whole for placed in book.placed()):
        return name, identifier
    now = old_names([book]).get(whole) or old_names_in_force().get(whole, whole)
    runbook, _, identifier = now.partition("/")
    return name if runbook == book.name else runbook, identifier


def _places(books: Sequence[Runbook]) -> dict[str, list[str]]:
    """The ids of the blocks of runbooks, each with the runbooks that have one of that id."""
    places: dict[str, list[str]] = {}
    for book in books:
        for placed in book.placed():
            places.setdefault(placed.block.id, []).append(book.name)
    return places


def _block_called(word: str, places: Mapping[str, Sequence[str]], problems: Sequence[Problem]) -> tuple[str, str]:
    if word not in places and problems:
        raise Invalid(problems)  # it may stand in one of these
    if word not in places:
        near = [f"{book}#{name}" for name in near_names(word, [*places]) for book in places[name]]
        asked = not_read(word) or (f"did you mean {' or '.join(near)}? " if near else "")
        if (kind := word.removesuffix("s")) in {**KINDS, **OF_INVENTORY}:
            asked = f"how to write such: runbook list --blocks {kind}; "
        own = "" if is_there() else f"those of your own are found in their project's folder, or by {VARIABLE}=DIR"
        elsewhere = f"; {there}" if (there := above() or own) else ""
        raise UsageError(f"no runbook or block {word}: {asked}runbook list names all{elsewhere}")
    if len(places[word]) > 1:
        raise UsageError(f"{word}: which? {' or '.join(f'{book}#{word}' for book in places[word])}")
    return places[word][0], word


def split_word(word: str) -> tuple[str, str]:
    """Split a word into runbook and block; the block is empty where the whole runbook is meant."""
    if Path(word).exists():
        return word, ""
    if "#" in word:
        name, _, identifier = word.rpartition("#")
        return name, identifier
    name, slash, identifier = word.rpartition("/")
    if slash and not word.endswith(".md"):
        return name, identifier
    return word, ""


def shown_path(path: Path) -> str:
    """How messages name a file: from here where that is shorter."""
    here = Path.cwd()
    below = path.is_absolute() and path.is_relative_to(here) and here != Path(here.anchor)
    return str(path.relative_to(here)) if below else str(path)


def no_runbook(path: Path) -> str:
    """Why a path that there is can't be a runbook, and what to write instead; "" where it may be one.

    Raises:
        Invalid: it is no text.
    """
    if path.is_dir():
        return f"{path} is a folder: {_instead_of_folder(path)}"
    if path.suffix not in {".yaml", ".yml"}:
        return ""
    text = read_text(path, str(path))
    if _INVENTORY.search(text):
        return f"{path} is an inventory: runbook lint -i {path} says what is wrong with it{_without_names()}"
    if _CASES.search(text):
        return f"{path} is a file of cases: name its runbook, {path.resolve().parent.name}"
    return f"{path} is no runbook: a runbook is a Markdown file"


def not_read(name: str) -> str:
    """Say of a name that a file of the project has it which is not read, and the remedy; "" where none has."""
    project = find_project()
    unread = project.unread() if project else ()
    return next((f"{file} is not read: {remedy}; " for file, remedy in unread if file.stem == name), "")


def _without_names() -> str:
    project = find_project()
    named = project is not None and project.settings.inventory
    return "; runbook lint without names looks at the project's" if named else ""


def _instead_of_folder(folder: Path) -> str:
    if find_project() is not None:
        return "without names every runbook of the project is meant"
    there = [path for path in (folder, folder / "runbooks") if next(path.glob("*.md"), None)]
    if there:
        return f"name its runbooks, as in {there[0] / '*.md'}"
    return "no runbook (*.md) is in it"
