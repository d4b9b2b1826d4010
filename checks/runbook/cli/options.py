"""Options that several commands share, with their help and completion."""

from pathlib import Path
from typing import Annotated

import typer

from runbook.cli.completing import complete_environments, complete_runbooks, one_of

Runbooks = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[RUNBOOK]...", help="Files, or names of built-in runbooks.", autocompletion=complete_runbooks
    ),
]
InventoryFile = Annotated[
    Path | None,
    typer.Option(
        "--inventory",
        "-i",
        metavar="FILE",
        help="Environments; else $RUNBOOK_INVENTORY, ./environments.yaml, the user's, a running lab's.",
    ),
]
Environments = Annotated[
    list[str] | None,
    typer.Option(
        "--env", "-e", metavar="NAME", help="Environment, or glob. Repeatable.", autocompletion=complete_environments
    ),
]
Checks = Annotated[
    list[Path] | None,
    typer.Option("--checks", metavar="DIR", help="Your own checks/ folder: probes/, views/, connections/. Repeatable."),
]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        "-f",
        "-o",
        metavar="NAME",
        help="console or json.",
        autocompletion=one_of("console", "json"),
    ),
]
Deadline = Annotated[str, typer.Option("--deadline", metavar="TIME", help="When to stop waiting: 6s, 500ms, 2m.")]
Color = Annotated[str, typer.Option("--color", metavar="WHEN", help="auto, always or never.")]
By = Annotated[str, typer.Option(metavar="NAME", help="Who walks; else the login name.")]
GateDeadline = Annotated[str, typer.Option("--deadline", metavar="TIME", help="When a gate stops waiting: 6s, 2m.")]
Rehearse = Annotated[
    Path | None, typer.Option("--from", metavar="FILE", help="Rehearse: gates look at a bundle's facts only.")
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUE", help="What a word of shown commands, or of gates, stands for; repeatable."
    ),
]
NoTerminal = Annotated[
    bool, typer.Option("--no-terminal", help="Read answers as lines of standard input, from no terminal.")
]
Records = Annotated[
    Path | None,
    typer.Option("--record", metavar="PLACE", help="Folder of records, or a new file; else the user's state folder."),
]
