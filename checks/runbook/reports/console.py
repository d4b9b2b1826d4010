"""The run for a person at a terminal: worst first, what is wrong in the words of its effect, what to do first.

The words are the same with and without colours, and at most `width` columns wide. Everything passes through `inert`
on its way out, so no name or message of a cluster can drive the terminal.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from runbook.judge.summary import below, counted, findings, summarize
from runbook.judge.template import show
from runbook.model.diagnosis import of_environment
from runbook.model.exit_code import ExitCode, exit_code
from runbook.model.gap_kind import GapKind
from runbook.model.result import Result
from runbook.model.run import Head, Run
from runbook.reports import ReportOptions
from runbook.reports._answer import ToDo, answer, answering, folded
from runbook.reports._answer_part import Part
from runbook.reports._brief import Brief, fitted
from runbook.reports._findings import INDENT, list_findings, name_of, tally, word_of
from runbook.reports._fleet import environment_lines
from runbook.reports._overview import cut, overview
from runbook.reports._screen import DOT, Label, Screen
from runbook.reports._unobserved import unobserved
from runbook.reports._unseen import standbys, without_told
from runbook.safety.sanitize import sanitize

_MOST_NAMED: Final = 4  # runbooks, by name. Our judgement: more cost an answer lines, and say that all are meant


def report(run: Run, options: ReportOptions) -> str:
    """The whole report. Of several environments a line each, the worst first; in full a short section each, too.

    Where one of several is not well, that one follows as it would alone: it is what whoever asked has to read. On a
    screen of so many lines as much is told as fits.
    """

    def write(brief: Brief) -> str:
        said = replace(
            brief,
            walking=options.walking,
            inventory=options.inventory,
            read=options.full,
            explained=options.explained,
            picked=options.picked,
        )
        return _report(run, options, said)

    return fitted(write, options.lines, options.width)


class _SectionStyle(NamedTuple):
    """How a section is written: briefly, and whether it is one of several."""

    options: ReportOptions
    tight: bool
    several: bool


def _report(run: Run, options: ReportOptions, brief: Brief) -> str:
    page = Screen(options.width, color=options.color)
    if said := options.error_says:
        page.paragraph(f"The error itself says: {said.sentence}", clip=False, style="bold")
        page.paragraph(said.read_on)
        page.gap()
        if not run.heads:
            page.paragraph("nothing was asked: no check can tell the causes of this symptom apart", style="dim")
            return page.text()
    several = len(run.heads) > 1
    alone = _alone(run) if several and not options.full else ""
    of_one = [head for head in run.heads if head.environment == alone]
    sections = _sections(run) if options.full or not several else of_one
    if several:
        overview(page, run, brief, [head for head in run.heads if head not in sections])
    for head in sections:
        mine = [r for r in run.results if r.environment == head.environment] if several else run.results
        short = several and not alone
        _header(page, head, run, mine, _SectionStyle(options, brief.tight, short))
        diagnosis = of_environment(run.diagnoses, head.environment)
        parts = answer(diagnosis, mine, run.started_at, brief, standbys(head.mirrored_to, run.results))
        _answer(page, parts)
        if diagnosis is None or options.full or not folded(diagnosis):
            list_findings(page, mine, diagnosis, options, brief, short=short)
        elif short:
            tally(page, summarize(mine))
        page.gap()
    _end(page, run, _SectionStyle(options, brief.tight, several), alone=bool(alone))
    return page.text()


def _alone(run: Run) -> str:
    """The only environment of several of which something is wrong or unknown; empty where there are more, or none."""
    unwell = [line.environment for line in environment_lines(run) if line.word]
    return unwell[0] if len(unwell) == 1 else ""


def line_for(result: Result, width: int = 80) -> str:
    """A verdict in one line, to show as soon as it is known."""
    word, _ = word_of(result)
    line = sanitize(f"{word:<8} {result.severity:<9} {name_of(result)}  {result.reason}")
    return cut(line, width)


def _sections(run: Run) -> list[Head]:
    """One for each environment; results about the fleet get their own beside several."""
    known = {head.environment for head in run.heads}
    others = dict.fromkeys(result.environment for result in run.results if result.environment not in known)
    if len(run.heads) == 1:
        return run.heads
    return [*run.heads, *map(Head, others)]


def _header(page: Screen, head: Head, run: Run, results: Sequence[Result], style: _SectionStyle) -> None:
    versions = dict.fromkeys((result.runbook, result.runbook_version) for result in results)
    versions |= dict.fromkeys((expected.runbook, expected.runbook_version) for expected in run.expected)
    sources = {(source.name, source.version): source for source in style.options.runbooks}
    short = [f"{name} {version}" for name, version in versions]
    long = list(short)
    for i, version in enumerate(versions):
        if version in sources:
            short[i] = f"{short[i]} ({sources[version].where})"
            long[i] = f"{sources[version].title} ({long[i]}, {sources[version].where})"
    if len(versions) > _MOST_NAMED and not style.options.full and versions.keys() <= sources.keys():
        alike = {(version, sources[name, version].where) for name, version in versions}
        if len(alike) == 1:
            release, origin = alike.pop()
            short = [f"{counted(len(versions), 'runbook')} ({release}, {origin})"]
    where = [head.environment]
    if head.cluster_id or head.ranking:  # an environment that was asked nothing ranks nothing
        where.append(f"cluster {head.cluster_id}" if head.cluster_id else "cluster id not known")
    fits = len(sanitize(DOT.join([*long, *where]))) <= page.width
    page.packed([*(long if fits else short), *where], "bold")
    page.packed(_system(head, tight=style.tight))
    for end in () if style.several else run.ends:
        page.packed([end.environment, *_system(end)[:2]])
    for note in head.notes:
        page.paragraph(note, label="note")
    diagnosis = of_environment(run.diagnoses, head.environment)
    parameters = [*_set_here(results)]
    if len(parameters) > 1 and not style.options.full and diagnosis is not None and folded(diagnosis):
        # One screen is for the answer; what is set was decided on a better day.
        parameters = [f"parameters of {counted(sum(bool(result.overridden) for result in results), 'check')}: --full"]
    for line in [] if style.tight else parameters:
        page.paragraph(line, label="set here")
    page.gap()


def _set_here(results: Sequence[Result]) -> Iterator[str]:
    """The parameters that the environment set; what several checks of a runbook have alike is said once."""
    alike: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        for name in result.overridden:
            alike.setdefault((result.runbook, f"{name} {show(result.params.get(name))}"), []).append(result)
    for (runbook, value), found in alike.items():
        if len(found) > 1:
            yield f"{counted(len(found), 'check')} of {runbook}: {value}"
    for result in results:
        values = [f"{name} {show(result.params.get(name))}" for name in result.overridden]
        own = [value for value in values if len(alike[result.runbook, value]) == 1]
        if own:
            yield f"{name_of(result)}: {', '.join(own)}"


def _system(head: Head, *, tight: bool = False) -> list[str]:
    parts = []
    if head.kafka_version:
        parts.append(f"Kafka {head.kafka_version}" + (f", {head.mode}" if head.mode else ""))
    parts += filter(None, [answering(head)])
    return [*parts, " > ".join(head.ranking)] if head.ranking and not tight else parts


def _answer(page: Screen, parts: Sequence[Part]) -> None:
    """Causes first, each with its lines."""
    for part in parts:
        style = "bold red" if part.word.startswith("CAUSE") else "bold yellow"
        page.paragraph(part.says, label=Label(part.word, style, INDENT), clip=False, style="bold")
        for line in part.lines:
            if isinstance(line, ToDo):
                page.to_do(line.pieces, indent=INDENT, label=line.label)
            else:
                page.paragraph(line.says, indent=INDENT, label=line.label, clip=False)
    if parts:
        page.gap()


def _end(page: Screen, run: Run, style: _SectionStyle, *, alone: bool) -> None:
    options, several = style.options, style.several
    brief = (alone or not several) and not options.full and any(map(folded, run.diagnoses))
    _remarks(page, run, options, tight=style.tight, brief=brief)
    if brief and not style.tight:
        page.paragraph("every check, with rows and reasons: --full", style="dim")
    if several and not alone and findings(run.results):
        more = "" if options.full else "; every finding: --full"
        page.paragraph(f"causes and what to do first: name one environment with --env{more}", style="dim")
    summary = summarize(run.results)
    took = run.time_spent()
    tally(page, summary, f"{took}   all: --full" if style.tight else took, tight=style.tight)
    if summary.judged and not brief and not style.tight:
        page.line((f"judged {counted(summary.judged, 'row')} of {counted(summary.facts, 'fact')}", "dim"))


def _remarks(page: Screen, run: Run, options: ReportOptions, *, tight: bool, brief: bool) -> None:
    """What is to be said of the run as a whole. Beneath a cause the last line alone counts what nobody looks at."""
    mild = list(dict.fromkeys(name_of(result) for result in below(run.results, options.fail_on)))
    if mild:
        names = counted(len(mild), "check") if tight else ", ".join(mild)
        page.paragraph(f"milder than --fail-on {options.fail_on}, so they do not fail the run: {names}")
    if not tight and (dark := _not_given(left := without_told(run.results))):
        noun = "check" if len(left) == len(run.results) else "more check"
        said = f"{counted(dark, noun)} {'is' if dark == 1 else 'are'} unknown for want of a connection"
        page.paragraph(f"{said} in the inventory: runbook env prints the lines that give it, or say why there is none")
    for head in [] if tight or brief else run.heads:
        if said := unobserved(head, run.results):
            where = f"{head.environment}: " if len(run.heads) > 1 else ""
            page.paragraph(f"{where}{said}{'' if options.full else ': --full lists them'}", clip=False)
    if run.interrupted:
        page.paragraph("interrupted: what was not judged by then is unknown", style="bold yellow")
    elif exit_code(run, options.fail_on) is ExitCode.NOTHING:
        page.paragraph(f"nothing was judged: {_why_nothing(run)}", style="bold yellow")


def _not_given(results: Sequence[Result]) -> int:
    """How many are unknown and lack a connection."""
    unknown = [result for result in results if result.is_unknown]
    return sum(any(gap.kind is GapKind.NOT_CONFIGURED for gap in result.gaps) for result in unknown)


def _why_nothing(run: Run) -> str:
    if any(result.unobserved for result in run.results):
        return "what applies is not observed here"
    if run.results:
        return "none of the checks applies"
    if run.expected:
        return "no check was selected"
    return (
        "there is no check in what was named. To write one, begin a fence with ```yaml {.check}; "
        "its fields: runbook list --blocks check"
    )
