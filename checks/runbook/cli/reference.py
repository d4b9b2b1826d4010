"""The reference pages of all commands, made from the commands themselves: `python -m runbook.cli.reference`."""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from runbook.cli.command_group import module_of

FOLDER = Path("docs/reference")
LIST = "cli.md"

_MADE = "<!-- Made from the code: python -m runbook.cli.reference -->"
_SHORT = 120  # characters of the help in the list, which ends with its first sentence
_HEAD = """# Commands

<!-- Made from the code: python -m runbook.cli.reference -->

`runbook` only reads, except in the [lab](cli/lab.md), which it starts itself, in a drill with `--allow-canary`,
and in a measurement with `--allow-measure`. It writes results to your own results store and nowhere else; if the store
is a Kafka topic, it writes to that topic. `runbook --version` prints the version; every command has `--help`.
`runbook --install-completion` completes names of runbooks, checks, environments and probes in your shell,
`runbook --install-completion zsh` in another shell.

Every command ends with 2 after a mistake in the command line, a runbook or an inventory, with 5 after an internal
error, and with 130 after Ctrl-C; see [exit codes](exit-codes.md). Output to a pipe, or with `NO_COLOR` set, has no
colours and the same text.
"""


def reference() -> dict[str, str]:
    """The pages, as Markdown: the list of all commands, and below `cli/` one for each command or group of them."""
    alike: dict[str, list[tuple[str, Any]]] = {}
    for name, command in commands():
        alike.setdefault(name.partition(" ")[0], []).append((name, command))
    lines = "\n".join(_line(name, command) for name, command in commands())
    pages = {f"cli/{first}.md": _page(first, found) for first, found in alike.items()}
    return {LIST: f"{_HEAD.strip()}\n\n{lines}\n"} | pages


def write(folder: Path) -> None:
    """Write the pages below a folder, and remove those of commands that are gone."""
    pages = reference()
    (folder / "cli").mkdir(parents=True, exist_ok=True)
    for old in (folder / "cli").glob("*.md"):
        if f"cli/{old.name}" not in pages:
            old.unlink()
    for name, text in pages.items():
        (folder / name).write_text(text, encoding="utf-8")


def _line(name: str, command: Any) -> str:
    """A command in the list; the place where it stood when all were on one page leads on to its page."""
    first, _, sub = name.partition(" ")
    anchor = f"runbook-{name.replace(' ', '-')}"
    link = f"[runbook {name}](cli/{first}.md{f'#{anchor}' if sub else ''})"
    return f'- <span id="{anchor}" data-rb-page>{link}</span>: {command.get_short_help_str(_SHORT)}'


def _page(first: str, found: list[tuple[str, Any]]) -> str:
    """The page of a command, or of the commands of a group."""
    if len(found) == 1 and found[0][0] == first:
        return f"{_MADE}\n\n{_section(*found[0], '#')}\n"
    sections = [_section(name, command, "##") for name, command in found]
    return "\n\n".join([_MADE, f"# runbook {first}", *sections]) + "\n"


def commands() -> Iterator[tuple[str, Any]]:
    """Yield every command under its whole name, those of groups as `lab up`."""
    group = whole()
    for name in group.list_commands(None):
        command: Any = group.get_command(None, name)
        inner = getattr(command, "commands", None)
        yield from (
            [(name, command)] if inner is None else ((f"{name} {sub}", command) for sub, command in inner.items())
        )


def examples_of(name: str) -> tuple[str, ...]:
    """Command lines that show how a command is used; of a group's, as `lab up`."""
    first, _, sub = name.partition(" ")
    examples: Any = module_of(first).EXAMPLES
    return tuple(examples[sub] if sub else examples)


def whole() -> Any:
    """The whole command line, as click sees it."""
    import typer

    from runbook.cli.app import app

    return typer.main.get_command(app)


def _section(name: str, command: Any, level: str) -> str:
    options = [parameter for parameter in command.params if parameter.param_type_name == "option"]
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    usage = " ".join(["runbook", name, *(["[OPTIONS]"] if options else []), *map(_metavar, arguments)])
    examples = "\n".join(f"$ {example}" for example in examples_of(name))
    parts = [
        f"{level} runbook {name}",
        f"```text\n{usage}\n```",
        "\n\n".join(" ".join(text.split()) for text in inspect.cleandoc(command.help or "").split("\n\n")),
        _table(arguments, options),
        f"```console\n{examples}\n```" if examples else "",
    ]
    return "\n\n".join(filter(None, parts))


def _metavar(argument: Any) -> str:
    return str(argument.metavar or argument.name.upper())


def _table(arguments: list[Any], options: list[Any]) -> str:
    rows = [(f"`{_metavar(argument)}`", argument.help or "", "") for argument in arguments]
    rows += [(_flags(option), option.help or "", _default(option)) for option in options]
    if not rows:
        return ""
    lines = [f"| {what} | {text.replace('|', chr(92) + '|')} | {default} |" for what, text, default in rows]
    return "\n".join(["| word | meaning | default |", "|---|---|---|", *lines])


def _flags(option: Any) -> str:
    flags = ", ".join(f"`{flag}`" for flag in sorted(option.opts, key=len, reverse=True))
    return flags if option.is_flag else f"{flags} `{option.metavar or option.type.name.upper()}`"


def _default(option: Any) -> str:
    plain = option.default not in (None, "", False) and not callable(option.default)
    return f"`{option.default}`" if plain else ""


if __name__ == "__main__":
    if sys.argv[1:] == ["--print"]:
        print("\n".join(reference().values()), end="")
    else:
        write(FOLDER)
        print(f"wrote {FOLDER / LIST} and {FOLDER / 'cli'}", file=sys.stderr)
