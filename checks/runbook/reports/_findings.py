"""Findings one by one: what fails and what is unknown, worst first, with rows, remedy and where to read on."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from runbook.judge.common_cause import Shared, ValueCoverage, common_of_run
from runbook.judge.first_step import first_step, whole
from runbook.judge.summary import (
    RunSummary,
    counted,
    findings,
    open_count,
    open_rows,
    summarize,
    worst_first,
)
from runbook.model.consequence import reason_for
from runbook.model.diagnosis import Diagnosis
from runbook.model.fact import SharedGap
from runbook.model.gap_kind import GapKind
from runbook.model.result import Common, Outcome, Result
from runbook.model.sentence import each_shown
from runbook.reports import ReportOptions
from runbook.reports._acute import acute_first, of_long, since_long
from runbook.reports._answer import walks_of
from runbook.reports._brief import Brief
from runbook.reports._contrasts import beside, told_apart
from runbook.reports._excuses import excuses
from runbook.reports._rights import lacking
from runbook.reports._row_groups import row_groups, words_of
from runbook.reports._screen import Label, Screen, Span
from runbook.reports._unkept import unkept, unkept_line
from runbook.reports._unseen import unseen

INDENT = 9  # findings' text stands under the severity, as verdict words take eight columns and a space
_WORDS = {
    Outcome.PASS: ("PASS", "green"),
    Outcome.FAIL: ("FAIL", "bold red"),
    Outcome.UNKNOWN: ("UNKNOWN", "bold yellow"),
    Outcome.NOT_APPLICABLE: ("N/A", "dim"),
}
_WAIVED = ("WAIVED", "cyan")
_KNOWN = ("KNOWN", "cyan")
_UNOBSERVED = ("NOT SEEN", "dim")
_ALIKE = 12  # checks that are unknown for one reason, named beside the first; our judgement


class _Said(NamedTuple):
    """What is said of all findings: what they have in common, and what explains them or tells them apart."""

    shared: Sequence[Common]
    diagnosis: Diagnosis | None


def list_findings(
    page: Screen,
    results: Sequence[Result],
    diagnosis: Diagnosis | None,
    options: ReportOptions,
    brief: Brief,
    *,
    short: bool,
) -> None:
    """Add them to a page, with what they have in common and what did not apply."""
    shared = common_of_run(results)
    missing = [] if options.full else lacking(results)
    found = [finding for finding in findings(results) if finding not in missing]
    if not options.full and not missing and (dark := unseen(results)):
        _by_reason(page, found, dark, brief)
    else:
        lacks = [] if options.full else unkept(results)
        listed = [finding for finding in found if finding not in lacks]
        _one_by_one(page, listed, _Said(shared, diagnosis), options, brief, short=short)
        if lacks:
            page.paragraph(unkept_line(lacks), style="bold")
    if shared:
        page.gap()
    by_parts: dict[tuple[ValueCoverage, ...], list[Shared]] = {}
    for common in shared:
        by_parts.setdefault(tuple(common.parts), []).append(common)
    for parts, values in by_parts.items():
        all_of = _share(values[0].touched, values[0].of)
        counts = ", ".join(f"{part.touched:,} of {_plural(part)}" for part in parts if part.touched)
        names = ", ".join(f"{words_of(value.entity)} {value.value}" for value in values)
        page.paragraph(f"{all_of} of this touches {names}: {counts}", indent=INDENT, style="bold")
    summary = summarize(results)
    if options.full and summary.unobserved:
        page.gap()
        _unobserved(page, results)
    if options.full or not (summary.passed or summary.unobserved or findings(results)):
        page.gap()
        _quiet(page, results, full=options.full)
    if short:
        page.gap()
        tally(page, summary)


def _one_by_one(
    page: Screen,
    found: Sequence[Result],
    said: _Said,
    options: ReportOptions,
    brief: Brief,
    *,
    short: bool,
) -> None:
    alike = _alike(found)
    shown = options if brief.rows is None else replace(options, rows=brief.rows)
    long = [] if options.full else of_long(found, said.diagnosis)
    entries = [
        result
        for result in acute_first(found, said.diagnosis)
        if result not in long and alike.get((result.outcome, result.reason), [result])[0] is result
    ]
    for result in entries[: brief.findings]:
        _finding(page, result, said, shown, brief, short=short)
        _also(page, alike.get((result.outcome, result.reason), [result])[1:], full=options.full)
    if left := entries[len(entries[: brief.findings]) :]:
        page.paragraph(f"{_untold(left)}: --full", style="bold")
    if long:
        page.paragraph(since_long(long, said.diagnosis), style="bold")


def _untold(left: Sequence[Result]) -> str:
    """How many findings are not told, failing and unknown apart, as what fails stands before what is unknown."""
    failing = [result for result in left if result.outcome is Outcome.FAIL]
    unknown = [result for result in left if result.outcome is not Outcome.FAIL]
    counts = []
    if failing:
        counts.append(f"{counted(len(failing), 'more failing check')}, the worst {worst_first(failing)[0].severity}")
    if unknown:
        more = "" if failing else " more"
        counts.append(f"{len(unknown)}{more} unknown, the worst {worst_first(unknown)[0].severity}")
    return "; ".join(counts)


def _by_reason(page: Screen, found: Sequence[Result], dark: SharedGap, brief: Brief) -> None:
    """Where nothing could be looked at, a line for each reason that stands neither in the answer nor at the end."""
    others = [
        result
        for result in found
        if not any(gap.lack == dark or gap.kind is GapKind.NOT_CONFIGURED for gap in result.gaps)
    ]
    alike = [*_alike(others).values()]
    for same in alike[: brief.findings]:
        about = counted(len(same), "check") if len(same) > 1 else name_of(same[0])
        label = Label("UNKNOWN", _WORDS[Outcome.UNKNOWN][1], INDENT)
        page.paragraph(
            f"{about}, {'the worst ' if len(same) > 1 else ''}{same[0].severity}: {same[0].reason}", label=label
        )
    if left := len(alike) - len(alike[: brief.findings]):
        page.paragraph(f"{counted(left, 'more reason')}: --full", style="bold")
    page.paragraph("every check, with its reasons: --full", style="dim")


def _unobserved(page: Screen, results: Sequence[Result]) -> None:
    """The checks that nobody looks at by declaration, under each reason."""
    alike: dict[str, list[Result]] = {}
    for result in worst_first(results):
        if result.unobserved:
            alike.setdefault(result.reason, []).append(result)
    for reason, same in alike.items():
        page.line((f"{_UNOBSERVED[0]:<8} ", _UNOBSERVED[1]), (f"{same[0].severity:<9} ", ""), (name_of(same[0]), ""))
        page.paragraph(reason, indent=INDENT)
        _also(page, same[1:], full=True)


def _alike(found: Sequence[Result]) -> dict[tuple[Outcome, str], list[Result]]:
    """What is unknown or does not apply, by its reason: one broker that is gone leaves many checks so."""
    alike: dict[tuple[Outcome, str], list[Result]] = {}
    for result in found:
        if result.outcome in (Outcome.UNKNOWN, Outcome.NOT_APPLICABLE):
            alike.setdefault((result.outcome, result.reason), []).append(result)
    return alike


def _also(page: Screen, others: Sequence[Result], *, full: bool) -> None:
    if others:
        shown = others if full or len(others) <= _ALIKE else others[: _ALIKE - 1]
        names = ", ".join(f"{name_of(result)} ({result.severity})" for result in shown)
        names += f" … and {len(others) - len(shown):,} more: --full" if len(shown) < len(others) else ""
        page.paragraph(f"{counted(len(others), 'more check')}: {names}", indent=INDENT, label="so too", clip=False)


def _share(touched: int, of: int) -> str:
    nearly = 0.9  # as in runbook.judge.common_cause
    return "all" if touched == of else "nearly all" if touched >= nearly * of else "most"


def _plural(part: ValueCoverage) -> str:
    return f"{part.of:,} unknown" if part.noun == "unknown" else counted(part.of, part.noun)


def _finding(
    page: Screen,
    result: Result,
    said: _Said,
    options: ReportOptions,
    brief: Brief,
    *,
    short: bool,
) -> None:
    word, style = word_of(result)
    page.line((f"{word:<8} ", style), (f"{result.severity:<9} ", ""), (name_of(result), "bold"))
    page.paragraph(result.reason, indent=INDENT)
    in_full = not short and not result.waived
    if options.full and (because := reason_for(result.consequence)):
        page.paragraph(because, indent=INDENT, label=result.severity)
    if in_full:
        _rows(page, result, options.rows)
    _excuse(page, result)
    if not in_full:
        return
    _gaps(page, result, options.rows)
    for line in told_apart(said.diagnosis, result):
        page.paragraph(line.says, indent=INDENT, label=line.label)
    for common in beside(said.diagnosis, result):
        if not any((common.entity, common.value) == (other.entity, other.value) for other in said.shared):
            text = f"{words_of(common.entity)} {common.value}: {share_of(common, result)}"
            page.paragraph(text, indent=INDENT, label="in common")
    if result.outcome is Outcome.FAIL:
        parts = whole(result.remedy) if options.full else [first_step(result.remedy)]
        for place, part in enumerate(filter(None, parts)):
            page.to_do(part, indent=INDENT, label="" if place else "do first")
        for walk in walks_of(result, [piece for part in parts for piece in part], brief):
            page.to_do(walk.pieces, indent=INDENT, label=walk.label)
    page.paragraph(f"runbook show {result.check.replace('/', '#', 1)}", indent=INDENT, label="read")


def share_of(common: Common, result: Result) -> str:
    """How much of what is wrong touches a value; said so where more, or less, is counted than the rows that offend."""
    if open_count(result) > len(open_rows(result)):
        return f"{common.touched:,} of the {common.of:,} that are kept"
    more = ", with what could not be judged or seen" if 0 < result.failed < common.of else ""
    return f"{common.touched:,} of {common.of:,}{more}"


def _excuse(page: Screen, result: Result) -> None:
    if result.outcome is not Outcome.FAIL:
        return
    for said in excuses(result):
        page.paragraph(said.says, indent=INDENT, label=said.label)


def _rows(page: Screen, result: Result, most: int | None) -> None:
    rows = open_rows(result)
    groups = row_groups(rows)[:most]
    for group in groups:
        text = group.text()
        if group.rows[0].outcome != result.outcome:
            text += " (could not be judged)"
        if text != result.reason:
            page.paragraph(text, indent=INDENT + 2)
    shown = sum(len(group.rows) for group in groups)
    more = open_count(result) - shown
    if more > 0:
        how = "--rows all" if shown < len(rows) else "not kept"
        page.paragraph(f"… {more:,} more: {how}", indent=INDENT + 2, style="dim")


def _gaps(page: Screen, result: Result, most: int | None) -> None:
    """What the facts did not show; of an unknown, the reason has said the first of it."""
    if result.outcome is Outcome.UNKNOWN and most is not None:
        return
    reasons = each_shown(gap.reason for gap in result.gaps)
    for reason in reasons[:most]:
        if reason != result.reason:
            page.paragraph(reason, indent=INDENT, label="not seen")
    if most is not None and len(reasons) > most:
        page.paragraph(f"… {len(reasons) - most:,} more: --rows all", indent=INDENT, label="not seen")


def _quiet(page: Screen, results: Sequence[Result], *, full: bool) -> None:
    """What passed, if asked for, and what did not apply: of those for one reason the first, which names the others."""
    quiet = [
        result
        for result in worst_first(results)
        if result.outcome is Outcome.NOT_APPLICABLE or (full and result.outcome is Outcome.PASS)
    ]
    alike = _alike(quiet)
    for result in quiet:
        same = alike.get((result.outcome, result.reason), [result])
        if same[0] is result:
            word, style = word_of(result)
            page.line((f"{word:<8} ", style), (f"{result.severity:<9} ", ""), (name_of(result), ""))
            page.paragraph(result.reason, indent=INDENT)
            _also(page, same[1:], full=True)


def word_of(result: Result) -> Span:
    if result.waived:
        return _KNOWN if result.known else _WAIVED
    return _UNOBSERVED if result.unobserved else _WORDS[result.outcome]


def name_of(result: Result) -> str:
    """The check, and what it is about if that is not the environment."""
    return result.check if result.subject == result.environment else f"{result.check} [{result.subject}]"


def _counts(summary: RunSummary) -> tuple[int, ...]:
    unobserved = (summary.unobserved,) if summary.unobserved else ()
    known = (summary.known,) if summary.known else ()
    return summary.passed, summary.failed, summary.unknown, *unobserved, summary.not_applicable, summary.waived, *known


_GAP: Final = "   "  # between two counts


def tally(page: Screen, summary: RunSummary, time: str = "", *, tight: bool = False) -> None:
    """Add how many checks came out how; tight, without what none did; in one line where it can be one.

    Where a count more stands there, room is made for it.
    """
    styles = ["green", "bold red", "bold yellow", "", "cyan"]
    nouns = ["pass", "fail", "unknown", "not applicable", "waived"]
    if summary.known:
        styles.append("cyan")
        nouns.append("known")
    if summary.unobserved:
        styles.insert(3, "")
        nouns.insert(3, "unobserved")
    cramped = bool(summary.unobserved)
    left_out = ("not applicable",) if cramped and tight else ()
    parts = [
        (f"{count} {noun}", style if count else "dim")
        for count, noun, style in zip(_counts(summary), nouns, styles, strict=True)
        if noun in nouns[:3] or (count and noun not in left_out) or not (count or cramped or tight)
    ]
    line: list[Span] = []
    for part in [*parts, (time, "dim")] if time else parts:
        if line and sum(len(text) for text, _ in line) + len(_GAP) + len(part[0]) > page.width:
            page.line(*line)
            line = []
        line += [(_GAP, ""), part] if line else [part]
    page.line(*line)
