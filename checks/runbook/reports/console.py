"""The run for a person at a terminal: worst first, what is wrong in the words of its effect, what to do first.

The words are the same with and without colours, and at most `width` columns wide. Everything passes through `inert`
on its way out, so no name or message of a cluster can drive the terminal.
"""

import re
from collections.abc import Iterator, Sequence

from runbook.judge.common_cause import Shared, ValueCoverage, common_of_run, noun_of
from runbook.judge.summary import (
    RunSummary,
    below,
    counted,
    findings,
    first_step,
    open_count,
    open_rows,
    some,
    summarize,
    worst_first,
)
from runbook.judge.template import show
from runbook.model.diagnosis import of_environment
from runbook.model.exit_code import ExitCode, exit_code
from runbook.model.result import Common, JudgedRow, Outcome, Result
from runbook.model.run import Head, Run
from runbook.reports import ReportOptions
from runbook.reports._answer import Part, answer, answering, folded
from runbook.reports._fleet import environment_lines, in_common
from runbook.reports._rights import lacking
from runbook.reports._screen import DOT, LONGEST, Label, Screen, Span
from runbook.safety.sanitize import sanitize

_INDENT = 9  # findings' text stands under the severity, as verdict words take eight columns and a space
_WORDS = {
    Outcome.PASS: ("PASS", "green"),
    Outcome.FAIL: ("FAIL", "bold red"),
    Outcome.UNKNOWN: ("UNKNOWN", "bold yellow"),
    Outcome.NOT_APPLICABLE: ("N/A", "dim"),
}
_WAIVED = ("WAIVED", "cyan")
_ALIKE = 12  # checks that are unknown for one reason, named beside the first; our judgement
_NAMED = 5  # of several environments with something in common, so many are named; our judgement


def report(run: Run, options: ReportOptions) -> str:
    """The whole report. Of several environments a line each, the worst first; in full a short section each, too.

    Where one of several is not well, that one follows as it would alone: it is what whoever asked has to read.
    """
    page = Screen(options.width, color=options.color)
    several = len(run.heads) > 1
    if several:
        _overview(page, run)
    alone = _alone(run) if several and not options.full else ""
    for head in (
        _sections(run) if options.full or not several else [one for one in run.heads if one.environment == alone]
    ):
        mine = [r for r in run.results if r.environment == head.environment] if several else run.results
        short = several and not alone
        _header(page, head, run, mine, options, several=short)
        diagnosis = of_environment(run.diagnoses, head.environment)
        _answer(page, answer(diagnosis, mine, run.started_at), short=short)
        if diagnosis is None or options.full or not folded(diagnosis):
            _body(page, mine, options, short=short)
        elif short:
            _tally(page, summarize(mine))
        page.gap()
    _end(page, run, options, several=several, alone=bool(alone))
    return page.text()


def _alone(run: Run) -> str:
    """The only environment of several of which something is wrong or unknown; empty where there are more, or none."""
    unwell = [one.environment for one in environment_lines(run) if one.word]
    return unwell[0] if len(unwell) == 1 else ""


def line_for(result: Result, width: int = 80) -> str:
    """A verdict in one line, to show as soon as it is known."""
    word, _ = _word(result)
    line = sanitize(f"{word:<8} {result.severity:<9} {_name(result)}  {result.reason}")
    return _cut(line, width)


def _sections(run: Run) -> list[Head]:
    """One for each environment; results about the fleet get their own beside several."""
    known = {head.environment for head in run.heads}
    others = dict.fromkeys(result.environment for result in run.results if result.environment not in known)
    if len(run.heads) == 1:
        return run.heads
    return [*run.heads, *map(Head, others)]


