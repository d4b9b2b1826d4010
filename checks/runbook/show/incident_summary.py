"""An incident in short: its causes, what failed, what failed even before, and how each walk ended."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from runbook.incident.events import NAMED, places_of
from runbook.incident.record import IncidentEvidence, JudgedText, RecordedRun, Span
from runbook.judge.summary import counted, some
from runbook.model.result import Outcome
from runbook.model.run import NamedCause
from runbook.procedure.walk_record import Ended, Judged, Paused, Record
from runbook.procedure.walk_status import standing
from runbook.reports.markdown import plain


class _Finding(Struct, frozen=True):
    """How a check came out, by a run or by a gate; a failure that is waived is none."""

    at: str
    check: str
    subject: str
    outcome: Outcome
    reason: str
    waived: bool

    @property
    def failed(self) -> bool:
        """Whether it is a failure."""
        return self.outcome is Outcome.FAIL and not self.waived


def in_short(seen: IncidentEvidence) -> Iterator[str]:
    """The section's lines."""
    yield "## In short"
    yield ""
    for cause, named in _causes(seen.looks):
        yield f"- **Cause**, named {seen_at(named)}{_no_more(cause, seen.looks)}: {plain(cause.says)}"
    gates = [gate for walk in seen.walks for gate in _gates(walk, seen.span)]
    of_gates = [finding for gate in gates for finding in gate]
    findings = sorted([*_of_runs(seen.looks), *of_gates], key=_at)
    failed = {_check(finding.check, seen.texts) for finding in findings if finding.failed}
    looked = counted(len(seen.looks), "look") + (f" and {counted(len(gates), 'gate')} of walks" if gates else "")
    yield f"- {looked}; {counted(len(failed), 'check')} failed at some time."
    whole = [look for look in seen.looks if not look.run.interrupted] or seen.looks
    moments = [*(look.run.started_at for look in whole), *(gate[0].at for gate in gates)]
    if moments:
        yield from _at_the_end(sorted([*_of_runs(whole), *of_gates], key=_at), seen, max(moments))
    if whole:
        last = whole[-1].run.started_at
        yield from (_interrupted(look) for look in seen.looks if look.run.started_at > last)
    for walk in seen.walks:
        begun = walk.begun
        yield f"- {plain(begun.procedure)}: {plain(begun.title)}, begun by {plain(begun.by)}; {plain(_ending(walk))}"
    yield ""


def _interrupted(look: RecordedRun) -> str:
    """What a look found out that somebody ended, after the last whole one: it takes back nothing of what that found."""
    unknown = sum(line.outcome is Outcome.UNKNOWN for line in look.results)
    failed = list(dict.fromkeys(finding.check for finding in _of_runs([look]) if finding.failed))
    lacks = f"{unknown:,} of {counted(len(look.results), 'check')} could not be found out"
    found = f"; {len(failed)} failed: {plain(some(failed, NAMED))}" if failed else ""
    return (
        f"- A later look, at {readable(look.run.started_at)}, was interrupted and is not counted there: {lacks}{found}."
    )


def _check(name: str, texts: Mapping[str, JudgedText]) -> str:
    """What a name stands for that may say by which text, too: a check counts once, however many texts it had."""
    return texts[name].check if name in texts else name


def _at_the_end(findings: Sequence[_Finding], looks: IncidentEvidence, last: str) -> Iterator[str]:
    """What failed when each check was looked at for the last time, and apart from it what failed even before."""
    ended = {name: text.ended for name, text in looks.texts.items() if text.ended}
    latest = [finding for finding in _last(findings) if finding.check not in ended]
    among = len({(_check(finding.check, looks.texts), finding.subject) for finding in latest})
    before = [*_of_runs(looks.before)]
    failing = [finding for finding in latest if finding.failed]
    unknown = [finding for finding in latest if finding.outcome is Outcome.UNKNOWN]
    even_then = {(finding.check, finding.subject) for finding in _last(before) if finding.failed}
    came = list(dict.fromkeys(one.check for one in failing if (one.check, one.subject) not in even_then))
    stood = list(dict.fromkeys(one.check for one in failing if one.check not in came))
    if came:
        seen = max(one.at for one in failing if one.check in came)
        earlier = f", seen last at {readable(seen)}" if seen < last else ""  # the last look judged other checks
        says = f"{len(came)} failed{earlier}: {plain(some(came, NAMED))}"
    elif stood:
        says = "nothing failed that had not failed before"
    elif unknown:
        some_known = len(unknown) < len(latest)
        says = "none is known to have failed" if some_known else "nothing could be found out"
    else:
        says = "none failed"
    yield f"- When last looked at, until {readable(last)}, {says}."
    if unknown:
        yield _not_known(unknown, among)
    if stood:
        names = plain(some(stood, NAMED))
        yield f"- {counted(len(stood), 'check')} failed before it began, and still then: {names}."
    yield from _not_judged_any_more([one for one in _last(findings) if one.failed and one.check in ended], ended)


