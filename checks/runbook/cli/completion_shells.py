"""The shell that words are completed in, where one is named: Typer's own options take none, and left it unread."""

from collections.abc import Sequence
from typing import Any, Final

SHELLS: Final = ("bash", "fish", "zsh")
OPTIONS: Final = {
    "--install-completion": "Install completion for the current shell, or for the given shell: bash, fish, zsh.",
    "--show-completion": "Print the completion script, to copy or change it.",
}
"""Option → its help."""


def shell_named(args: Sequence[str]) -> tuple[str, str] | None:
    """Which of the options a line begins with, and the shell that it names; None where it names none."""
    if not args or not args[0].startswith(tuple(OPTIONS)):
        return None
    option, written, shell = args[0].partition("=")
    if not written and len(args) > 1 and not args[1].startswith("-"):
        shell = args[1]
    return (option, shell) if option in OPTIONS and (written or shell) else None


def complete_in(shell: str, option: str, ctx: Any) -> None:
    """Do what the option says, for this shell."""
    from typer.completion import get_completion_script, install  # type: ignore[attr-defined]  # where Typer looks, too

    if shell not in SHELLS:
        ctx.fail(f"There is no completion for '{shell}'. Write: runbook {option} SHELL, one of {', '.join(SHELLS)}")
    if option == "--show-completion":
        print(get_completion_script(prog_name="runbook", complete_var="_RUNBOOK_COMPLETE", shell=shell))
        return
    _, path = install(shell=shell, prog_name="runbook", complete_var="_RUNBOOK_COMPLETE")
    print(f"{shell} completion installed in {path}\nCompletion will take effect once you restart the terminal")