def _header(
    page: Screen, head: Head, run: Run, results: Sequence[Result], options: ReportOptions, *, several: bool
) -> None:
    versions = dict.fromkeys((result.runbook, result.runbook_version) for result in results)
    versions |= dict.fromkeys((one.runbook, one.runbook_version) for one in run.expected)
    sources = {(source.name, source.version): source for source in options.runbooks}
    short = [f"{name} {version}" for name, version in versions]
    long = list(short)
    for i, one in enumerate(versions):
        if one in sources:
            short[i] = f"{short[i]} ({sources[one].where})"
            long[i] = f"{sources[one].title} ({long[i]}, {sources[one].where})"
    where = [head.environment]
    if head.cluster_id or head.ranking:  # an environment that was asked nothing ranks nothing
        where.append(f"cluster {head.cluster_id}" if head.cluster_id else "cluster id not known")
    fits = len(sanitize(DOT.join([*long, *where]))) <= page.width
    page.packed([*(long if fits else short), *where], "bold")
    page.packed(_system(head))
    for end in () if several else run.ends:
        page.packed([end.environment, *_system(end)[:2]])
    for note in head.notes:
        page.paragraph(note, label="note")
    diagnosis = of_environment(run.diagnoses, head.environment)
    told = [*_set_here(results)]
    if len(told) > 1 and not options.full and diagnosis is not None and folded(diagnosis):
        # One screen is for the answer; what is set was decided on a better day.
        told = [f"parameters of {counted(sum(bool(one.overridden) for one in results), 'check')}: --full"]
    for line in told:
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
            yield f"{_name(result)}: {', '.join(own)}"


def _system(head: Head) -> list[str]:
    parts = []
    if head.kafka_version:
        parts.append(f"Kafka {head.kafka_version}" + (f", {head.mode}" if head.mode else ""))
    parts += filter(None, [answering(head)])
    return [*parts, " > ".join(head.ranking)] if head.ranking else parts


def _body(page: Screen, results: Sequence[Result], options: ReportOptions, *, short: bool) -> None:
    shared = common_of_run(results)
    told = [] if options.full else lacking(results)
    found = [one for one in findings(results) if one not in told]
    alike = _alike(found)
    for result in found:
        others = alike.get((result.outcome, result.reason), [result])
        if others[0] is result:
            _finding(page, result, options, shared, short=short)
            _also(page, others[1:], full=options.full)
    if shared:
        page.gap()
    by_parts: dict[tuple[ValueCoverage, ...], list[Shared]] = {}
    for one in shared:
        by_parts.setdefault(tuple(one.parts), []).append(one)
    for parts, values in by_parts.items():
        all_of = _share(values[0].touched, values[0].of)
        counts = ", ".join(f"{part.touched:,} of {_plural(part)}" for part in parts if part.touched)
        names = ", ".join(f"{_words(one.entity)} {one.value}" for one in values)
        page.paragraph(f"{all_of} of this touches {names}: {counts}", indent=_INDENT, style="bold")
    summary = summarize(results)
    if options.full or not (summary.passed or findings(results)):
        page.gap()
        _quiet(page, results, full=options.full)
    if short:
        page.gap()
        _tally(page, summary)


def _answer(page: Screen, parts: Sequence[Part], *, short: bool) -> None:
    """Causes first, each with its lines; of several environments the causes alone."""
    for part in parts:
        style = "bold red" if part.word.startswith("CAUSE") else "bold yellow"
        page.paragraph(part.says, label=Label(part.word, style, _INDENT), clip=False, style="bold")
        for line in [] if short else part.lines:
            page.paragraph(line.says, indent=_INDENT, label=line.label, clip=False)
    if parts:
        page.gap()


def _alike(found: Sequence[Result]) -> dict[tuple[Outcome, str], list[Result]]:
    """Unknown results by their reason: one broker that is gone leaves many checks unknown, and is one thing to read."""
    alike: dict[tuple[Outcome, str], list[Result]] = {}
    for result in found:
        if result.outcome is Outcome.UNKNOWN:
            alike.setdefault((result.outcome, result.reason), []).append(result)
    return alike


def _also(page: Screen, others: Sequence[Result], *, full: bool) -> None:
    if others:
        shown = others if full or len(others) <= _ALIKE else others[: _ALIKE - 1]
        names = ", ".join(f"{_name(result)} ({result.severity})" for result in shown)
        names += f" … and {len(others) - len(shown):,} more: --full" if len(shown) < len(others) else ""
        page.paragraph(f"{counted(len(others), 'more check')}: {names}", indent=_INDENT, label="so too", clip=False)


def _share(touched: int, of: int) -> str:
    nearly = 0.9  # as in runbook.judge.common_cause
    return "all" if touched == of else "nearly all" if touched >= nearly * of else "most"