def _not_judged_any_more(failed: Sequence[_Finding], ended: Mapping[str, str]) -> Iterator[str]:
    """Texts that failed when they judged last: whether they would still, nobody looked."""
    for since in sorted({ended[one.check] for one in failed}):
        names = list(dict.fromkeys(one.check for one in failed if ended[one.check] == since))
        over = f"not judged any more since {readable(since)}, but by another text"
        yield f"- Failed, and {over}: {plain(some(names, NAMED))}."


def _not_known(unknown: Sequence[_Finding], among: int) -> str:
    """How many checks could not be found out, which, and for what reason most of them."""
    names = plain(some(list(dict.fromkeys(finding.check for finding in unknown)), NAMED))
    [(reason, times)] = Counter(finding.reason for finding in unknown).most_common(1)
    why = f"{times:,} of them, as " if times < len(unknown) else "as "
    return f"- {len(unknown):,} of {counted(among, 'check')} could not be found out then: {names}; {why}{plain(reason)}"


def _of_runs(looks: Sequence[RecordedRun]) -> Iterator[_Finding]:
    for look in looks:
        for line in look.results:
            yield _Finding(
                look.run.started_at, line.check, line.subject, line.outcome, line.reason, waived=bool(line.waived)
            )


def _gates(walk: Record, span: Span) -> Iterator[list[_Finding]]:
    """What each gate found out in the span, here; one that saw kept facts, or can't be believed, found nothing out."""
    if walk.begun.rehearsal or walk.fault:
        return
    elsewhere = {*places_of(walk.begun)} - {span.environment, ""}
    for gate in walk.entries:
        if not isinstance(gate, Judged) or not span.holds(gate.at):
            continue
        here = [seen for seen in gate.seen if seen.subject not in elsewhere]
        if here:
            yield [
                _Finding(
                    gate.at,
                    seen.check,
                    seen.subject or span.environment,
                    seen.outcome,
                    seen.reason,
                    waived=seen.waived,
                )
                for seen in here
            ]


def _last(findings: Sequence[_Finding]) -> list[_Finding]:
    """The last that was found out of each check."""
    return list({(finding.check, finding.subject): finding for finding in findings}.values())


def _causes(looks: Sequence[RecordedRun]) -> list[tuple[NamedCause, list[str]]]:
    """Each cause, as it said itself last, with the looks that named it."""
    found: dict[tuple[str, str], list[str]] = {}
    last: dict[tuple[str, str], NamedCause] = {}
    for look in looks:
        for cause in look.run.named_causes:
            found.setdefault(cause.same, []).append(look.run.started_at)
            last[cause.same] = cause
    return [(last[same], named) for same, named in found.items()]


def _no_more(meant: NamedCause, looks: Sequence[RecordedRun]) -> str:
    """When a cause was looked for as before, and was not found any more; "" where nobody knows that."""
    named = [
        (place, cause)
        for place, look in enumerate(looks)
        for cause in look.run.named_causes
        if cause.same == meant.same
    ]
    place, cause = named[-1]
    asked = {line.runbook for line in looks[place].results}
    for look in looks[place + 1 :]:
        whole = look.run.complete and not look.run.interrupted and asked <= {line.runbook for line in look.results}
        in_other_words = any(other.cause == cause.cause for other in look.run.named_causes)
        dark = any(line.outcome is Outcome.UNKNOWN and line.check in cause.explains for line in look.results)
        if whole and not in_other_words and not dark:
            return f", not any more at {readable(look.run.started_at)}"
    return ""


def _ending(walk: Record) -> str:
    """How a walk ended, by whom and when; of one that did not, when something last happened."""
    last = walk.entries[-1]
    match last:
        case Ended() | Paused():
            reason = f": {last.reason}" if last.reason else ""
            return f"{standing(walk)} by {last.by} at {readable(last.at)}{reason}"
        case _:
            return f"{standing(walk)}, as of {readable(last.at)}"


def seen_at(moments: Sequence[str]) -> str:
    """From when to when looks saw something, as the page writes it."""
    first, last = readable(min(moments)), readable(max(moments))
    return f"at {first}" if first == last else f"from {first} to {last}"


def readable(at: str) -> str:
    """A moment as the page writes it."""
    return at[:19].replace("T", " ")


def _at(finding: _Finding) -> str:
    return finding.at
