"""The environments at the ends of a walk: one in which it goes, or one that is left and another that takes over."""

from pathlib import Path

from msgspec import Struct

from runbook.model.block import Procedure
from runbook.model.errors import UsageError
from runbook.model.link import Mirror
from runbook.parse.inventory import Inventory, Target
from runbook.procedure.placeholders import placeholders
from runbook.procedure.walk import stages
from runbook.run.sources.chosen_environments import choose_one


class Ends(Struct, frozen=True):
    """Where a walk looks: the environment, the one it takes over from, and where records of drills are."""

    inventory: Inventory
    environment: str
    source: str = ""
    drills: Path | None = None


def needs_two(procedure: Procedure) -> bool:
    """Whether a procedure leads from one environment to another: a gate says at which it looks, or a command does."""
    words = {word for step in procedure.steps for word in placeholders(step.command)}
    return any(asked.at for stage in stages(procedure) for asked in stage.checks) or any(
        site in word for word in words for site in ("SOURCE", "TARGET")
    )


def walk_command(name: str, procedure: Procedure) -> str:
    """The command that walks a procedure, RUNBOOK/ID, with words for its environments."""
    ends = "--env SOURCE --to TARGET" if needs_two(procedure) else "--env ENVIRONMENT"
    return f"runbook procedure walk {name.replace('/', '#', 1)} {ends}"


def ends_of(inventory: Inventory, patterns: list[str], to: str, leads_on: str = "") -> Ends:
    """The ends of a walk.

    Args:
        inventory: where they stand.
        patterns: the environment that was named, or none.
        to: the one that takes over from it, if one was named.
        leads_on: the name of a procedure that leads from one environment to another; else empty.

    Raises:
        UsageError: an environment, the other one, or the mirror between them is not there; with the remedy.
    """
    if leads_on and not to:
        raise UsageError(
            f"{leads_on} leads from one environment to another that takes over: name both, --env SOURCE --to TARGET"
            + _declared(inventory, patterns)
        )
    here = choose_one(inventory, patterns, "a walk has one")
    if not to:
        return Ends(inventory, here.name, drills=drills_folder(here))
    there = choose_one(inventory, [to], "a walk ends in one", "--to")
    links = {(mirror.from_, mirror.to): mirror for mirror in inventory.mirrors}
    if (here.name, there.name) not in links:
        line = _turned(links.get((there.name, here.name)), here.name, there.name)
        raise UsageError(
            f"{inventory.file} names no mirror from {here.name} to {there.name}; add under mirrors: - {{{line}}}"
        )
    return Ends(inventory, there.name, here.name, drills_folder(there))


def _declared(inventory: Inventory, patterns: list[str]) -> str:
    """The ends of the mirrors that the inventory has, of the environment that was named if any has it."""
    mirrors = [one for one in inventory.mirrors if {one.from_, one.to} & {*patterns}] or inventory.mirrors
    ways = [f"--env {mirror.from_} --to {mirror.to}" for mirror in mirrors]
    return f"\n    mirrors of {inventory.file}: {', or '.join(ways)}" if ways else ""


def _turned(there: Mirror | None, here: str, to: str) -> str:
    """A mirror as the inventory has to declare it: as the one that leads the other way, turned round."""
    if there is None:
        return f"from: {here}, to: {to}"
    said = {
        "from": here,
        "to": to,
        "alias": there.target_alias,
        "target_alias": there.alias,
        "policy": "" if there.policy == "default" else there.policy,
        "topics": f"[{', '.join(there.topics)}]" if there.topics else "",
        "groups": f"[{', '.join(there.groups)}]" if there.groups else "",
    }
    return ", ".join(f"{name}: {value}" for name, value in said.items() if value)


def drills_folder(target: Target) -> Path | None:
    """The folder in which the inventory looks for records of an environment's drills, if it does."""
    given = target.connections.get("records", {}).get("drills")
    return Path(given).expanduser() if isinstance(given, str) else None
