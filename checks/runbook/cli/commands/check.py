"""`runbook check`: judge the statements of runbooks against live clusters, or against a bundle."""

from pathlib import Path
from typing import Annotated

import typer

from runbook.cli.completion import (
    complete_checked,
    complete_checks,
    complete_objectives,
    complete_reports,
    complete_severities,
)
from runbook.cli.options import Checks, Color, Environments, InventoryFile, RunDeadline, Severity, some_runbooks

EXAMPLES = (
    "runbook check ha --env prod-eu",
    "runbook check ha --env 'prod-*' --severity high --format json --out ha.json",
    "runbook check ha --env prod-eu --save facts.json",
    "runbook check ha --from facts.json --full",
    "runbook check ha --env prod-eu --until-pass --within 30m",
    "runbook check kubernetes --manifests deploy/ --format github",
)
_STDIN = "-"
"""In place of a runbook: manifests that are piped in."""


def command(
    runbooks: Annotated[list[str] | None, some_runbooks(complete_checked)] = None,
    inventory: InventoryFile = None,
    env: Environments = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only", metavar="CHECK", help="Only this check, or glob. Repeatable.", autocompletion=complete_checks
        ),
    ] = None,
    severity: Severity = "info",
    objective: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Only checks for this objective. Repeatable.", autocompletion=complete_objectives
        ),
    ] = None,
    deadline: RunDeadline = "",
    fail_on: Annotated[
        str,
        typer.Option(
            metavar="LEVEL",
            help="Exit 1 from this severity on.",
            autocompletion=complete_severities,
        ),
    ] = "low",
    format_: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="NAME",
            help="How to report: console, json, markdown, or another; else as --out ends, else console.",
            autocompletion=complete_reports,
        ),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="Write the report there, as its ending says: .json, .md, .sarif, .xml."
        ),
    ] = None,
    rows: Annotated[str, typer.Option(metavar="N", help="Rows shown per check: a number, or all.")] = "5",
    full: Annotated[bool, typer.Option("--full", help="Also list what passed and what did not apply.")] = False,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the facts as a bundle.")] = None,
    manifests: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH", help="Judge these files or folders of manifests; - is standard input. Repeatable."
        ),
    ] = None,
    from_: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Judge a bundle; nothing is contacted.")
    ] = None,
    results: Annotated[
        str, typer.Option(metavar="STORE", help="Keep the results there; else where the inventory says.")
    ] = "",
    trigger: Annotated[str, typer.Option(metavar="WHY", help="scheduled, manual, incident or ci.")] = "manual",
    looks: Annotated[
        int,
        typer.Option(metavar="N", min=1, max=2, help="2: what passes at one look and fails at the next is unknown."),
    ] = 1,
    watch: Annotated[bool, typer.Option("--watch", "-w", help="Look again and again, and say what heals.")] = False,
    every: Annotated[str, typer.Option(metavar="TIME", help="With --watch: from one look to the next.")] = "5s",
    until_pass: Annotated[
        bool,
        typer.Option("--until-pass", help="Look again until no failure counts and nothing is unknown."),
    ] = False,
    within: Annotated[
        str, typer.Option(metavar="TIME", help="With --until-pass: wait so long at most; the last look's code ends it.")
    ] = "",
    checks: Checks = None,
    color: Color = "auto",
) -> int:
    """Check which statements of runbooks are true of live clusters. Read-only.

    Without RUNBOOK, all built-in ones, and in a project its own. Exit codes: 0 true, 1 something is not, 2 usage, 3
    something could not be found out, 4 nothing applied, 5 our mistake, 130 interrupted. With --watch, Ctrl-C ends with
    the report of the last whole look, and its code; only that look is kept. So does SIGTERM (code 143), and SIGHUP, as
    when a connection breaks off (129).
    """
    from runbook.cli.followed_run import execute, execute_twice, read_objectives, read_trigger
    from runbook.cli.report_output import Output, report_of, write_report
    from runbook.cli.severity_option import read_severity
    from runbook.model.errors import UsageError
    from runbook.run.check_run import Options
    from runbook.run.planning.deadline import given_deadline

    output = Output(format_, out, rows, color, fail_on, full, inventory)
    output.check()
    options = Options(
        runbooks=[word for word in runbooks or [] if word != _STDIN],
        inventory=inventory,
        environments=env or [],
        only=only or [],
        severity=read_severity("--severity", severity),
        objectives=read_objectives(objective or []),
        deadline=given_deadline(deadline),
        files=[*(manifests or []), *(word for word in runbooks or [] if word == _STDIN)],
        bundle=from_,
        trigger=read_trigger(trigger),
        user_checks=checks or [],
    )
    if from_ is not None and options.files:
        raise UsageError("--from judges what a bundle holds, and --manifests files: leave one of them out")
    if from_ is not None and (watch or until_pass or looks > 1):
        raise UsageError("a bundle never changes, so it is looked at once; leave --from out")
    if looks > 1 and (watch or until_pass):
        raise UsageError("--watch looks again anyway; leave --looks out")
    if within and not until_pass:
        raise UsageError("--within says how long --until-pass may take: add --until-pass, or leave --within out")
    if not (watch or until_pass):
        done = execute(options, save) if looks == 1 else execute_twice(options, save)
        return write_report(done, output, results or done.store, save)
    from functools import partial

    from runbook.cli.watch import Watching, read_every, read_within
    from runbook.cli.watch import watch as watch_looks
    from runbook.terminal.end_signals import ended_by_signals

    how = Watching(read_every(every), until_pass, output.severity(), read_within(within))
    with ended_by_signals() as ended:
        done = watch_looks(partial(execute, options, save), partial(report_of, output=output), how)
        return ended.code(write_report(done, output, results or done.store, save))
