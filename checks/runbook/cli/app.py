"""The command line as a whole: its commands, and how it ends."""

import os
import sys
from typing import Annotated

import typer

from runbook import __version__
from runbook.cli.command_group import Commands
from runbook.cli.suggestions import instead_of
from runbook.model.errors import RunbookError
from runbook.plugins import debugging
from runbook.plugins.guard import lacking, last_resort
from runbook.terminal import clock
from runbook.terminal.safe_stdout import NotShown, guarded

app = typer.Typer(
    name="runbook",
    cls=Commands,
    help="Runbooks for Apache Kafka platforms whose sentences are executable checks.",
    no_args_is_help=True,
    rich_markup_mode=None,  # rich costs more to load than all of the rest
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _options(
    *,
    version: Annotated[bool, typer.Option("--version", "-V", help="Print the version and exit.")] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Log internal events to standard error; also RUNBOOK_DEBUG=1.")
    ] = False,
) -> None:
    if debug:
        debugging.want()
    if version:
        print(f"runbook {__version__}")
        raise typer.Exit
    if os.environ.get("RUNBOOK_PROJECT") or os.path.isfile("runbook.yaml"):  # noqa: PTH113 - pathlib is slower to load
        from runbook.cli.project_code import use_code

        use_code()


# Typer carries its own copy of click; what it raises for a wrong command line is known by its public descendant.
_WRONG_COMMAND_LINE: type[Exception] = typer.BadParameter.__mro__[2]


def run() -> int:
    """Run the command line; give back the exit code (docs/reference/exit-codes.md)."""
    clock.begin()
    with guarded():
        try:
            code = last_resort(_run, _internal_error)
            sys.stdout.flush()  # here it can still be told that it can't be written
        except NotShown as lost:
            return lost.end()
        return code


def _run() -> int:
    try:
        code = app(prog_name="runbook", standalone_mode=False)  # however it is started: completion asks by this name
    except (typer.Abort, KeyboardInterrupt):
        print("interrupted", file=sys.stderr)
        return 130
    except _WRONG_COMMAND_LINE as error:
        context = getattr(error, "ctx", None)
        params = getattr(getattr(context, "command", None), "params", ())
        there = [option for parameter in params for option in parameter.opts]  # none where a value is lacking
        called = " ".join(getattr(context, "command_path", "").split()[1:])
        instead = instead_of(getattr(error, "option_name", ""), there, called) if there else ""
        if instead and hasattr(error, "possibilities"):
            error.possibilities = None  # options that are spelt alike, and do something else
        error.show()  # type: ignore[attr-defined]  # every ClickException has it
        if instead:
            print(f"Write instead: {instead}", file=sys.stderr)
        return 2
    except RunbookError as error:
        print(error, file=sys.stderr)
        return 2
    return code if isinstance(code, int) else 0


def _internal_error(error: Exception) -> int:
    debugging.exception(error)
    if (refusal := lacking(error)) is not None:
        print(refusal, file=sys.stderr)
        return 2
    print(f"internal error: {type(error).__name__}: {error}", file=sys.stderr)
    if not debugging.wanted():
        print("This is a mistake of ours. runbook --debug shows where it happened; please report it.", file=sys.stderr)
    return 5
