"""What people write out of habit from other tools, and what is written here instead."""

import re
from collections.abc import Collection, Mapping
from typing import Final

_OWN: Final = "runbook init DIR for a knowledge base of your own; runbooks are Markdown files in its runbooks/"

_WAIVERS: Final = "runbook env --offline, which tells those of each environment with their last days"

COMMANDS: Final = {
    "lab create": "runbook lab up",
    "lab delete": "runbook lab down",
    "lab destroy": "runbook lab down",
    "lab fix": "runbook lab heal",
    "lab inject": "runbook lab break FAULT; which there are: runbook lab break",
    "lab list": "runbook lab status",
    "lab logs": "runbook lab status, which names each broker's log",
    "lab ls": "runbook lab status",
    "lab ps": "runbook lab status",
    "lab restart": "runbook lab heal, which brings stopped brokers back; or runbook lab down, then runbook lab up",
    "lab rm": "runbook lab down",
    "lab start": "runbook lab up",
    "lab stop": "runbook lab down",
    "procedure ls": "runbook procedure list",
    "procedure run": "runbook procedure walk RUNBOOK#ID, which shows commands and runs none",
    "procedure show": "runbook show RUNBOOK#ID",
    "procedure start": "runbook procedure walk RUNBOOK#ID",
    "results ls": "runbook results list",
    "add": _OWN,
    "apply": "runbook procedure walk RUNBOOK#ID, which shows commands and runs none",
    "build": "runbook publish DIR",
    "completion": "runbook --install-completion",
    "config": "runbook env for what environments.yaml says; runbook init DIR writes one",
    "create": _OWN,
    "describe": "runbook show RUNBOOK#ID",
    "diagnose": "runbook check ha, or runbook find 'WHAT YOU SEE'",
    "doctor": "runbook env",
    "edit": "runbook show RUNBOOK -o markdown for its text; your own runbooks are files for any editor",
    "environments": "runbook env",
    "exec": "nothing runs on a cluster; runbook probe NAME shows what is seen of it",
    "explain": "runbook show RUNBOOK#ID; for the fields of a block, runbook list --blocks check",
    "get": "runbook list, runbook show RUNBOOK#ID, or runbook probe NAME for rows",
    "grep": "runbook find 'TEXT'",
    "help": "runbook --help, or runbook COMMAND --help",
    "logs": "runbook probe NAME for what is seen of a cluster; runbook lab status names the logs of a lab",
    "ls": "runbook list",
    "mkdocs": "runbook publish DIR",
    "new": _OWN,
    "ping": "runbook env",
    "report": "runbook check RUNBOOK --out FILE; for all that is kept: runbook publish DIR",
    "run": "runbook check RUNBOOK, or runbook procedure walk RUNBOOK#ID",
    "search": "runbook find 'TEXT'",
    "serve": "runbook publish DIR, which writes plain files for any web server",
    "simulate": "runbook what-if",
    "status": "runbook check, or runbook env for what can be reached",
    "validate": "runbook lint",
    "version": "runbook --version",
    "waive": "into environments.yaml what runbook list --blocks waiver shows",
    "waiver": _WAIVERS,
    "waivers": _WAIVERS,
    "walk": "runbook procedure walk RUNBOOK#ID",
    "watch": "runbook check RUNBOOK --watch",
}
"""Word, after its group's name if it is of one → what to write instead."""

_INVENTORY: Final = ("the command reads no inventory; runbook lint -i FILE says what is wrong with one",)
_QUIET: Final = ("the exit code says it: runbook check ha > /dev/null",)
_MORE: Final = ("more of a report: --full", "what happens inside: runbook --debug COMMAND")
_TEXT: Final = "the command writes text for people; for programs: its exit code, or runbook check"

_SERVED: Final = ("nothing; runbook publish DIR writes plain files, which any web server shows",)
_DIRECTORY: Final = ("the folder alone: runbook publish DIR",)
_CONFIGURED: Final = ("nothing; what is published stands in runbook.yaml, or in the mkdocs.yml of a checkout",)
_ALL_JUDGED: Final = ("nothing; all cases are judged, and each that is wrong is told",)
_NAMED_THERE: Final = ("nothing; the name of an environment is what you write into environments.yaml",)
_CHOSEN: Final = ("nothing; each fault says what it takes: runbook lab break lists them",)
_LOST: Final = ("--lose broker:2, or --lose rack:NAME",)

_OF_RUNBOOKS: Final = ("check", "lint", "list", "show", "test")  # that are named as words

_CHOICE: Final = ("--objective NAME", "--severity LEVEL", "--only CHECK")

