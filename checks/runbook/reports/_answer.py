"""The answer to an incident, the same in every format: causes, their effects, first actions, and what they leave."""

import shlex
from collections.abc import Sequence

from msgspec import Struct

from runbook.changes.wording import apart
from runbook.judge.summary import counted, first_step, some, worst_first
from runbook.judge.template import show
from runbook.model import moment
from runbook.model.block import SEVERITIES, Severity
from runbook.model.diagnosis import CauseFound, Diagnosis, Told
from runbook.model.result import Outcome, Result
from runbook.model.run import Head
from runbook.reports import _unseen
from runbook.reports._brief import WHOLE, Brief
from runbook.reports._rights import lacked, left_by

_SILENT = 8  # brokers that do not answer, by name; same
_GRAVE: Severity = "high"  # from here on what is not explained keeps a line of its own


class Part(Struct, frozen=True):
    """A part of the answer: a word in front, a sentence, and lines beneath it."""

    word: str
    says: str
    lines: list[Told] = []


def answer(diagnosis: Diagnosis | None, results: Sequence[Result], asked_at: str, brief: Brief = WHOLE) -> list[Part]:
    """What is said first of one environment; nothing where no cause holds or may hold, and enough could be seen.

    A cause that holds stands for the list of failures, so that what it does not explain is told with it.

    Args:
        diagnosis: of the environment, if there is one.
        results: its results.
        asked_at: when the run began.
        brief: what is left out, where a screen has no room for it.
    """
    rights = [] if diagnosis is not None and diagnosis.named else lacked(results)
    parts = [Part("RIGHTS", f"our user lacks {', '.join(rights)}", left_by(results))] if rights else []
    if not rights and (reason := _unseen.unseen(results)):
        here = results[0].environment
        says = f"nothing of {here} could be looked at: {reason}"
        parts = [Part("UNSEEN", says, _unseen.left_by(here, results, reason))]
    return parts if diagnosis is None else [*parts, *_of_causes(diagnosis, results, asked_at, brief)]


def _of_causes(diagnosis: Diagnosis, results: Sequence[Result], asked_at: str, brief: Brief) -> list[Part]:
    named = _each_kind_first(diagnosis.named)
    shown = named[: brief.causes] or [cause for cause in diagnosis.causes if not cause.certain]
    parts = [_cause(cause, diagnosis, results, shown[:place], brief) for place, cause in enumerate(shown)]
    if len(named) > brief.causes:
        parts.append(Part("CAUSES", f"{len(named) - brief.causes} more: --full"))
    parts += _since(diagnosis, asked_at, brief)
    return [*parts, *_left(diagnosis, results, brief)] if named else parts


def _each_kind_first(causes: Sequence[CauseFound]) -> list[CauseFound]:
    """The causes with the first of each kind before further ones: three full disks must not hide a stopped worker."""
    kinds: set[str] = set()
    again: list[CauseFound] = []
    first: list[CauseFound] = []
    for one in causes:
        (again if one.cause in kinds else first).append(one)
        kinds.add(one.cause)
    return [*first, *again]


def _cause(
    cause: CauseFound, diagnosis: Diagnosis, results: Sequence[Result], before: Sequence[CauseFound], brief: Brief
) -> Part:
    """A cause with its lines; what one of the same kind has said already is not said again."""
    again = any(one.cause == cause.cause for one in before)
    proven = brief.proof and not (brief.bare and before)
    lines = [Told("proof", text) for text in cause.proof] if proven and not again else []
    lines += [] if before else diagnosis.effects
    if not again:
        lines.append(Told("first", cause.first))
        lines += [Told("walk", command) for command in _walk(cause, diagnosis.environment)]
        lines += [Told("do not", cause.avoid)] if cause.avoid else []
    if not (brief.bare and before):
        lines.append(Told("explains", _explains(cause, diagnosis, results)))
        lines += [Told("with it", text) for text in _beneath(cause, diagnosis)]
    return Part("CAUSE" if cause.certain else "POSSIBLE", _sentence(cause.says), lines)


def _walk(cause: CauseFound, environment: str) -> list[str]:
    """The command that walks the procedure of a cause, if there is one."""
    name = cause.procedure.replace("/", "#", 1)
    return [f"runbook procedure walk {name} --env {shlex.quote(environment)}"] if name else []


