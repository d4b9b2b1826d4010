"""What is wrong with an inventory, with what it says of checks: all of it at once."""

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from runbook.judge.compiled import Compiled
from runbook.judge.waiver import meant_by, strange_rows
from runbook.model.errors import Invalid, Problem, did_you_mean
from runbook.parse.inventory import Inventory, survey_inventory
from runbook.parse.old_names import inventory_of_today, old_names
from runbook.parse.runbook import Runbook, read_text
from runbook.run.planning.plan import Selection, judged_columns, plan
from runbook.run.planning.unknown_labels import unknown_labels
from runbook.run.sources.compiled_runbooks import compile_sound
from runbook.run.sources.runbooks import every_name, old_names_in_force, own_names, read_each


def named_in(file: Path, words: Sequence[str]) -> list[str]:
    """Of these runbooks, names or files, those whose names the inventory holds: of the others it says nothing."""
    text = file.read_bytes() if file.is_file() else b""
    names = {word: re.escape(Path(word).name.removesuffix(".md").encode()) for word in words}
    return [word for word, name in names.items() if re.search(rb"\b" + name + rb"\b", text)]


def mistakes_here(file: Path, words: Sequence[str] = ()) -> list[Problem]:
    """Find what is wrong with an inventory, beside these runbooks, names or files, and those that are meant here."""
    known = sorted({*every_name(), *(Path(word).stem for word in words)}) if own_names() else []
    return mistakes_of(file, read_each(named_in(file, words or every_name()))[0], known)


def mistakes_of(file: Path, runbooks: Sequence[Runbook], known: Sequence[str] = ()) -> list[Problem]:
    """Find what is wrong with an inventory: its form, and the parameters and waivers of checks of these runbooks.

    A mistake in one line hides none in another, so far as the file is YAML.

    Args:
        file: the inventory.
        runbooks: those that it says something of, as read.
        known: the names of all runbooks that there are; where it is empty nobody knows them all.
    """
    try:
        inventory, problems = survey_inventory(read_text(file, str(file)), str(file), dt.datetime.now(dt.UTC).date())
    except Invalid as invalid:
        return list(invalid.problems)
    inventory = inventory_of_today(inventory, old_names(runbooks))
    compiled, _ = compile_sound(runbooks)
    try:
        plan(compiled, inventory, list(inventory.targets.values()), Selection())
    except Invalid as invalid:
        problems += invalid.problems
    problems += [*_waivers(inventory, runbooks, known), *_parameters(inventory, known)]
    problems += _waived_rows(inventory, compiled)
    return sorted(dict.fromkeys(problems), key=lambda problem: (problem.place.line, problem.place.column))


def _waived_rows(inventory: Inventory, compiled: Sequence[tuple[Runbook, Sequence[Compiled]]]) -> Iterator[Problem]:
    """A problem for each waiver whose rows go by what the rows of its check do not have: it excuses nothing."""
    columns = {check.placed.name: judged_columns(check) for _, checks in compiled for check in checks}
    for target in inventory.targets.values():
        for i, waiver in enumerate(target.environment.waivers):
            there = columns.get(waiver.check)
            for name in strange_rows(waiver, there) if there is not None else ():
                place = inventory.document.key(("environments", target.name, "waivers", i, "rows", name))
                message = f'the rows of the waiver of {waiver.check} have no "{name}"'
                yield Problem(place, message, meant_by(name, there or ()))


def _waivers(inventory: Inventory, runbooks: Sequence[Runbook], known: Sequence[str]) -> Iterator[Problem]:
    """A problem for each waiver of a check that there is not: a run notes it, as it excuses nothing."""
    names = {book.name: [placed.name for placed in book.checks()] for book in runbooks}
    for target in inventory.targets.values():
        for i, waiver in enumerate(target.environment.waivers):
            path = ("environments", target.name, "waivers", i, "check")
            book, slash, _ = waiver.check.partition("/")
            if inventory.document.is_lost(path) or waiver.check in names.get(book, ()):
                continue
            if not slash:
                remedy = f"write {_whole_names(book) or 'RUNBOOK/CHECK'}"
            elif book in names:
                remedy = did_you_mean(waiver.check, names[book], f"runbook list {book}")
            elif known and book not in known:
                remedy = f"no runbook {book} here; {did_you_mean(book, known)}"
            else:
                continue
            yield Problem(inventory.document.place(path), f'the waiver names no check: "{waiver.check}"', remedy)


def _whole_names(word: str) -> str:
    """RUNBOOK/CHECK for the name of a check alone, of each that is called so; "" where none is."""
    books, _ = read_each(every_name())
    return " or ".join(check.name for book in books for check in book.checks() if check.block.id == word)


def _parameters(inventory: Inventory, known: Sequence[str]) -> Iterator[Problem]:
    """A problem for parameters of runbooks that there are not."""
    for target in inventory.targets.values():
        for check in target.environment.params:
            if known and (book := check.partition("/")[0]) not in known:
                place = inventory.document.key(("environments", target.name, "params", check))
                whole = _whole_names(check) if check == book else ""
                remedy = f"write {whole}" if whole else did_you_mean(book, known)
                yield Problem(place, f'the parameters are of no runbook: "{check}"', remedy)


def remarks_of(file: Path, runbooks: Sequence[Runbook]) -> list[Problem]:
    """What is no mistake of an inventory and may be a slip, or be written better.

    These are labels near to those that checks of these runbooks know, waivers that expired, and old names of checks.
    """
    try:
        inventory, _ = survey_inventory(read_text(file, str(file)), str(file), dt.datetime.now(dt.UTC).date())
    except Invalid:
        return []
    expired = expired_waivers(inventory, dt.datetime.now(dt.UTC))
    return [*_near_labels(inventory, runbooks), *expired, *_old_names(inventory, old_names_in_force())]


def _old_names(inventory: Inventory, names: Mapping[str, str]) -> Iterator[Problem]:
    """A remark on each name of a check that has another one now; it still means the check."""
    document = inventory.document
    for name, target in inventory.targets.items():
        of = ("environments", name)
        said = [(document.key((*of, "params", check)), check) for check in target.environment.params]
        for i, waiver in enumerate(target.environment.waivers):
            said.append((document.place((*of, "waivers", i, "check")), waiver.check))
        for place, check in said:
            if now := names.get(check):
                yield Problem(place, f"remark: {check} is called {now} now", "runbook upgrade writes that")


def expired_waivers(inventory: Inventory, now: dt.datetime) -> Iterator[Problem]:
    """A remark on each waiver that excuses nothing any more."""
    for target in inventory.targets.values():
        for i, waiver in enumerate(target.environment.waivers):
            path = ("environments", target.name, "waivers", i, "expires")
            if not inventory.document.is_lost(path) and _is_date(waiver.expires) and waiver.expired(now):
                message = f"remark: the waiver of {waiver.owner} for {waiver.check} expired on {waiver.expires}"
                yield Problem(inventory.document.place(path), message, "take it out, or agree on a new date")


def _is_date(text: str) -> bool:
    try:
        dt.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _near_labels(inventory: Inventory, runbooks: Sequence[Runbook]) -> list[Problem]:
    return [
        Problem(
            inventory.document.place(("environments", target.name, "labels", label.name)),
            f"remark: {label.message}",
            f"did you mean {label.meant}?",
        )
        for target in inventory.targets.values()
        for label in unknown_labels(target, runbooks)
        if label.meant
    ]
