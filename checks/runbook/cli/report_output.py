"""Write the report of a run where it was asked for, and keep its results."""

import datetime as dt
import os
import shutil
import sys
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from runbook.cli.followed_run import CheckDone
from runbook.cli.severity_option import read_severity
from runbook.evidence.named_file import write_named
from runbook.judge.summary import findings
from runbook.model.block import Severity
from runbook.model.errors import UsageError, did_you_mean, nearest
from runbook.model.exit_code import ExitCode, exit_code
from runbook.model.run import Run
from runbook.plugins.catalog import catalog
from runbook.reports import ReportOptions, Source
from runbook.show.per_site_report import per_site_runs
from runbook.terminal.columns import terminal_columns
from runbook.terminal.safe_stdout import NotShown, paint
from runbook.terminal.status import colored

_USUAL = "console"  # the format where none is named
_FEW_ROWS = "5"  # of --rows where nothing is said
_NOT_KEPT = (
    "this look is not kept, so runbook incident can't tell of it later: --results FOLDER, or results: in the inventory"
)
ERROR_SAYS = frozenset({"console", "json", "markdown"})  # formats that begin with what an error text says by itself
_ENDINGS = {"md": "markdown", "xml": "junit"}  # of a file, where they are not the format's own name
_ELSEWHERE = frozenset({"csv", "html", "name", "table", "text", "wide", "xml", "yaml"})
"""Formats of other tools: somebody who writes -o yaml means no file of that name."""
_NO_REPORT = frozenset({"csv", "htm", "html", "yaml", "yml"})
"""Endings of files that hold what no report is: what reads such a file would not understand it."""


class Output(Struct, frozen=True):
    """How and where a report is wanted; a format that is empty is that of the file's ending, else the console's.

    The inventory is the one that was given, if one was: commands that the report offers name it, too.
    """

    format: str
    file: Path | None
    rows: str
    color: str
    fail_on: str
    full: bool = False
    inventory: Path | None = None

    def chosen(self) -> tuple[str, Path | None]:
        """The format and the file: `-o json` is a format, as kubectl has it, since no file is called so.

        Raises:
            UsageError: two formats are named, or one that there is not.
        """
        word = "" if self.file is None else str(self.file)
        if word in _ELSEWHERE:
            known = ", ".join(catalog("reports").names())
            raise UsageError(f"-o {word}: no such format; known: {known}. Into a file: -o report.txt")
        if word not in catalog("reports"):
            if word.isalpha() and (near := _ENDINGS.get(word) or nearest(word, catalog("reports").names())):
                raise UsageError(f"-o {word}: did you mean -o {near}? Into a file: -o {word}.txt")
            return self.format or self._by_ending(), self.file
        if self.format not in ("", _USUAL, word):
            raise UsageError(
                f"--format {self.format} and -o {word}: which? A file is named with its folder or a suffix, "
                f"as in -o report.{word}"
            )
        return word, None

    def _by_ending(self) -> str:
        ending = self.file.suffix.lower().removeprefix(".") if self.file else ""
        if ending in _NO_REPORT:
            known = ", ".join(catalog("reports").names())
            raise UsageError(
                f"-o {self.file}: no report is {ending}; known: {known}. --format console writes it as text"
            )
        meant = _ENDINGS.get(ending, ending)
        return meant if meant in catalog("reports") else _USUAL

    def check(self) -> None:
        """Refuse before anything is asked what could not be written after it.

        Raises:
            UsageError: with the remedy.
        """
        if self.format and self.format not in catalog("reports"):
            raise UsageError(f"--format {self.format}: {did_you_mean(self.format, catalog('reports').names())}")
        self.severity()
        if self.rows != "all" and not self.rows.isdecimal():
            raise UsageError(f"--rows {self.rows}: write a number, or all")
        colored(self.color, sys.stdout)
        self.chosen()

    def severity(self) -> Severity:
        """The severity from which on a failure counts."""
        return read_severity("--fail-on", self.fail_on)


def report_of(done: CheckDone, output: Output) -> str:
    """The report as text, in the format that is wanted, as wide as the terminal is."""
    form, file = output.chosen()
    options = ReportOptions(
        runbooks=tuple(Source(b.name, b.front.title, b.front.version, _where(b.origin, b.path)) for b in done.runbooks),
        fail_on=output.severity(),
        rows=None if output.rows == "all" else int(output.rows),
        full=output.full,
        color=file is None and colored(output.color, sys.stdout),
        width=terminal_columns() or _of_columns(),
        lines=_of_screen() if file is None and not output.full and output.rows == _FEW_ROWS else None,
        inventory=str(output.inventory or ""),
        folder=str(Path.cwd()),
        picked=done.picked,
        error_says=done.error_says,
    )
    render = catalog("reports").load(form).report
    if form == _USUAL and _of_one_named(done, full=output.full):
        ends = per_site_runs(done.run)
        said = [options.error_says, *(None for _ in ends[1:])]
        return "\n".join(
            str(render(end.run, replace(options, explained=end.explained, error_says=says)))
            for end, says in zip(ends, said, strict=True)
        )
    return str(render(done.run, options))


