"""What is wrong with an inventory, with what it says of checks: all of it at once."""

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from runbook.judge.compiled import Compiled
from runbook.judge.waiver import meant_by, strange_rows
from runbook.model.errors import Invalid, Problem, did_you_mean
from runbook.parse.inventory import Inventory, survey_inventory
from runbook.parse.runbook import Runbook, read_text
from runbook.run.plan import Selection, judged_columns, plan
from runbook.run.sources import compile_sound


def named_in(file: Path, words: Sequence[str]) -> list[str]:
    """Of these runbooks, names or files, those whose names the inventory holds: of the others it says nothing."""
    text = file.read_bytes() if file.is_file() else b""
    names = {word: re.escape(Path(word).name.removesuffix(".md").encode()) for word in words}
    return [word for word, name in names.items() if re.search(rb"\b" + name + rb"\b", text)]


def mistakes_of(file: Path, runbooks: Sequence[Runbook]) -> list[Problem]:
    """Find what is wrong with an inventory: its form, and the parameters and waivers of checks of these runbooks.

    A mistake in one line hides none in another, so far as the file is YAML.
    """
    try:
        inventory, problems = survey_inventory(read_text(file, str(file)), str(file), dt.datetime.now(dt.UTC).date())
    except Invalid as invalid:
        return list(invalid.problems)
    compiled, _ = compile_sound(runbooks)
    try:
        plan(compiled, inventory, list(inventory.targets.values()), Selection())
    except Invalid as invalid:
        problems += invalid.problems
    problems += [*_waivers(inventory, runbooks), *_waived_rows(inventory, compiled)]
    return sorted(dict.fromkeys(problems), key=lambda problem: (problem.place.line, problem.place.column))


def _waived_rows(inventory: Inventory, compiled: Sequence[tuple[Runbook, Sequence[Compiled]]]) -> Iterator[Problem]:
    """A problem for each waiver whose rows go by what the rows of its check do not have: it excuses nothing."""
    columns = {one.placed.name: judged_columns(one) for _, checks in compiled for one in checks}
    for target in inventory.targets.values():
        for i, waiver in enumerate(target.environment.waivers):
            there = columns.get(waiver.check)
            for name in strange_rows(waiver, there) if there is not None else ():
                place = inventory.document.key(("environments", target.name, "waivers", i, "rows", name))
                message = f'the rows of the waiver of {waiver.check} have no "{name}"'
                yield Problem(place, message, meant_by(name, there or ()))


def _waivers(inventory: Inventory, runbooks: Sequence[Runbook]) -> Iterator[Problem]:
    """A problem for each waiver of a check that its runbook does not have: a run notes it, as it excuses nothing."""
    names = {book.name: [placed.name for placed in book.checks()] for book in runbooks}
    for target in inventory.targets.values():
        for i, waiver in enumerate(target.environment.waivers):
            book = waiver.check.partition("/")[0]
            if book in names and waiver.check not in names[book]:
                place = inventory.document.place(("environments", target.name, "waivers", i, "check"))
                remedy = did_you_mean(waiver.check, names[book], f"runbook list {book}")
                yield Problem(place, f'the waiver names no check: "{waiver.check}"', remedy)
