"""The looks that `diff` is given: files, or runs whose facts are kept in a store."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from runbook.evidence.bundle import Bundle, load_bundle
from runbook.evidence.kept_facts import FactStore, fact_store, kept_facts, kept_runs_of
from runbook.incident.results_store import store_to_read
from runbook.model.errors import UsageError
from runbook.run.sources.chosen_environments import choose_one
from runbook.run.sources.inventories import find_inventory, load_inventory

LAST = "last"  # the newest scheduled run whose facts are kept
_A_DAY = "20261123, in UTC"  # for example
_SHOWN = 5  # so many kept runs are named where another was asked for


def look_at(word: str, results: str, inventory: Path | None, environments: Sequence[str]) -> Bundle:
    """The look that a word names: a file; else `last`, or a run by its id or how that begins, such as 20261123.

    Args:
        word: of the command line.
        results: the store; "": the inventory's.
        inventory: the file of environments; None: the one in force.
        environments: of which the run is; one, as each has its own facts.

    Raises:
        UsageError: there is no such look; with what there is.
    """
    if Path(word).exists() or not (word == LAST or word[:8].isdecimal()):
        if word.isalpha() and not Path(word).exists():
            raise UsageError(
                f"the bundle {word} can't be read: there is no such file. A run whose facts are kept is "
                f"{LAST}, or when it was as its id begins ({_A_DAY}); runbook check --save FILE writes a bundle"
            )
        return load_bundle(Path(word))
    store = fact_store(store_to_read(results, inventory))
    environment = _one(inventory, environments)
    missing = _none_kept(store.name, environment, results, inventory)
    return kept_facts(store, environment, _run(store, environment, word, missing))


def _one(inventory: Path | None, environments: Sequence[str]) -> str:
    if len(environments) == 1 and not set("*?[") & set(environments[0]):
        return environments[0]
    return choose_one(load_inventory(inventory), environments, "the facts of each are kept for themselves").name


def _run(store: FactStore, environment: str, word: str, missing: str) -> str:
    runs = kept_runs_of(store, environment, of_incidents=True)
    found = kept_runs_of(store, environment) if word == LAST else [run for run in runs if run.startswith(word)]
    if not found:
        if not runs:
            raise UsageError(f"{store.name} keeps no facts of {environment} yet. {missing}")
        last = ", ".join(runs[-_SHOWN:])
        if word == LAST:
            raise UsageError(f"{store.name} keeps facts of {environment} from looks at incidents only: {last}")
        raise UsageError(f"{store.name} keeps no facts of {environment} from the run {word}: the last are {last}")
    return found[-1]


def _none_kept(store: str, environment: str, results: str, inventory: Path | None) -> str:
    """How facts come to be kept: by a scheduled run, once the inventory wants them; or by hand."""
    where = f" --inventory {shlex.quote(str(inventory))}" if inventory else ""
    check = f"runbook check --env {shlex.quote(environment)}{where}"
    if find_inventory(inventory) and load_inventory(inventory).keep_facts:
        into = f" --results {shlex.quote(results)}" if results else ""
        first = (
            "The inventory wants them of scheduled runs (keep_facts:), and none has kept them since. Make one:\n"
            f"    {check}{into} --trigger scheduled\n"
        )
    else:
        first = (
            "Let scheduled runs (--trigger scheduled) keep them, in the inventory:\n"
            f"    results: {{to: {store}, keep_facts: 14d}}\n"
        )
    return (
        f"{first}or keep a look by hand, and compare with it later (runbook diff --help):\n"
        f"    {check} --save before.json\n"
        f"    runbook diff before.json{where}"
    )
