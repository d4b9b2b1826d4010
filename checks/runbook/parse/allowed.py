"""Whether what a file says of a connection may be done: what nobody may set, and what a person must allow.

The rules are found by the name of the connection (`runbook.allowed`). An inventory comes along with a checkout, so that
consent to run anything never comes out of it, but out of the environment of the person who runs this.
"""

import os
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from runbook.model.errors import Misconfigured
from runbook.plugins.catalog import catalog

COMMANDS_ALLOWED: Final = "RUNBOOK_ALLOW_COMMANDS"
"""The environment variable that must be 1 before a program is run that an inventory, or a file of it, names."""

TRUST: Final = f"set {COMMANDS_ALLOWED}=1 if you trust this inventory"


class Refusal(Struct, frozen=True):
    """A setting that nobody may give.

    Attributes:
        path: where it stands in the settings of the connection.
        message: what may not be, and why.
        remedy: what to do instead.
    """

    path: tuple[str | int, ...]
    message: str
    remedy: str = ""


def commands_allowed() -> bool:
    """Whether the person who runs this lets an inventory's programs be run."""
    return os.environ.get(COMMANDS_ALLOWED) == "1"


def refusals(kind: str, settings: Mapping[str, Any]) -> Iterator[Refusal]:
    """What a connection of this kind may not be given, by whatever file."""
    yield from _asked(kind, "refused", settings)


def remarks(kind: str, settings: Mapping[str, Any]) -> Iterator[str]:
    """What is taken of a connection of this kind, and is weaker than it could be."""
    yield from _asked(kind, "remarks", settings)


def require_allowed(
    kind: str, settings: Mapping[str, Any], builds_on: Collection[str] = (), of_environment: Collection[str] = ()
) -> None:
    """Refuse to connect where something is set that may not be, or that nobody allowed.

    Args:
        kind: of connection.
        settings: of it; those of connections it builds on stand in it by their kinds.
        builds_on: those kinds.
        of_environment: names among the settings that the engine put there out of the environment's own fields.

    Raises:
        Misconfigured: with the first of them.
    """
    apart = {*builds_on, *of_environment}
    of_kinds = {kind: {name: value for name, value in settings.items() if name not in apart}}
    of_kinds |= {base: settings[base] for base in builds_on if base in settings}
    for name, given in of_kinds.items():
        for refusal in refusals(name, given):
            raise Misconfigured(f"{name}: {refusal.message}")
        for what in _asked(name, "consents", given):
            if not commands_allowed():
                raise Misconfigured(f"{what}, and programs are run on request only: {TRUST}")


def _asked(kind: str, what: str, settings: Mapping[str, Any]) -> Iterator[Any]:
    if kind in catalog("allowed"):
        yield from getattr(catalog("allowed").load(kind), what, lambda _: ())(settings)
