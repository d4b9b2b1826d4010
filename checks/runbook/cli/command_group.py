"""The commands of `runbook` as one group: found by their files' names, and imported when they are called."""

import importlib
import inspect
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from runbook.cli.completion_shells import OPTIONS, complete_in, shell_named
from runbook.cli.suggestions import COMMANDS
from runbook.plugins.added import added_commands, load_command

_COMMANDS = Path(__file__).with_name("commands")
_START = (
    "Something is wrong now:  runbook check ha      runbook find 'THE ERROR OR ALERT YOU SEE'",
    "New here:                runbook lab up        runbook init DIR --from HOST:PORT",
)
_WHOLE = 200  # characters of a summary: more than any has, so that it is wrapped and not cut


class GuidingGroup(TyperGroup):
    """Commands of which a word of other tools is told what is written here instead."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that a line begins with."""
        known = self.list_commands(ctx)
        if args[0] not in known:
            said = " ".join([*ctx.command_path.split()[1:], args[0]])
            if instead := COMMANDS.get(said) or self.meant(args[0]):
                ctx.fail(f"No such command '{args[0]}'. Write: {instead}")
            from runbook.model.errors import did_you_mean, nearest

            if not nearest(args[0], known):  # else Typer's own words say which
                ctx.fail(f"No such command '{args[0]}'. {did_you_mean(args[0], known, f'{ctx.command_path} -h')}")
        return super().resolve_command(ctx, args)

    def meant(self, word: str) -> str:
        """What to write in place of a word that no other tool has either; "" where nothing is known."""
        from runbook.model.errors import nearest

        if self.name != "procedure" or nearest(word, self.list_commands(None)):  # type: ignore[arg-type]
            return ""
        return f"runbook procedure walk {word}" if _named(word) == "procedure" else ""


class Commands(GuidingGroup):
    """Every command: the built-in ones, and those that other installed packages add."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read a line; where it names the shell to complete words in, nothing is left to do."""
        if named := shell_named(args):
            option, shell = named
            complete_in(shell, option, ctx)
            ctx.exit()
        return super().parse_args(ctx, args)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options; those of completion take the name of a shell, which Typer's own words do not say."""
        for parameter in self.params:
            if isinstance(parameter, TyperOption):
                parameter.help = OPTIONS.get(parameter.opts[0], parameter.help)
        super().format_options(ctx, formatter)

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - as click calls it
        """Every name, in order."""
        return sorted({*built_in(), *added_commands()})

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import one command; what is known besides is imported only to say what else could have been meant."""
        if cmd_name not in self.commands:
            known = [cmd_name] if cmd_name in built_in() else self.list_commands(ctx)
            for name in known:
                self.commands.setdefault(name, _as_command(name, module_of(name)))
        return self.commands.get(cmd_name)

    def meant(self, word: str) -> str:
        """The command of a group that is called so; else what is done with a runbook or a block of that name."""
        from runbook.model.errors import nearest

        known = self.list_commands(None)
        if nearest(word, known):
            return ""
        groups = [name for name in known if word in getattr(self.get_command(None, name), "commands", ())]
        if groups:
            return ", or ".join(f"runbook {name} {word}" for name in groups)
        kind = _named(word)
        if kind == "procedure":
            return f"runbook show {word}, or runbook procedure walk {word}"
        return f"runbook check {word}, or runbook show {word}" if kind else ""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - as click calls it
        """Say where to begin."""
        formatter.write("\n" + "".join(f"{line}\n" for line in _START))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write each command's summary; reading it costs a third of making the command with all its options."""
        names = self.list_commands(ctx)
        with formatter.section("Commands"):
            formatter.write_dl([(name, _summary(module_of(name))) for name in names])


def _named(word: str) -> str:
    """What a word names: a "procedure", or else a "block" or a runbook of them; "" for nothing."""
    from runbook.model.block import Procedure
    from runbook.model.errors import RunbookError
    from runbook.run.sources.runbooks import find_block

    try:
        found = find_block(word)
    except RunbookError:
        return ""
    return "procedure" if found.placed is not None and isinstance(found.placed.block, Procedure) else "block"


@cache
def built_in() -> list[str]:
    """The names of this package's commands; imports none of them."""
    return sorted(file.stem.replace("_", "-") for file in _COMMANDS.glob("[a-z]*.py"))


def module_of(name: str) -> ModuleType:
    """Import the module of a command."""
    if name in built_in():
        return importlib.import_module(f"runbook.cli.commands.{name.replace('-', '_')}")
    return load_command(name)


def _summary(module: ModuleType) -> str:
    group = getattr(module, "group", None)
    help_ = group.info.help if group is not None else module.command.__doc__
    return TyperCommand(None, help=inspect.cleandoc(help_ or "")).get_short_help_str(_WHOLE)


def _as_command(name: str, module: ModuleType) -> Any:
    group = getattr(module, "group", None)
    app = group or typer.Typer()
    if group is None:
        app.command(name)(module.command)
    app.rich_markup_mode = None  # rich costs more to load than all of the rest
    app._add_completion = False  # noqa: SLF001 - it belongs to the whole, and is no argument of a group
    if group is not None:
        app.info.cls = GuidingGroup
    made = typer.main.get_command(app)
    made.name = name
    return made
