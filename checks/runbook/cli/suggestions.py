"""Words of other tools that people type here under pressure, and what is written here instead.

Few, on purpose: a word is worth its line where neither the command's help nor a name that is spelt alike leads on.
"""

import re
from collections.abc import Collection
from typing import Final

COMMANDS: Final = {
    "describe": "runbook show RUNBOOK#ID",
    "diagnose": "runbook check ha, or runbook find 'WHAT YOU SEE'",
    "get": "runbook list, runbook show RUNBOOK#ID, or runbook probe NAME for rows",
    "grep": "runbook find 'TEXT'",
    "help": "runbook --help, or runbook COMMAND --help",
    "run": "runbook check RUNBOOK, or runbook procedure walk RUNBOOK#ID",
    "search": "runbook find 'TEXT'",
    "status": "runbook check, or runbook env for what can be reached",
    "validate": "runbook lint",
    "version": "runbook --version",
    "waivers": "runbook env --offline, which lists those of each environment with their last days",
    "lab start": "runbook lab up",
    "lab stop": "runbook lab down",
}
"""Word, after its group's name if it is of one → what to write instead."""

_ENVIRONMENT: Final = ("--env NAME",)

OPTIONS: Final = {
    "--bootstrap-server": ("clusters stand in an inventory: runbook init DIR --from HOST:PORT writes one",),
    "--cluster": _ENVIRONMENT,
    "--context": _ENVIRONMENT,
    "--environment": _ENVIRONMENT,
    "--namespace": _ENVIRONMENT,
    "--json": ("--format json",),
    "--since": ("--from 1h --to MOMENT", "what changed since the last kept look: runbook diff last"),
    "--timeout": ("--deadline TIME",),
    "--verbose": ("more of a report: --full", "what happens inside: runbook --debug COMMAND"),
}
"""Option → what to write instead: the first that names no option which the command lacks."""

_PASTED: Final = "what you paste in quotes, behind two dashes: runbook find -- 'TEXT -1 MORE'"
_OPTION: Final = re.compile(r"(?<![\w-])--?[a-zA-Z][a-z-]*")


def options_named_in(advice: str) -> set[str]:
    """The options of the command at hand that a sentence names; what follows another command's name is of that."""
    return {*_OPTION.findall(advice.partition("runbook ")[0])}


def instead_of(option: str, there: Collection[str], command: str) -> str:
    """What to write in place of an option that a command does not have; "" where nothing is known.

    Args:
        option: what was written.
        there: the options that the command has: none that it lacks is recommended.
        command: its name: of `find`, an option that nobody knows is a part of a pasted text.
    """
    if option in there:
        return ""
    known = (advice for advice in OPTIONS.get(option, ()) if options_named_in(advice) <= {*there})
    return next(known, _PASTED if command == "find" and option else "")