def _plural(part: ValueCoverage) -> str:
    return f"{part.of:,} unknown" if part.noun == "unknown" else counted(part.of, part.noun)


def _finding(page: Screen, result: Result, options: ReportOptions, said: Sequence[Common], *, short: bool) -> None:
    word, style = _word(result)
    page.line((f"{word:<8} ", style), (f"{result.severity:<9} ", ""), (_name(result), "bold"))
    page.paragraph(result.reason, indent=_INDENT)
    in_full = not short and not result.waived
    if in_full:
        _rows(page, result, options.rows)
    _excuse(page, result)
    if not in_full:
        return
    _gaps(page, result, options.rows)
    for one in result.common:
        if not any((one.entity, one.value) == (other.entity, other.value) for other in said):
            text = f"{_words(one.entity)} {one.value}: {one.touched:,} of {one.of:,}"
            page.paragraph(text, indent=_INDENT, label="in common")
    step = first_step(result.remedy) if result.outcome is Outcome.FAIL else ""
    if step:
        page.paragraph(step, indent=_INDENT, label="do first")
    page.paragraph(f"runbook show {result.check.replace('/', '#', 1)}", indent=_INDENT, label="read")


def _excuse(page: Screen, result: Result) -> None:
    if result.waiver is None or result.outcome is not Outcome.FAIL:
        return
    waiver = result.waiver
    rows = "" if result.waived else f"{waiver.rows:,} of {result.failed:,}, "
    page.paragraph(f"{rows}until {waiver.expires}, {waiver.owner}: {waiver.reason}", indent=_INDENT, label="waived")


def _rows(page: Screen, result: Result, most: int | None) -> None:
    rows = open_rows(result)
    shown = rows[:most]
    for row in shown:
        text = row_text(row)
        if row.outcome != result.outcome:
            text += " (could not be judged)"
        if text != result.reason:
            page.paragraph(text, indent=_INDENT + 2)
    more = open_count(result) - len(shown)
    if more > 0:
        how = "--rows all" if len(shown) < len(rows) else "not kept"
        page.paragraph(f"… {more:,} more: {how}", indent=_INDENT + 2, style="dim")


def _gaps(page: Screen, result: Result, most: int | None) -> None:
    """What the facts did not show; of an unknown, the reason has said the first of it."""
    if result.outcome is Outcome.UNKNOWN and most is not None:
        return
    reasons = list(dict.fromkeys(gap.reason for gap in result.gaps))
    for reason in reasons[:most]:
        if reason != result.reason:
            page.paragraph(reason, indent=_INDENT, label="not seen")
    if most is not None and len(reasons) > most:
        page.paragraph(f"… {len(reasons) - most:,} more: --rows all", indent=_INDENT, label="not seen")


def row_text(row: JudgedRow) -> str:
    """A row with its key in front, unless its message begins with it. Not made inert yet."""
    values = {name: show(value) for name, value in row.key.items()}
    named = [f"{_words(noun_of(row, name))} {value}" for name, value in values.items()]
    plain = [
        value if isinstance(row.key[name], str) else words
        for (name, value), words in zip(values.items(), named, strict=True)
    ]
    if not values or (_begins(row.message, plain[0], named[0]) and all(_says(row.message, v) for v in values.values())):
        return row.message
    return f"{', '.join(plain)}: {row.message}"


def _begins(message: str, *beginnings: str) -> bool:
    return any(message.startswith(one) and not message[len(one) :][:1].isalnum() for one in beginnings)


def _says(message: str, value: str) -> bool:
    if len(value) > LONGEST:  # more than anybody would write twice, and too much for a pattern
        return value in message
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", message) is not None


def _quiet(page: Screen, results: Sequence[Result], *, full: bool) -> None:
    """What passed, if asked for, and what did not apply."""
    for result in worst_first(results):
        if result.outcome is Outcome.NOT_APPLICABLE or (full and result.outcome is Outcome.PASS):
            word, style = _word(result)
            page.line((f"{word:<8} ", style), (f"{result.severity:<9} ", ""), (_name(result), ""))
            page.paragraph(result.reason, indent=_INDENT)


