"""Options that several commands share, with their help and completion."""

from pathlib import Path
from typing import Annotated

import typer


def _runbooks(incomplete: str) -> list[str]:
    from runbook.cli.sources import builtin_names

    files = [str(path) for path in Path().glob("*.md")]
    return [name for name in [*builtin_names(), *files] if name.startswith(incomplete)]


def _checks(incomplete: str) -> list[str]:
    from runbook.cli.sources import read_all

    return [p.name for book in read_all([]) for p in book.placed() if p.name.startswith(incomplete)]


def _environments(incomplete: str) -> list[str]:
    from runbook.cli.sources import load_inventory

    return [name for name in load_inventory(None).targets if name.startswith(incomplete)]


def _probes(incomplete: str) -> list[str]:
    from runbook.engine.catalog import catalog

    return [name for name in catalog("probes").names() if name.startswith(incomplete)]


Runbooks = Annotated[
    list[str] | None,
    typer.Argument(metavar="[RUNBOOK]...", help="Files, or names of built-in runbooks.", autocompletion=_runbooks),
]
RunbookOrBlock = Annotated[
    str,
    typer.Argument(metavar="RUNBOOK[#BLOCK]", help="A file, a built-in runbook, or one block.", autocompletion=_checks),
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
    typer.Option("--env", "-e", metavar="NAME", help="Environment, or glob. Repeatable.", autocompletion=_environments),
]
Checks = Annotated[
    list[Path] | None,
    typer.Option("--checks", metavar="DIR", help="Your own checks/ folder: its probes/ and views/. Repeatable."),
]
Deadline = Annotated[str, typer.Option("--deadline", metavar="TIME", help="When to stop waiting: 6s, 500ms, 2m.")]
Color = Annotated[str, typer.Option("--color", metavar="WHEN", help="auto, always or never.")]
Probe = Annotated[
    str | None, typer.Argument(metavar="[PROBE]", help="The probe to run.", autocompletion=_probes, show_default=False)
]
