"""What people write out of habit from other tools, and what is written here instead."""

import re
from collections.abc import Collection
from typing import Final

COMMANDS: Final = {
    "lab create": "runbook lab up",
    "lab delete": "runbook lab down",
    "lab destroy": "runbook lab down",
    "lab fix": "runbook lab heal",
    "lab list": "runbook lab status",
    "lab ls": "runbook lab status",
    "lab ps": "runbook lab status",
    "lab restart": "runbook lab heal, which brings stopped brokers back; or runbook lab down, then runbook lab up",
    "lab rm": "runbook lab down",
    "lab start": "runbook lab up",
    "lab stop": "runbook lab down",
    "procedure run": "runbook procedure walk RUNBOOK#ID, which shows commands and runs none",
    "procedure show": "runbook show RUNBOOK#ID",
    "procedure start": "runbook procedure walk RUNBOOK#ID",
    "results ls": "runbook results list",
    "apply": "runbook procedure walk RUNBOOK#ID, which shows commands and runs none",
    "completion": "runbook --install-completion",
    "describe": "runbook show RUNBOOK#ID",
    "diagnose": "runbook check ha, or runbook find 'WHAT YOU SEE'",
    "doctor": "runbook env",
    "environments": "runbook env",
    "explain": "runbook show RUNBOOK#ID; for the fields of a block, runbook list --blocks check",
    "get": "runbook list, runbook show RUNBOOK#ID, or runbook probe NAME for rows",
    "grep": "runbook find 'TEXT'",
    "help": "runbook --help, or runbook COMMAND --help",
    "ls": "runbook list",
    "ping": "runbook env",
    "run": "runbook check RUNBOOK, or runbook procedure walk RUNBOOK#ID",
    "search": "runbook find 'TEXT'",
    "serve": "runbook publish DIR, which writes plain files for any web server",
    "simulate": "runbook what-if",
    "status": "runbook check, or runbook env for what can be reached",
    "validate": "runbook lint",
    "version": "runbook --version",
    "walk": "runbook procedure walk RUNBOOK#ID",
}
"""Word, after its group's name if it is of one → what to write instead."""

OPTIONS: Final = {
    "--bootstrap-server": "clusters stand in an inventory: runbook init DIR --from HOST:PORT writes one",
    "--all": "--env '*' for all environments, --full for all of a report; without names all runbooks are meant",
    "--check": "nothing is ever changed here: runbook check only looks",
    "--collect-only": "runbook list names the checks; --verbose names the cases",
    "--context": "--env NAME",
    "--cluster": "--env NAME",
    "--debug": "before the command: runbook --debug COMMAND",
    "--dry-run": "nothing is ever changed here: runbook check only looks",
    "--environment": "--env NAME",
    "--json": "--format json",
    "--limit": "--env NAME for environments, --rows N for rows",
    "--no-color": "--color never, or NO_COLOR=1",
    "--output": "--out FILE, or --format NAME",
    "--quiet": "the exit code says it: runbook check ha > /dev/null",
    "--tags": "--objective NAME, --severity LEVEL or --only CHECK",
    "--timeout": "--deadline TIME",
    "--verbose": "more of a report: --full; what happens inside: runbook --debug COMMAND",
    "--version": "runbook --version",
    "-A": "--env '*' for all environments",
    "-E": "--env NAME",
    "-k": "--only CHECK",
    "-l": "--env NAME",
    "-n": "--env NAME",
    "-f": "the command writes text for people; for programs: its exit code, or runbook check --format json",
    "--format": "the command writes text for people; for programs: its exit code, or runbook check --format json",
    "-i": "the command reads no inventory; runbook lint -i FILE says what is wrong with one",
    "--inventory": "the command reads no inventory; runbook lint -i FILE says what is wrong with one",
    "-o": "the command writes text for people; for programs: its exit code, or runbook check -o json",
    "-q": "the exit code says it: runbook check ha > /dev/null",
    "-v": "more of a report: --full; what happens inside: runbook --debug COMMAND; the version: runbook --version",
    "-x": "--fail-on LEVEL says from which severity on the exit code is 1",
}
"""Option → what to write instead; only where a command has no such option."""

START: Final = (
    "Something is wrong now:  runbook check ha      runbook find 'THE ERROR OR ALERT YOU SEE'",
    "New here:                runbook lab up        runbook init DIR --from HOST:PORT",
)
"""Where to begin, under the list of commands."""


_OF_ONE: Final = re.compile(r"^--[a-z-]+(?= [A-Z]+$)")


def instead_of(option: str, there: Collection[str]) -> str:
    """What to write in place of an option that a command does not have; "" where nothing is known.

    Args:
        option: what was written.
        there: the options that the command has: none that it lacks is recommended.
    """
    instead = OPTIONS.get(option, "")
    named = _OF_ONE.match(instead)
    return "" if named and named[0] not in there else instead
