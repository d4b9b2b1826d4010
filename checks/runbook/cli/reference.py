"""The reference page of all commands, made from the commands themselves: `python -m runbook.cli.reference`."""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path("docs/reference/cli.md")

# A command without an example fails a test; so does an example that its command would not take.
EXAMPLES: dict[str, tuple[str, ...]] = {
    "check": (
        "runbook check ha.md --env prod-eu",
        "runbook check ha.md --env 'prod-*' --severity high --format json --out ha.json",
        "runbook check ha.md --env prod-eu --save facts.json",
        "runbook check ha.md --from facts.json --full",
    ),
    "list": ("runbook list --severity critical", "runbook list --probes"),
    "show": ("runbook show ha", "runbook show ha#partitions-take-writes"),
    "find": ("runbook find NotEnoughReplicas", "runbook find OurKafkaBrokerDown --in runbooks/first.md"),
    "what-if": (
        "runbook what-if --env prod-eu",
        "runbook what-if --env prod-eu --topic 'payments-*' --lose broker:2,rack:az-b",
        "runbook what-if --env prod-eu --lose broker:2 --lose broker:3",
        "runbook what-if --env prod-eu --lose 'rack:fra-*'",
        "runbook what-if --from facts.json --format json",
    ),
    "pauses": (
        "runbook pauses --env prod-eu --out pauses.svg",
        "runbook pauses 1=/var/log/kafka/kafkaServer-gc.log --timeout 9s --out pauses.svg",
    ),
    "env": ("runbook env", "runbook env 'prod-*' --offline"),
    "scorecard": ("runbook scorecard results --out scorecard",),
    "publish": ("runbook publish /srv/www/runbooks --site-data .demo",),
    "lint": ("runbook lint runbooks/*.md --checks checks", "runbook lint ha --since v1.0.0"),
    "test": ("runbook test runbooks/*.md --checks checks", "runbook test ha --only ha/every-broker-answers --verbose"),
    "probe": (
        "runbook probe",
        "runbook probe kafka_topic --env lab --with internal=false --limit 5",
        "runbook probe kafka_advertised_host --checks checks",
    ),
    "requests": (
        "runbook requests kafka",
        "runbook requests --format json",
        "runbook requests --for kafka-acls",
    ),
    "verify": ("runbook verify", "runbook verify --format json"),
    "init": ("runbook init our-runbooks",),
    "results verify": ("runbook results verify", "runbook results verify s3://kafka-evidence/results"),
    "results list": ("runbook results list --env 'prod-*' --limit 3",),
    "results import": ("runbook results import kafka://broker-1:9092/runbook-results /var/lib/runbook",),
    "results expect": ("runbook results expect ha", "runbook results expect ha --env 'prod-*' --add"),
    "procedure list": ("runbook procedure list ha",),
    "procedure walk": (
        "runbook procedure walk ha#rolling-restart --env prod-eu",
        "runbook procedure walk --resume 20261122T021500Z",
        "runbook procedure walk ha#rolling-restart --from facts.json",
    ),
    "drill": (
        "runbook drill ours.md#failover --env prod-eu --to prod-us",
        "runbook drill ha#rolling-restart --env stage",
    ),
    "procedure walks": ("runbook procedure walks",),
    "procedure show": ("runbook procedure show 20261122T021500Z",),
    "lab up": ("runbook lab up", "runbook lab up --with jmx,prometheus"),
    "lab parts": ("runbook lab parts",),
    "lab status": ("runbook lab status",),
    "lab down": ("runbook lab down",),
    "lab break": ("runbook lab break", "runbook lab break stop-broker"),
    "lab heal": ("runbook lab heal",),
    "lab demo": ("runbook lab demo",),
    "lab history": ("runbook lab history made-up --environments 50 --checks 200 --weeks 52",),
}
_HEAD = """# Commands

<!-- Made from the code: python -m runbook.cli.reference -->

`runbook` asks and never changes anything, except in the [lab](#runbook-lab-up), which it started itself. Results are
written to your own results store and nowhere else; if you make that a Kafka topic, that topic is all that is written.
`runbook --version` says which one you have; every command explains itself with `--help`. Words for runbooks, checks,
environments and probes complete in your shell after `runbook --install-completion`.

Mistakes in the command line, a runbook or an inventory end every command with 2, a fault of ours with 5, Ctrl-C with
130; see [exit codes](exit-codes.md). Output that is piped, or written where `NO_COLOR` is set, has no colours and the
same words.
"""


def reference() -> str:
    """The page, as Markdown."""
    parts = [_HEAD.strip()]
    parts += [_section(name, command) for name, command in commands()]
    return "\n\n".join(parts) + "\n"


def commands() -> Iterator[tuple[str, Any]]:
    """Yield every command under its whole name, those of groups as `lab up`."""
    import typer

    from runbook.cli.app import app

    group: Any = typer.main.get_command(app)
    for name, command in group.commands.items():
        inner = getattr(command, "commands", None)
        yield from [(name, command)] if inner is None else ((f"{name} {sub}", one) for sub, one in inner.items())


def _section(name: str, command: Any) -> str:
    options = [parameter for parameter in command.params if parameter.param_type_name == "option"]
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    usage = " ".join(["runbook", name, *(["[OPTIONS]"] if options else []), *map(_metavar, arguments)])
    examples = "\n".join(f"$ {example}" for example in EXAMPLES.get(name, ()))
    parts = [
        f"## runbook {name}",
        f"```text\n{usage}\n```",
        "\n\n".join(" ".join(text.split()) for text in inspect.cleandoc(command.help or "").split("\n\n")),
        _table(arguments, options),
        f"```console\n{examples}\n```" if examples else "",
    ]
    return "\n\n".join(filter(None, parts))


def _metavar(argument: Any) -> str:
    return str(argument.metavar or argument.name.upper())


def _table(arguments: list[Any], options: list[Any]) -> str:
    rows = [(f"`{_metavar(one)}`", one.help or "", "") for one in arguments]
    rows += [(_flags(one), one.help or "", _default(one)) for one in options]
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
        print(reference(), end="")
    else:
        PAGE.write_text(reference(), encoding="utf-8")
        print(f"wrote {PAGE}")
