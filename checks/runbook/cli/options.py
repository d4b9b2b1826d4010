"""Options that several commands share, with their help and completion."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from runbook.cli.completion import complete_environments, complete_runbooks, complete_severities, one_of


def some_runbooks(completion: Callable[[str], list[str]]) -> Any:
    """The argument that names runbooks, or what of them a command takes, by which the shell completes it."""
    return typer.Argument(
        metavar="[RUNBOOK]...", help="Files, or names of built-in runbooks.", autocompletion=completion
    )


def one_format(meaning: str, *words: str) -> Any:
    """The option for the form of what is printed: its help, and the words that it takes."""
    return typer.Option("--format", "-f", "-o", metavar="NAME", help=meaning, autocompletion=one_of(*words))


Runbooks = Annotated[list[str] | None, some_runbooks(complete_runbooks)]
Severity = Annotated[
    str,
    typer.Option(metavar="LEVEL", help="Only checks of this severity and above.", autocompletion=complete_severities),
]
FailOn = Annotated[
    str,
    typer.Option(
        metavar="LEVEL",
        help="Exit with 1 if a check of this severity or above fails.",
        autocompletion=complete_severities,
    ),
]
InventoryFile = Annotated[
    Path | None,
    typer.Option(
        "--inventory",
        "-i",
        metavar="FILE",
        help="Inventory file. Default: $RUNBOOK_INVENTORY, ./environments.yaml, the user's, or a running lab's.",
    ),
]
Environments = Annotated[
    list[str] | None,
    typer.Option(
        "--env", "-e", metavar="NAME", help="Environment, or glob. Repeatable.", autocompletion=complete_environments
    ),
]
OneEnvironment = Annotated[
    list[str] | None,  # so that what is meant by several is told
    typer.Option(
        "--env",
        "-e",
        metavar="NAME",
        help="One environment, by name or glob. Default: the only one, or the inventory's default.",
        autocompletion=complete_environments,
    ),
]
Checks = Annotated[
    list[Path] | None,
    typer.Option("--checks", metavar="DIR", help="Your own checks/ folder: probes/, views/, connections/. Repeatable."),
]
Format = Annotated[str, one_format("console or json.", "console", "json")]
Deadline = Annotated[
    str,
    typer.Option(
        "--deadline", metavar="TIME", help="How long to wait for answers, from the first request on: 6s, 500ms, 2m."
    ),
]
Color = Annotated[str, typer.Option("--color", metavar="WHEN", help="auto, always or never.")]
By = Annotated[str, typer.Option(metavar="NAME", help="Name of the person who walks. Default: the login name.")]
_ELSE = "Default: 10s, or twice the longest time between two observations of a check."
RunDeadline = Annotated[
    str,
    typer.Option(
        "--deadline", metavar="TIME", help=f"How long to wait for answers, from the first request on: 6s, 2m. {_ELSE}"
    ),
]
GateDeadline = Annotated[
    str,
    typer.Option(
        "--deadline",
        metavar="TIME",
        help=f"How long a gate waits for answers, from its first request on: 6s, 2m. {_ELSE}",
    ),
]
Rehearse = Annotated[
    Path | None, typer.Option("--from", metavar="FILE", help="Rehearse: judge gates by the facts of this bundle.")
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Value of a placeholder in commands and gates, such as TOPIC=orders. Repeatable.",
    ),
]
NoTerminal = Annotated[bool, typer.Option("--no-terminal", help="Read answers as lines from standard input.")]
Records = Annotated[
    Path | None,
    typer.Option(
        "--record", metavar="PLACE", help="Folder of records, or a new file. Default: the user's state folder."
    ),
]
