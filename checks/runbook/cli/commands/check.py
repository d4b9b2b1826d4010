"""`runbook check`: judge the statements of runbooks against live clusters, or against a bundle."""

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runbook.cli.completion import (
    complete_checked,
    complete_checks,
    complete_objectives,
    complete_reports,
)
from runbook.cli.options import (
    Checks,
    Color,
    Environments,
    FailOn,
    InventoryFile,
    RunDeadline,
    Severity,
    some_runbooks,
)

if TYPE_CHECKING:
    from runbook.cli.followed_run import CheckDone
    from runbook.cli.report_output import Output
    from runbook.run.check_run import Options

EXAMPLES = (
    "runbook check ha --env prod-eu",
    "runbook check ha --env 'prod-*' --severity high --format json --out ha.json",
    "runbook check ha --env prod-eu --save facts.json",
    "runbook check UnderReplicatedPartitions --env prod-eu",
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
    fail_on: FailOn = "low",
    format_: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="NAME",
            help="Report format: console, json, markdown, or another. Default: by the ending of --out, else console.",
            autocompletion=complete_reports,
        ),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="Write the report to this file; its ending chooses the format: .json, .md, .sarif, .xml.",
        ),
    ] = None,
    rows: Annotated[str, typer.Option(metavar="N", help="Rows shown per check: a number, or all.")] = "5",
    full: Annotated[bool, typer.Option("--full", help="Also list what passed and what did not apply.")] = False,
    manifests: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH",
            help="Judge these files or folders of manifests, with --env or --inventory in place of those of that "
            "environment; - is standard input. Repeatable.",
        ),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GLOB",
            help="With --manifests: files or folders not to read, such as charts/ or 'ci/**/*.yaml'. Repeatable.",
        ),
    ] = None,
    base: Annotated[
        str, typer.Option(metavar="REF", help="With --manifests: only what this commit of git does not have fails.")
    ] = "",
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save the observed facts to a file (a bundle).")
    ] = None,
    from_: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Judge the facts of a bundle; contact no system.")
    ] = None,
    results: Annotated[str, typer.Option(metavar="STORE", help="Results store. Default: as in the inventory.")] = "",
    trigger: Annotated[
        str, typer.Option(metavar="WHY", help="Why this run: scheduled, manual, incident or ci.")
    ] = "manual",
    looks: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            max=2,
            help="Number of observations. With 2, a check that passes once and fails once is unknown.",
        ),
    ] = 1,
    watch: Annotated[bool, typer.Option("--watch", "-w", help="Repeat the checks and report what recovers.")] = False,
    every: Annotated[str, typer.Option(metavar="TIME", help="With --watch: time between two runs.")] = "5s",
    until_pass: Annotated[
        bool,
        typer.Option("--until-pass", help="Repeat until no check fails (from --fail-on on) or is unknown."),
    ] = False,
    within: Annotated[
        str,
        typer.Option(
            metavar="TIME", help="With --until-pass: give up after this time, with the exit code of the last run."
        ),
    ] = "",
    checks: Checks = None,
    color: Color = "auto",
) -> int:
    """Check which statements of runbooks are true of live clusters. Read-only.

    Without RUNBOOK, all built-in runbooks, and in a project also its own. The name of a check or symptom narrows the
    run to it (ha#brokers-agree), an alert, an error or a log line to the symptoms that list it, and other words to what
    shares most of them. Exit codes: 0 all true, 1 a statement is not true, 2 usage error, 3 a statement is unknown, 4
    no check applied, 5 internal error, 130 interrupted. With --watch, Ctrl-C prints the report of the last complete
    run, ends with its code and keeps only that run. So do SIGTERM (code 143) and SIGHUP, for example when the
    connection is lost (129).
    """
    from runbook.cli.asked_blocks import left_to_a_person, read_words
    from runbook.cli.error_says import error_says
    from runbook.cli.followed_run import (
        CheckDone,
        compared,
        execute,
        execute_twice,
        nothing_checked,
        read_objectives,
        read_trigger,
        without_known,
    )
    from runbook.cli.old_names import tell_old_names
    from runbook.cli.report_output import Output, report_of, write_report
    from runbook.cli.severity_option import read_severity
    from runbook.model.exit_code import ExitCode
    from runbook.run.check_run import Options
    from runbook.run.planning.deadline import given_deadline
    from runbook.terminal.status import meanwhile

    tell_old_names([*(runbooks or ()), *(word for given in only or () for word in given.split(","))])
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
        exclude=exclude or [],
        bundle=from_,
        trigger=read_trigger(trigger),
        user_checks=checks or [],
    )
    _of_files(options, base, again=watch or until_pass)
    _of_looks(options, looks, within, again=watch or until_pass, until_pass=until_pass)
    with meanwhile("reading runbooks and inventory"):
        asked = read_words(options)
    options = asked.options
    if asked.unchecked:
        done = nothing_checked(options)
        done.error_says = error_says(asked.words, asked.names())
        if save or results:
            print("no check can tell this cause, so nothing was asked and nothing is kept", file=sys.stderr)
        code = write_report(done, output, "")
        _tell_error(done, output)
        return code

    def look(meant: Options, began: float | None = None) -> CheckDone:
        done = execute(meant, save, began) if looks == 1 else execute_twice(meant, save)
        done.error_says = error_says(asked.words, asked.names(), done.run)
        return done

    if not (watch or until_pass):
        with compared(options, base) if base else nullcontext(options) as meant:
            done = look(meant)
            if base:
                without_known(done, meant, base)
        code = write_report(done, output, results or done.store, save)
        _tell_error(done, output)
        if code != ExitCode.FAILED:
            for line in left_to_a_person(asked):
                print(line, file=sys.stderr)
        return code
    from functools import partial

    from runbook.cli.watch import Watching, read_every, read_within
    from runbook.cli.watch import watch as watch_looks
    from runbook.terminal.end_signals import ended_by_signals

    how = Watching(read_every(every), until_pass, output.severity(), read_within(within))
    with ended_by_signals() as ended:
        done = watch_looks(partial(look, options), partial(report_of, output=output), how)
        return ended.code(write_report(done, output, results or done.store, save))


