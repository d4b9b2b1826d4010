"""Write down what is expected of which environment from now on."""

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct, structs

from runbook import __version__
from runbook.evidence.snapshot import (
    Changes,
    MalformedSnapshot,
    Snapshot,
    changes,
    read_snapshot,
    snapshot_path,
    write_snapshot,
)
from runbook.evidence.store import Store
from runbook.evidence.store_layout import EXPECTED
from runbook.model import moment
from runbook.parse.inventory import FLEET
from runbook.parse.old_names import inventory_of_today, old_names
from runbook.run.planning.plan import Selection, expected, plan
from runbook.run.sources.chosen_environments import choose
from runbook.run.sources.compiled_runbooks import compile_all
from runbook.run.sources.inventories import load_inventory
from runbook.run.sources.runbooks import old_names_in_force, read_all


class WrittenExpectations(Struct, frozen=True):
    """What is expected from now on.

    Attributes:
        snapshot: of environments and checks.
        changed: against what was expected before.
        before: the moment of the snapshot that was in force; empty if there was none.
        path: where in the store it was written; empty if nothing had changed, and nothing was written.
    """

    snapshot: Snapshot
    changed: Changes
    before: str
    path: str


def write_expected(
    store: Store,
    runbooks: Sequence[str],
    patterns: Sequence[str],
    inventory: Path | None,
    *,
    add: bool,
    passed_over: Callable[[str], None],
) -> WrittenExpectations:
    """Write a snapshot of what is expected, unless the one in force says the same.

    Args:
        store: where to.
        runbooks: files or names; none: all built-in ones.
        patterns: names or globs of environments.
        inventory: its file; None: the one in force.
        add: whether what is expected already stays so.
        passed_over: is told of each snapshot in the store that can't be read, and why.

    Raises:
        UsageError: something named is not there.
        NotKept: it could not be written.
    """
    before = _of_today(_in_force(store, passed_over))
    now = _snapshot(runbooks, patterns, inventory)
    if add and before:
        now = _together(before, now)
    changed = changes(before, now)
    if before and not changed.any:
        return WrittenExpectations(now, changed, before.at, "")
    path = snapshot_path(now)
    store.write(path, write_snapshot(now))
    return WrittenExpectations(now, changed, before.at if before else "", path)


def _snapshot(runbooks: Sequence[str], patterns: Sequence[str], inventory_file: Path | None) -> Snapshot:
    books = read_all(runbooks)
    inventory = inventory_of_today(load_inventory(inventory_file), old_names(books))
    targets = choose(inventory, patterns)
    compiled = compile_all(books)
    judgements = plan(compiled, inventory, targets, Selection())
    names = [book.name for book, _ in compiled]
    environments = {target.name: list(names) for target in targets}
    of_all = sorted({judgement.runbook.name for judgement in judgements if judgement.environment == FLEET})
    return Snapshot(
        at=moment.now(),
        tool_version=__version__,
        environments=environments | ({FLEET: of_all} if of_all else {}),
        checks=expected(compiled),
    )


def _in_force(store: Store, passed_over: Callable[[str], None]) -> Snapshot | None:
    """The last snapshot of a store, of those that can be read."""
    readable = []
    for found in store.read(lambda path, _: path.startswith(f"{EXPECTED}/")):
        try:
            readable.append(read_snapshot(found.content))
        except MalformedSnapshot as error:
            passed_over(f"{found.path} is passed over: {found.trouble or error}")
    return max(readable, key=lambda snapshot: snapshot.at, default=None)


def _of_today(before: Snapshot | None) -> Snapshot | None:
    """A snapshot that names checks as they are called now."""
    if before is None:
        return None
    names = old_names_in_force()
    checks = [structs.replace(one, check=names.get(one.check, one.check)) for one in before.checks]
    return structs.replace(before, checks=checks)


def _together(before: Snapshot, now: Snapshot) -> Snapshot:
    environments = {
        name: sorted({*before.environments.get(name, []), *now.environments.get(name, [])})
        for name in sorted({*before.environments, *now.environments})
    }
    books = {check.runbook for check in now.checks}  # of these, the definitions of now hold
    kept = [check for check in before.checks if check.runbook not in books]
    return Snapshot(now.at, now.tool_version, environments, [*kept, *now.checks])