OPTIONS: Final = {
    **{f"{name} --runbook": (f"its name alone: runbook {name} ha",) for name in _OF_RUNBOOKS},
    "check --since": ("what changed since the last kept look: runbook diff last",),
    "diff --since": ("what changed since the last kept look: runbook diff last",),
    "find --runbook": ("--in RUNBOOK",),
    "check --fix": ("nothing; a remedy says what to do, and runbook procedure walk RUNBOOK#ID leads through it",),
    "incident --since": ("--from 1h, or a moment",),
    "incident --until": ("--to MOMENT",),
    "init --env": _NAMED_THERE,
    "init --force": ("nothing; no file is written over: take away what you want anew",),
    "init --name": _NAMED_THERE,
    "init -e": _NAMED_THERE,
    "init -n": _NAMED_THERE,
    "lab break --broker": _CHOSEN,
    "lab break --rack": _CHOSEN,
    "lab up --brokers": ("nothing; a lab has three brokers, and one with --with development",),
    "lint --fix": ("nothing; runbook lint says what to write, and changes no file",),
    "probe -n": ("--env NAME", "--limit N for rows"),
    "publish --config-file": _CONFIGURED,
    "publish --serve": _SERVED,
    "publish --site-dir": _DIRECTORY,
    "publish --strict": ("nothing; a site is always built strictly",),
    "publish --watch": _SERVED,
    "publish -a": _SERVED,
    "publish -d": _DIRECTORY,
    "publish -f": _CONFIGURED,
    "test --exitfirst": _ALL_JUDGED,
    "test --lf": _ALL_JUDGED,
    "test --maxfail": _ALL_JUDGED,
    "test -n": _ALL_JUDGED,
    "test -x": _ALL_JUDGED,
    "what-if --broker": _LOST,
    "what-if --rack": _LOST,
    "what-if -b": _LOST,
    "--bootstrap-server": ("clusters stand in an inventory: runbook init DIR --from HOST:PORT writes one",),
    "--all-namespaces": ("--env '*' for all environments",),
    "--all": ("--env '*' for all environments", "--full for all of a report"),
    "--collect-only": ("--verbose names the cases", "runbook list names the checks"),
    "--context": ("--env NAME",),
    "--cluster": ("--env NAME",),
    "--debug": ("before the command: runbook --debug COMMAND",),
    "--diff": ("nothing; runbook diff says what changed between two looks",),
    "--env": ("--name NAME",),
    "--environment": ("--env NAME",),
    "--namespace": ("--env NAME",),
    "--json": ("--format json",),
    "--list": ("runbook list for blocks, runbook list --probes for probes",),
    "--limit": ("--env NAME for environments", "--rows N for rows"),
    "--no-color": ("--color never, or NO_COLOR=1",),
    "--output": ("--out FILE", "--format NAME"),
    "--quiet": _QUIET,
    "--tags": _CHOICE,
    "--timeout": ("--deadline TIME",),
    "--verbose": _MORE,
    "--version": ("runbook --version",),
    "-A": ("--env '*' for all environments",),
    "-E": ("--env NAME",),
    "-e": ("--name NAME",),
    "-k": ("--only CHECK",),
    "-l": ("--env NAME",),
    "-n": ("--env NAME",),
    "-f": (f"{_TEXT} --format json",),
    "--format": (f"{_TEXT} --format json",),
    "-i": _INVENTORY,
    "--inventory": _INVENTORY,
    "-o": (f"{_TEXT} -o json",),
    "-q": _QUIET,
    "-t": _CHOICE,
    "-v": (*_MORE, "the version: runbook --version"),
    "-x": ("--fail-on LEVEL says from which severity on the exit code is 1",),
}
"""Option, after its command where it is a habit there alone → what to write instead.

It is told where a command has no such option, and has those that are named here.
"""

ENVIRONMENTS: Final = ("--env", "-e", "--environment", "--namespace", "--context", "--cluster", "-n", "-l")
"""Options by which other tools choose a cluster."""

EXTRA: Final = {
    "lab break": "one fault; each says what it takes: runbook lab break lists them",
    "lab down": "--name NAME, once for each lab",
    "lab heal": "--name NAME",
    "lab status": "--name NAME",
    "lab up": "--name NAME",
    "show": "the block in one word with its runbook: runbook show RUNBOOK#ID",
}
"""Command → what to write in place of a word more than it takes."""

LISTED: Final = {
    "checks": "runbook list",
    "clusters": "runbook env",
    "environments": "runbook env",
    "envs": "runbook env",
    "faults": "runbook lab break",
    "labs": "runbook lab status",
    "procedures": "runbook procedure list",
    "results": "runbook results list",
    "runs": "runbook results list",
    "waivers": _WAIVERS,
    "walks": "runbook procedure walks",
}
"""What somebody may want to be listed → the command that does."""

MISSING: Final = {
    "diff": "what changed since the last kept look: runbook diff last; or a look of runbook check --save FILE",
    "find": "what you see in quotes, an error or the name of an alert: runbook find 'TEXT'",
    "pauses": "--out FILE, as in --env NAME --out pauses.svg",
    "procedure show": "the ID of a walk; which there are: runbook procedure walks; a procedure's text: runbook show",
    "publish": "the folder to publish into: runbook publish DIR",
    "results import": "where runs are, then where to: runbook results import SOURCE STORE",
    "show": "runbook show RUNBOOK, or runbook show RUNBOOK#ID; which there are: runbook list",
}
"""Command → what to write where it lacks a word, or an option, that it can't do without."""