def _tell_error(done: "CheckDone", output: "Output") -> None:
    """Say what the error itself says, where the report's format has no place for it."""
    from runbook.cli.report_output import ERROR_SAYS

    if done.error_says and output.chosen()[0] not in ERROR_SAYS:
        print(f"the error itself says: {done.error_says.sentence} {done.error_says.read_on}", file=sys.stderr)


def _of_looks(options: "Options", looks: int, within: str, *, again: bool, until_pass: bool) -> None:
    """Refuse options about how often to look that contradict others.

    Raises:
        UsageError: with the remedy.
    """
    from runbook.model.errors import UsageError

    if options.bundle is not None and (again or looks > 1):
        raise UsageError("a bundle never changes, so it is looked at once; leave --from out")
    if looks > 1 and again:
        raise UsageError("--watch looks again anyway; leave --looks out")
    if within and not until_pass:
        raise UsageError("--within says how long --until-pass may take: add --until-pass, or leave --within out")


def _of_files(options: "Options", base: str, *, again: bool) -> None:
    """Refuse options about files that contradict others.

    Raises:
        UsageError: with the remedy.
    """
    from runbook.model.errors import UsageError

    if options.bundle is not None and options.files:
        raise UsageError("--from judges what a bundle holds, and --manifests files: leave one of them out")
    if options.exclude and not options.files:
        raise UsageError("--exclude leaves out files of --manifests; in an inventory write exclude beneath manifests")
    if base and (not options.files or again):
        raise UsageError("--base compares the files of --manifests with those of a commit, once")