def _of_one_named(done: CheckDone, *, full: bool) -> bool:
    """Whether one environment was named, and of its links' other ends something is to be told, too."""
    several = len(done.named) == 1 < len(done.run.heads)
    unwell = {result.environment for result in findings(done.run.results)}
    return several and (full or len(unwell) > 1)


def write_report(done: CheckDone, output: Output, store: str, save: Path | None = None) -> int:
    """Keep the results, write the report, say where all of it is, and give the exit code.

    A store or file that can't be written never costs the report: it is shown, and what is wrong is said after it. Nor
    does a report that can't be shown cost the evidence, which is kept before.

    Args:
        done: the run.
        output: how and where its report is wanted.
        store: where its results are kept; empty: nowhere.
        save: the bundle as which its facts have been kept, if they were.
    """
    _, file = output.chosen()
    unkept = _keep(done, store) if store else ""
    text = report_of(done, output)
    code = int(exit_code(done.run, output.severity()))
    unwritten = _write(text, file) if file else ""
    unshown = _show(text, painted=file is None and colored(output.color, sys.stdout)) if unwritten or not file else None
    written = {
        "report": "" if unwritten else file,
        "results": "" if unkept else store,
        "facts": "" if done.unsaved else save,
    }
    if where := [f"{what} in {place}" for what, place in written.items() if place]:
        print(f"kept: {', '.join(where)}", file=sys.stderr)
    if not store and output.chosen()[0] == _USUAL and _of_an_incident(done.run):
        paint(f"\x1b[2m{_NOT_KEPT}\x1b[0m\n" if colored(output.color, sys.stderr) else f"{_NOT_KEPT}\n", sys.stderr)
    mistakes = [*done.mistakes, *filter(None, [unwritten, done.unsaved, unkept])]
    for mistake in mistakes:
        print(mistake, file=sys.stderr)
    code = 2 if mistakes and code != ExitCode.FAILED else code
    return code if unshown is None else unshown.end(code)


def _of_an_incident(run: Run) -> bool:
    """Whether a review afterwards would miss a look: it found a cause, or was made for an incident; not of a bundle."""
    return not run.rejudged and (run.trigger == "incident" or any(found.causes for found in run.diagnoses))


def _of_screen() -> int | None:
    """The lines that a report may take: those of the terminal but for the next prompt; any number into a pipe."""
    return shutil.get_terminal_size((80, 24)).lines - 1 if sys.stdout.isatty() else None


def _of_columns() -> int:
    """The width of a report that goes into a pipe or a file: what COLUMNS says, as for other tools; else 80."""
    given = os.environ.get("COLUMNS", "")
    return int(given) if given.isdecimal() and int(given) > 0 else 80


def _keep(done: CheckDone, store: str) -> str:
    """Keep the results, and the facts where the inventory wants that; say what went wrong, if anything did."""
    from runbook.evidence.kept_facts import fact_store, keep_facts
    from runbook.evidence.store import keep_run
    from runbook.incident.results_store import store_at

    try:
        place = store_at(store, done.store, done.store_settings)
        keep_run(place, done.run)
    except UsageError as error:
        return f"the results could not be kept: {error}"
    if done.facts is None:
        return ""
    try:
        retention = dt.timedelta(seconds=done.keep_facts)
        keep_facts(fact_store(place), done.facts, retention, of_incident=done.run.trigger == "incident")
    except UsageError as error:
        return f"the results are kept, but not all of the facts, or not only what is to be kept of them: {error}"
    return ""


def _show(text: str, *, painted: bool) -> NotShown | None:
    """Write a text to standard output; give what went wrong, if anything did."""
    write = partial(paint, stream=sys.stdout) if painted else sys.stdout.write
    try:
        write(text if text.endswith("\n") else text + "\n")
        sys.stdout.flush()
    except NotShown as lost:
        return lost
    return None


def _write(text: str, file: Path) -> str:
    """Write a text to a file; say what went wrong, if anything did."""
    try:
        write_named(file, text.encode())
    except OSError as error:
        return f"the report could not be written to {file}: {error.strerror}; it goes to standard output instead"
    return ""


def _where(origin: str, path: str) -> str:
    return "built-in" if origin == "built-in" else path
