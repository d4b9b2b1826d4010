"""Several environments at a glance, on a screen."""

from collections.abc import Sequence

from runbook.judge.summary import counted, some
from runbook.model.run import Head, Run
from runbook.reports._brief import Brief
from runbook.reports._fleet import environment_lines, in_common
from runbook.reports._screen import Screen
from runbook.safety.sanitize import sanitize

_NAMED = 5  # of several environments with something in common, so many are named; our judgement


def overview(page: Screen, run: Run, brief: Brief, lines_only: Sequence[Head]) -> None:
    """Environments, the worst first, a line each; beneath them what several have in common, and notes.

    Args:
        page: written to.
        run: of several environments.
        brief: what is left out.
        lines_only: those that have no section of their own, which would have their notes.
    """
    lines = environment_lines(run)
    runbooks = dict.fromkeys(f"{result.runbook} {result.runbook_version}" for result in run.results)
    page.packed([*runbooks, f"{counted(len(run.heads), 'environment')}, the worst first"], "bold")
    page.gap()
    columns = ("pass", "fail", "unknown")
    wide = min(max(len(sanitize(line.environment)) for line in lines), page.width // 3)
    page.line(("  ".join([" " * wide, *columns]), "dim"))
    well = [line.environment for line in lines if not line.word]
    shown = lines if len(well) <= _NAMED else lines[: len(lines) - len(well)]
    for line in shown[: brief.environments]:
        counts = (line.summary.passed, line.summary.failed, line.summary.unknown)
        cells = [str(count).rjust(len(column)) for column, count in zip(columns, counts, strict=True)]
        name = cut(sanitize(line.environment), wide).ljust(wide)
        more = f" (and {line.more:,} more)" if line.more else ""
        room = page.width - len("  ".join([name, *cells])) - 2 - len(line.word) - 1 - len(more)
        says = cut(sanitize(" ".join(line.says.split())), room) + more if line.word else ""
        style = "bold red" if line.summary.failed else "bold yellow" if line.summary.unknown else ""
        page.line((name, style), ("  ".join(["", *cells, line.word]).rstrip(), ""), (f" {says}" if says else "", ""))
    if left := len(shown) - len(shown[: brief.environments]):
        page.paragraph(f"{counted(left, 'more environment')}: into a pipe, a file, or --full", style="bold")
    if len(well) > _NAMED:
        page.paragraph(
            f"{counted(len(well), 'environment')} of which nothing is wrong or unknown: {some(well, _NAMED)}"
        )
    page.gap()
    for shared in in_common(run):
        page.paragraph(f"{shared.says}: {some(shared.environments, _NAMED)}", label="IN COMMON")
    page.gap()
    _notes(page, lines_only, tight=brief.tight)


def _notes(page: Screen, heads: Sequence[Head], *, tight: bool) -> None:
    """What a reader must know before the results, each note once, with the environments that it is about."""
    about: dict[str, list[str]] = {}
    for head in heads:
        for note in head.notes:
            about.setdefault(note, []).append(head.environment)
    shown = [] if tight else [*about.items()][:_NAMED]
    for note, names in shown:
        page.paragraph(f"{some(names, _NAMED)}: {note}", label="note")
    if left := len(about) - len(shown):
        page.paragraph(f"{left}{' more' if shown else ''}, as on waivers: --full", label="notes")
    page.gap()


def cut(text: str, room: int) -> str:
    """A text, cut where it is longer than there is room."""
    return text if len(text) <= room else f"{text[: max(room - 1, 1)]}…"