def _overview(page: Screen, run: Run) -> None:
    """Environments, the worst first, a line each, and beneath them what several have in common."""
    lines = environment_lines(run)
    runbooks = dict.fromkeys(f"{one.runbook} {one.runbook_version}" for one in run.results)
    page.packed([*runbooks, f"{counted(len(run.heads), 'environment')}, the worst first"], "bold")
    page.gap()
    columns = ("pass", "fail", "unknown")
    wide = min(max(len(sanitize(one.environment)) for one in lines), page.width // 3)
    page.line(("  ".join([" " * wide, *columns]), "dim"))
    well = [one.environment for one in lines if not one.word]
    for one in lines if len(well) <= _NAMED else lines[: len(lines) - len(well)]:
        counts = (one.summary.passed, one.summary.failed, one.summary.unknown)
        cells = [str(count).rjust(len(column)) for column, count in zip(columns, counts, strict=True)]
        name = _cut(sanitize(one.environment), wide).ljust(wide)
        more = f" (and {one.more:,} more)" if one.more else ""
        room = page.width - len("  ".join([name, *cells])) - 2 - len(one.word) - 1 - len(more)
        says = _cut(sanitize(" ".join(one.says.split())), room) + more if one.word else ""
        style = "bold red" if one.summary.failed else "bold yellow" if one.summary.unknown else ""
        page.line((name, style), ("  ".join(["", *cells, one.word]).rstrip(), ""), (f" {says}" if says else "", ""))
    if len(well) > _NAMED:
        page.paragraph(
            f"{counted(len(well), 'environment')} of which nothing is wrong or unknown: {some(well, _NAMED)}"
        )
    page.gap()
    for shared in in_common(run):
        page.paragraph(f"{shared.says}: {some(shared.environments, _NAMED)}", label="IN COMMON")
    page.gap()


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: max(room - 1, 1)]}…"


def _five(summary: RunSummary) -> tuple[int, int, int, int, int]:
    return summary.passed, summary.failed, summary.unknown, summary.not_applicable, summary.waived


def _tally(page: Screen, summary: RunSummary, time: str = "") -> None:
    styles = ("green", "bold red", "bold yellow", "", "cyan")
    nouns = ("pass", "fail", "unknown", "not applicable", "waived")
    spans: list[Span] = []
    for count, noun, style in zip(_five(summary), nouns, styles, strict=True):
        spans += [("   " if spans else "", ""), (f"{count} {noun}", style if count else "dim")]
    page.line(*spans, (f"   {time}" if time else "", "dim"))


def _end(page: Screen, run: Run, options: ReportOptions, *, several: bool, alone: bool) -> None:
    mild = below(run.results, options.fail_on)
    if mild:
        names = ", ".join(dict.fromkeys(_name(result) for result in mild))
        page.paragraph(f"milder than --fail-on {options.fail_on}, so they do not fail the run: {names}")
    if run.interrupted:
        page.paragraph("interrupted: what was not judged by then is unknown", style="bold yellow")
    elif exit_code(run, options.fail_on) is ExitCode.NOTHING:
        why = "none of the checks applies" if run.results else "no check was selected"
        page.paragraph(f"nothing was judged: {why}", style="bold yellow")
    brief = (alone or not several) and not options.full and any(map(folded, run.diagnoses))
    if brief:
        page.paragraph("every check, with rows and reasons: --full", style="dim")
    if several and not alone and findings(run.results):
        page.paragraph(
            "causes and what to do first: name one environment with --env; every finding: --full", style="dim"
        )
    summary = summarize(run.results)
    _tally(page, summary, f"{run.took_ms / 1000:.1f} s of {run.deadline_ms / 1000:g} s")
    if summary.judged and not brief:
        page.line((f"judged {counted(summary.judged, 'row')} of {counted(summary.facts, 'fact')}", "dim"))


def _word(result: Result) -> Span:
    return _WAIVED if result.waived else _WORDS[result.outcome]


def _name(result: Result) -> str:
    """The check, and what it is about if that is not the environment."""
    return result.check if result.subject == result.environment else f"{result.check} [{result.subject}]"


def _words(entity: str) -> str:
    return entity.replace("_", " ")