WITHOUT_VALUE: Final = {
    "--checks": "--checks DIR, a folder with code of yours; which checks there are: runbook list",
    "--env": "--env NAME; which there are: runbook env --offline",
    "-e": "--env NAME; which there are: runbook env --offline",
    "--only": "--only CHECK; which there are: runbook list",
    "--resume": "--resume ID; which there are: runbook procedure walks",
}
"""Option → what was meant where its value is lacking."""

REHEARSALS: Final = ("--dry-run", "--check")
"""Options by which other tools only say what they would do."""

_LOOKS: Final = "only looks, and changes no cluster"

DOES: Final = {
    "check": f"{_LOOKS}; reports and results are written where options or the project say",
    "diff": _LOOKS,
    "drill": "writes a record; to a cluster only with --allow-canary",
    "env": _LOOKS,
    "find": _LOOKS,
    "incident": "writes one page, and asks no system",
    "init": "writes files that are not there yet, and overwrites none: try it in an empty folder",
    "lab break": "breaks something in a lab; runbook lab heal mends it",
    "lab demo": "starts clusters on this machine, and writes results, a scorecard and a site",
    "lab down": "stops a lab and removes its data; runbook lab status says which are up",
    "lab heal": "mends what runbook lab break broke in a lab",
    "lab history": "writes results that are made up into a folder without results",
    "lab parts": _LOOKS,
    "lab status": _LOOKS,
    "lab tools": "writes scripts into a folder, and starts nothing",
    "lab up": "starts a cluster on this machine and writes its files; runbook lab down removes it",
    "lint": f"{_LOOKS}; with --release it writes releases.json",
    "list": _LOOKS,
    "pauses": "writes one picture, and only looks at the cluster",
    "probe": _LOOKS,
    "procedure list": _LOOKS,
    "procedure show": _LOOKS,
    "procedure walk": "writes a record; it shows commands, and runs none",
    "procedure walks": _LOOKS,
    "publish": "writes the site into DEST: try it with a folder that nobody is shown",
    "requests": _LOOKS,
    "results expect": "writes into the results store what is expected from now on",
    "results import": "writes runs into a results store: try it with a new one",
    "results list": _LOOKS,
    "results verify": _LOOKS,
    "scorecard": "writes tables; --out DIR says where",
    "show": _LOOKS,
    "test": _LOOKS,
    "upgrade": "writes nothing without --accept",
    "verify": _LOOKS,
    "what-if": _LOOKS,
}
"""Command → what it does to what is there, in place of a rehearsal, which no command has."""

TEXT_OF: Final = {"find": "what you paste in quotes, behind two dashes: runbook find -- 'TEXT -1 MORE'"}
"""Command → what to write in place of an option that nobody knows, and that is a part of a pasted text."""

START: Final = (
    "Something is wrong now:  runbook check ha      runbook find 'THE ERROR OR ALERT YOU SEE'",
    "New here:                runbook lab up        runbook init DIR --from HOST:PORT",
)
"""Where to begin, under the list of commands."""


_OPTION: Final = re.compile(r"(?<![\w-])--?[a-zA-Z][a-z-]*")


def named_in(advice: str) -> set[str]:
    """The options of the command at hand that a sentence names; what follows another command's name is of that."""
    return {*_OPTION.findall(advice.partition("runbook ")[0])}


_EXTRA: Final = re.compile(r"unexpected extra arguments?(?:\(s\))? \(([\w.-]+=[^)]*)\)")


def assigned_by(message: str, options: Mapping[str, str | None]) -> str:
    """What to write in place of NAME=VALUE words that stand alone; "" where the command takes none or none are meant.

    Args:
        message: why the command line is wrong.
        options: those that the command has → what stands for their value.
    """
    taking = next((option for option, value in options.items() if value == "NAME=VALUE"), "")
    found = _EXTRA.search(message)
    return " ".join(f"{taking} {word}" for word in found[1].split()) if found and taking else ""


def instead_of(option: str, there: Collection[str], command: str) -> str:
    """What to write in place of an option that a command does not have; "" where nothing is known.

    Args:
        option: what was written.
        there: the options that the command has: none that it lacks is recommended.
        command: its name, after its group's name if it is of one.
    """
    if option in there:
        return ""
    if option in REHEARSALS:
        return f"nothing; runbook {command} {DOES[command]}" if command in DOES else ""
    known = OPTIONS.get(f"{command} {option}") or OPTIONS.get(option, ())
    written = ", or ".join(advice for advice in known if named_in(advice) <= {*there})
    if not written and option in ENVIRONMENTS and command in DOES and "--env" not in there:
        return f"nothing; runbook {command} asks no cluster, as runbook check RUNBOOK --env NAME does"
    return written if known else TEXT_OF.get(command, "")


def in_place_of_a_word(message: str, command: str) -> str:
    """What to write for a word more than a command takes, or one that it lacks; "" where nothing is known."""
    if message.startswith("Missing "):
        return MISSING.get(command, "")
    return EXTRA.get(command, "") if "unexpected extra argument" in message else ""
