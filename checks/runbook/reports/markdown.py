"""The run as Markdown, for a ticket or a chat: the answer first, then what fails and what is not known, a line each."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from runbook.judge.first_step import Wording, said, whole
from runbook.judge.summary import by_outcome, findings, open_count, open_rows, worst_first
from runbook.model.diagnosis import Diagnosis, of_environment
from runbook.model.result import Outcome, Result
from runbook.model.run import Head, Run
from runbook.model.sentence import each_shown
from runbook.reports import ReportOptions
from runbook.reports._answer import ToDo, answer, answering, folded
from runbook.reports._brief import Brief
from runbook.reports._contrasts import beside, told_apart
from runbook.reports._excuses import excuse, excuses
from runbook.reports._findings import share_of
from runbook.reports._fleet import environment_lines, in_common
from runbook.reports._row_groups import row_groups
from runbook.reports._unobserved import unobserved
from runbook.reports._unseen import standbys
from runbook.safety.sanitize import sanitize

_SPECIAL: Final = re.compile(r"[\\`*_{}\[\]<>+!|~]|(?<!\w)#|#(?!\w)|&(?=#?\w+;)|^-")
_NUMBER: Final = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")  # which would begin a list
_LONGEST = 400  # characters of one text. Our judgement: as on the console


def report(run: Run, options: ReportOptions) -> str:
    """The document: nothing of a cluster in it is Markdown or HTML of its own."""
    lines = [*_error_says(options), *(_overview(run) if len(run.heads) > 1 else [])]
    lines += [line for head in run.heads for line in _environment(head, run, options)]
    return "\n".join([*lines, f"Run `{run.id}`, began {run.started_at}, took {run.time_spent()}.", ""])


def _error_says(options: ReportOptions) -> Iterator[str]:
    if said := options.error_says:
        yield f"**The error itself says** {plain(said.sentence)} `{said.read_on}`"
        yield ""


def _overview(run: Run) -> Iterator[str]:
    """Environments, the worst first, and what several have in common."""
    yield "| environment | pass | fail | unknown | |"
    yield "|---|---|---|---|---|"
    for line in environment_lines(run):
        counts = f"{line.summary.passed} | {line.summary.failed} | {line.summary.unknown}"
        more = f" (and {line.more:,} more)" if line.more else ""
        yield f"| {plain(line.environment)} | {counts} | {plain(f'{line.word} {line.says}{more}'.strip())} |"
    yield ""
    for shared in in_common(run):
        yield f"**In common** {plain(shared.says)}: {plain(', '.join(shared.environments))}"
        yield ""


def _environment(head: Head, run: Run, options: ReportOptions) -> Iterator[str]:
    mine = [result for result in run.results if result.environment == head.environment]
    names = dict.fromkeys(f"{result.runbook} {result.runbook_version}" for result in mine)
    yield f"## {plain(head.environment)}: {plain(', '.join(names))}"
    yield ""
    yield plain(_system(head))
    yield ""
    yield from (f"Note: {plain(note)}\n" for note in head.notes)
    diagnosis = of_environment(run.diagnoses, head.environment)
    brief = Brief(inventory=options.inventory)
    for part in answer(diagnosis, mine, run.started_at, brief, standbys(head.mirrored_to, run.results)):
        yield f"**{plain(part.word)}** {plain(part.says)}"
        yield ""
        for line in part.lines:
            parts = [line.pieces] if isinstance(line, ToDo) else [[Wording(line.says)]]
            yield from _entry(f"**{plain(line.label)}**", parts)
        yield ""
    if diagnosis is not None and folded(diagnosis) and not options.full:
        yield from _table(mine)
    else:
        yield from (line for result in findings(mine) for line in _finding(result, diagnosis, options))
    if said := unobserved(head, mine):
        yield f"{plain(said)}."
        yield ""
        left = [result for result in worst_first(mine) if result.unobserved] if options.full else []
        yield from (f"- {result.severity} {plain(result.check)}: {plain(result.reason)}" for result in left)
        yield from [""] if left else []
    yield f"{by_outcome(mine)}."
    yield ""


def _system(head: Head) -> str:
    parts = [f"cluster {head.cluster_id or 'not known'}"]
    parts += [f"Kafka {head.kafka_version}"] if head.kafka_version else []
    parts += [head.mode] if head.mode else []
    parts += filter(None, [answering(head)])
    return " · ".join([*parts, " > ".join(head.ranking)] if head.ranking else parts)


def _table(results: Sequence[Result]) -> Iterator[str]:
    """What a cause explains, and what it does not, a line each."""
    yield "| | severity | check | |"
    yield "|---|---|---|---|"
    for result in findings(results):
        yield f"| {_word(result)} | {result.severity} | {plain(result.check)} | {plain(result.reason)} |"
    yield ""


def _finding(result: Result, diagnosis: Diagnosis | None, options: ReportOptions) -> Iterator[str]:
    about = "" if result.subject == result.environment else f" [{result.subject}]"
    known = f" ({plain(excuse(result))})" if result.known else ""
    yield f"**{_word(result).upper()}** {result.severity} {plain(result.check + about)}: {plain(result.reason)}{known}"
    yield ""
    if result.known:
        return
    groups = row_groups(open_rows(result))[: options.rows]
    yield from (f"- {plain(group.text())}" for group in groups if group.rows[0].message != result.reason)
    if (more := open_count(result) - sum(len(group.rows) for group in groups)) > 0:
        yield f"- {more:,} more"
    reasons = each_shown(gap.reason for gap in result.gaps)
    yield from (f"- not seen: {plain(reason)}" for reason in reasons[: options.rows] if reason != result.reason)
    yield from (f"- {line.label}: {plain(line.says)}" for line in told_apart(diagnosis, result))
    yield from (
        f"- in common: {plain(f'{common.entity} {common.value}')}, {share_of(common, result)}"
        for common in beside(diagnosis, result)
    )
    yield from (f"- {said.label} {plain(said.says)}" for said in excuses(result))
    if result.outcome is Outcome.FAIL and (remedy := whole(result.remedy)):
        yield from _entry("do first:", remedy)
    yield ""


def _entry(label: str, parts: Sequence[Sequence[Wording]]) -> Iterator[str]:
    """An entry of a list; code that stands alone is code there, too: nobody could paste it out of a line of words."""
    groups = [(alone, [*found]) for part in parts for alone, found in groupby(part, _stands_alone)]
    first = "" if groups[0][0] else _words(groups.pop(0)[1])
    yield f"- {label} {first}".rstrip()
    for lines in (_fence(pieces) if alone else [_words(pieces)] for alone, pieces in groups):
        yield from (["", *(f"  {line}" for line in lines)] if any(lines) else [])


def _stands_alone(piece: Wording) -> bool:
    return piece.kind == "block"


def _words(pieces: Sequence[Wording]) -> str:
    text = said(pieces)
    return plain(text, len(text))


def _fence(lines: Sequence[Wording]) -> list[str]:
    """Code, between marks that are longer than any in it."""
    texts = [sanitize(line.text) for line in lines]
    mark = "`" * max(3, *(len(run) + 1 for text in ["", *texts] for run in re.findall("`*", text)))
    return [mark, *texts, mark]


def _word(result: Result) -> str:
    return "known" if result.known else "waived" if result.waived else result.outcome.value


def plain(text: str, longest: int = _LONGEST) -> str:
    """A text of others, so that Markdown shows it as it is, on one line; what is longer is cut."""
    shown = sanitize(" ".join(text[:longest].split()))
    return _NUMBER.sub(r"\1\\\2", _SPECIAL.sub(r"\\\g<0>", shown)) + ("…" if len(text) > longest else "")
