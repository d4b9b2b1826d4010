"""Write down what is expected of which environment."""

import sys
from collections.abc import Sequence
from pathlib import Path

from runbook import __version__
from runbook.engine import moment
from runbook.engine.filing import EXPECTED
from runbook.engine.inventory import FLEET
from runbook.engine.plan import Selection, plan
from runbook.engine.run import Expected
from runbook.engine.snapshot import (
    Changes,
    MalformedSnapshot,
    Snapshot,
    changes,
    read_snapshot,
    snapshot_path,
    write_snapshot,
)
from runbook.engine.store import Store
from runbook.run.sources import choose, compile_all, load_inventory, read_all


def write_expected(
    store: Store, runbooks: Sequence[str], patterns: Sequence[str], inventory: Path | None, *, add: bool
) -> int:
    """Write a snapshot of what is expected, unless the one in force says the same; print what changed.

    Args:
        store: where to.
        runbooks: files or names; none: all built-in ones.
        patterns: names or globs of environments.
        inventory: its file; None: the one in force.
        add: whether what is expected already stays so.

    Raises:
        UsageError: something named is not there.
        NotKept: it could not be written.
    """
    before = _in_force(store)
    now = _snapshot(runbooks, patterns, inventory)
    if add and before:
        now = _together(before, now)
    changed = changes(before, now)
    for line in _lines(changed):
        print(line)
    told = f"{len(now.environments)} environments, {len(now.checks)} checks"
    if before and not changed.any:
        print(f"expected since {before.at[:10]}: {told}; nothing changed, nothing written")
        return 0
    path = snapshot_path(now)
    store.write(path, write_snapshot(now))
    print(f"expected from now on: {told}; kept in {store.name}/{path}")
    return 0


def _snapshot(runbooks: Sequence[str], patterns: Sequence[str], inventory_file: Path | None) -> Snapshot:
    inventory = load_inventory(inventory_file)
    targets = choose(inventory, patterns)
    compiled = compile_all(read_all(runbooks))
    judgements = plan(compiled, inventory, targets, Selection())
    names = [book.name for book, _ in compiled]
    environments = {target.name: list(names) for target in targets}
    of_all = sorted({one.runbook.name for one in judgements if one.environment == FLEET})
    return Snapshot(
        at=moment.now(),
        tool_version=__version__,
        environments=environments | ({FLEET: of_all} if of_all else {}),
        checks=[
            Expected(c.placed.name, c.check.severity, c.placed.digest(), book.name, book.front.version)
            for book, checks in compiled
            for c in checks
        ],
    )


def _in_force(store: Store) -> Snapshot | None:
    """The last snapshot of a store, of those that can be read."""
    readable = []
    for found in store.read(lambda path, _: path.startswith(f"{EXPECTED}/")):
        try:
            readable.append(read_snapshot(found.content))
        except MalformedSnapshot as error:
            print(f"{found.path} is passed over: {found.trouble or error}", file=sys.stderr)
    return max(readable, key=lambda snapshot: snapshot.at, default=None)


def _together(before: Snapshot, now: Snapshot) -> Snapshot:
    environments = {
        name: sorted({*before.environments.get(name, []), *now.environments.get(name, [])})
        for name in sorted({*before.environments, *now.environments})
    }
    books = {one.runbook for one in now.checks}  # of these, the definitions of now hold
    kept = [one for one in before.checks if one.runbook not in books]
    return Snapshot(now.at, now.tool_version, environments, [*kept, *now.checks])


def _lines(changed: Changes) -> list[str]:
    return [
        *(f"+ environment {name}" for name in changed.added_environments),
        *(f"- environment {name}" for name in changed.retired_environments),
        *(f"+ check {name}" for name in changed.added_checks),
        *(f"- check {name}" for name in changed.retired_checks),
        *(f"~ check {name}: redefined" for name in changed.redefined_checks),
    ]
