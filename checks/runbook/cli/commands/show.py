"""`runbook show`: read a runbook, or one block of it, in the terminal."""

from typing import Annotated

import typer

from runbook.cli.completion import complete_blocks
from runbook.cli.options import Checks, Color, one_format

EXAMPLES = ("runbook show ha", "runbook show ha#partitions-take-writes", "runbook show docs/how-to/inventory.md")


def command(
    what: Annotated[
        str,
        typer.Argument(
            metavar="RUNBOOK[#BLOCK]",
            help="A file, a built-in runbook, one block, or a page: ha.md, ha#ID, ha/ID, docs/PAGE.md.",
            autocompletion=complete_blocks,
        ),
    ],
    format_: Annotated[
        str, one_format("console, markdown (the source) or json.", "console", "markdown", "json")
    ] = "console",
    checks: Checks = None,
    color: Color = "auto",
) -> int:
    """Read a runbook, one block of it, or a page of help.

    Prose is printed as it is; a check, diagnostic or procedure as a card. Contacts no system.
    """
    import sys

    from runbook.cli.command_group import built_in
    from runbook.cli.old_names import tell_old_names
    from runbook.model.errors import Invalid, UsageError, did_you_mean
    from runbook.plugins.added import added_commands
    from runbook.plugins.catalog import add_user_checks
    from runbook.run.sources.runbooks import find_block
    from runbook.safety.sanitize import sanitize_lines
    from runbook.show.help_pages import help_page, help_text, pages_called, refuse_unknown_page, shown_elsewhere
    from runbook.show.runbook_text import as_json, page, source, write_markdown
    from runbook.terminal.status import colored

    formats = {"console": page, "markdown": source, "json": as_json}
    if format_ not in formats:
        raise UsageError(f"--format {format_}: {did_you_mean(format_, [*formats])}")
    in_color = colored(color, sys.stdout)
    for folder in checks or []:
        add_user_checks(folder)
    if page_file := help_page(what):
        if format_ == "json":
            raise UsageError(f"{what} is a page of the documentation, and text: --format markdown")
        text = sanitize_lines(help_text(page_file, what if format_ == "console" else ""))
    else:
        refuse_unknown_page(what)
        try:
            found = find_block(what)
        except Invalid:
            raise
        except UsageError as error:
            raise UsageError(
                shown_elsewhere(what, [*built_in(), *added_commands()]) or f"{error}{pages_called(what)}"
            ) from error
        tell_old_names([what])
        text = formats[format_](found)
    if format_ == "console" and in_color:
        write_markdown(text)
    else:
        print(text)
    return 0