def _beneath(cause: CauseFound, diagnosis: Diagnosis) -> list[str]:
    """What follows from a cause, one line for each kind."""
    kinds: dict[str, list[str]] = {}
    for one in diagnosis.causes:
        if one.certain and one.beneath == cause.says:
            about = ", ".join(f"{name} {show(value)}" for name, values in one.keys.items() for value in values)
            kinds.setdefault(one.title, []).append(about)
    return [f"{title}: {', '.join(filter(None, about))}" for title, about in kinds.items()]


def _explains(cause: CauseFound, diagnosis: Diagnosis, results: Sequence[Result]) -> str:
    failed = sum(one.outcome is Outcome.FAIL and not one.waived for one in results)
    unknown = sum(one.outcome is Outcome.UNKNOWN for one in results)
    claims = [
        (cause.explains, "{}: they pass without it"),
        (cause.helps, "{}, together with the other causes"),
        (cause.may_explain, "perhaps {}"),
    ]
    made = [(checks, words) for checks, words in claims if checks] or claims[: bool(failed)]
    of = f"of {counted(failed, 'failing check')}"
    told = [words.format(f"{len(checks)} {'more' if place else of}") for place, (checks, words) in enumerate(made)]
    if unknown:
        told.append(f"{len(cause.withholds)} of {unknown} unknown: it hides what they lack")
    return "; ".join([*told, *diagnosis.notes])


def _since(diagnosis: Diagnosis, asked_at: str, brief: Brief) -> list[Part]:
    """What changed since the last kept look; nothing where none is kept."""
    changes = diagnosis.changes
    if changes is None:
        return []
    whole = f"runbook diff last --env {shlex.quote(diagnosis.environment)}"
    if changes.unread:
        return [Part("CHANGED", f"not known: {changes.unread}", [Told("see", whole)])]
    then = moment.read(changes.since)
    ago = apart(round((moment.read(asked_at) - then).total_seconds()))
    told = changes.told[: brief.left]
    left = changes.more + len(changes.told) - len(told)
    more = [f"{left:,} more"] if left else []
    more += [f"{changes.by_causes:,} that go with the cause"] if changes.by_causes else []
    lines = [*told, *([Told("and", f"{', '.join(more)}: {whole}")] if more else [])]
    nothing = "" if changes.told else "nothing else " if changes.by_causes else "nothing "
    return [Part("CHANGED", f"{nothing}since {then:%a %Y-%m-%d %H:%M} UTC, {ago} ago", lines)]


def _left(diagnosis: Diagnosis, results: Sequence[Result], brief: Brief) -> list[Part]:
    """What no cause explains: critical and high failures by name, the rest as a count."""
    failing = [one for one in worst_first(results) if one.check in diagnosis.unexplained]
    grave = [one for one in failing if SEVERITIES.index(one.severity) >= SEVERITIES.index(_GRAVE)]
    shown = grave[: brief.left]
    firsts = [[] if brief.bare else _first_of(one) for one in shown]
    parts = [
        Part("ALSO", f"{one.severity}  {one.check}: {one.reason}", first)
        for one, first in zip(shown, firsts, strict=True)
    ]
    more = len(failing) - len(shown)
    if more:
        worst = f", the worst {failing[len(shown)].severity}" if brief.tight else ""
        parts.append(Part("ALSO", f"{counted(more, 'more failing check')} that no cause explains{worst}: --full"))
    return parts


def _first_of(result: Result) -> list[Told]:
    step = first_step(result.remedy)
    return [Told("first", step)] if step else []


def answering(head: Head) -> str:
    """How many brokers answer, and which do not; empty where the cluster did not say how many there are."""
    if head.brokers is None:
        return ""
    count = "?" if head.answering is None else head.answering
    silent = [str(one) for one in head.silent or []]
    names = f", not {some(silent, _SILENT)}" if silent else ""
    if head.silent is None and head.answering != head.brokers:
        names = " (which do not was not asked)"
    return f"{count} of {counted(head.brokers, 'broker')} answer{'s' if head.brokers == 1 else ''}{names}"


def folded(diagnosis: Diagnosis) -> bool:
    """Whether the answer stands for the list of findings: a cause is named."""
    return bool(diagnosis.named)


def _sentence(text: str) -> str:
    return " ".join(text.split())
