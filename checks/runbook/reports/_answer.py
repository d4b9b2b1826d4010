"""The answer to an incident, the same in every format: causes, their effects, first actions, and what they leave."""

import re
import shlex
from collections.abc import Mapping, Sequence

from msgspec import field

from runbook.changes.wording import NOT_COMPARED, NOTHING_SEEN, apart
from runbook.judge.first_step import Wording, first_step, procedures_named, said, with_code
from runbook.judge.summary import counted, open_count, open_rows, some, worst_first
from runbook.judge.template import show
from runbook.model import moment
from runbook.model.block import SEVERITIES, Severity
from runbook.model.consequence import is_standing
from runbook.model.diagnosis import CauseFound, ChangesSince, Diagnosis, LabelledSentence, WalkOnRecord
from runbook.model.environment_option import environment_option
from runbook.model.result import Outcome, Result
from runbook.model.run import Head
from runbook.reports import _unseen
from runbook.reports._acute import acute_first, is_access, of_long, since_long
from runbook.reports._answer_part import Part
from runbook.reports._brief import WHOLE, Brief
from runbook.reports._contrasts import no_cause, told_apart
from runbook.reports._rights import lacked, left_by
from runbook.reports._row_groups import row_groups
from runbook.reports._unseen import Standby

_SILENT = 8  # brokers that do not answer, by name; same
_LEFT = 8  # checks that no cause explains, by name; same
_TO_WALK = re.compile(r"^runbook procedure walk ([\w.#-]+)", re.MULTILINE)
_WALKS = 3  # on record, of a cause; our judgement: more than three at once are what people forgot to end
_NOT_ENDED = ("under way", "paused")
_GRAVE: Severity = "high"  # from here on what is not explained keeps a line of its own


class ToDo(LabelledSentence, frozen=True):
    """What to do, with its code told from its words; `says` is all of it.

    Attributes:
        pieces: words and code.
    """

    pieces: list[Wording] = field(default_factory=list)


def answer(
    diagnosis: Diagnosis | None,
    results: Sequence[Result],
    asked_at: str,
    brief: Brief = WHOLE,
    standbys: Sequence[Standby] = (),
) -> list[Part]:
    """What is said first of one environment; nothing where no cause holds or may hold, and enough could be seen.

    A cause that holds stands for the list of failures, so that what it does not explain is told with it.

    Args:
        diagnosis: of the environment, if there is one.
        results: its results.
        asked_at: when the run began.
        brief: what is left out, where a screen has no room for it.
        standbys: the environments to which it is mirrored.
    """
    rights = [] if diagnosis is not None and diagnosis.named else lacked(results)
    parts = [Part("RIGHTS", f"our user lacks {', '.join(rights)}", left_by(results))] if rights else []
    causes = [] if diagnosis is None else _of_causes(diagnosis, results, asked_at, brief)
    if not rights and (lack := _unseen.unseen(results)):
        here = results[0].environment
        left = _unseen.left_by(here, results, lack, standbys, brief.inventory)
        part = Part("UNSEEN", f"nothing of {here} could be looked at: {lack.reason}", left)
        # What a cause says to do first is not said in other words above it, nor below.
        explained = brief.explained or (diagnosis is not None and bool(diagnosis.named))
        return [*causes, Part(part.word, part.says, left[:1])] if explained else [part, *causes]
    return [*parts, *causes]


def _of_causes(diagnosis: Diagnosis, results: Sequence[Result], asked_at: str, brief: Brief) -> list[Part]:
    named = _each_kind_first(diagnosis.named)
    acute = [cause for cause in named if cause.new or not cause.standing]
    # Beside a fault of this hour, what has been so for long is one line.
    standing = [cause for cause in named if cause not in acute] if acute and not brief.read else []
    told = acute if standing else named
    shown = told[: brief.causes] or [cause for cause in diagnosis.causes if not cause.certain]
    parts = [_cause(cause, diagnosis, results, shown[:place], asked_at, brief) for place, cause in enumerate(shown)]
    if len(told) > brief.causes:
        parts.append(Part("CAUSES", f"{len(told) - brief.causes} more: --full"))
    if standing:
        words = [_sentence(standing[0].says)] if len(standing) == 1 else dict.fromkeys(one.title for one in standing)
        parts.append(Part("STANDING", f"{'; '.join(words)}: --full"))
    parts += _since(diagnosis, asked_at, brief)
    if not named:
        return [*parts, *no_cause(diagnosis, results)]
    failing = acute_first([one for one in worst_first(results) if one.check in diagnosis.unexplained], diagnosis)
    long = [] if brief.read else of_long(failing, diagnosis)
    # Neither a standing condition nor a cause of nothing that fails stands above what is wrong at this hour.
    explains = any(one.explains or one.helps or one.may_explain for one in acute)
    asked = brief.picked and not explains  # what somebody asks about may well be a setting, and no fault of this hour
    hides = any(one.withholds for one in acute)
    above = [one for one in failing if asked or not (explains or hides or is_standing(one.consequence))]
    first = above[: brief.left]
    now = [_unexplained(one, diagnosis, brief, "FAILING") for one in first]
    left = [one for one in failing if one not in (*first, *long)]
    old = [Part("STANDING", since_long(long, diagnosis))] if long else []
    return [*now, *parts, *_left(diagnosis, results, left, brief), *old]


def _each_kind_first(causes: Sequence[CauseFound]) -> list[CauseFound]:
    """The causes with the first of each kind before further ones: three full disks must not hide a stopped worker."""
    kinds: set[str] = set()
    again: list[CauseFound] = []
    first: list[CauseFound] = []
    for cause in causes:
        (again if cause.cause in kinds else first).append(cause)
        kinds.add(cause.cause)
    return [*first, *again]


def _cause(
    cause: CauseFound,
    diagnosis: Diagnosis,
    results: Sequence[Result],
    before: Sequence[CauseFound],
    asked_at: str,
    brief: Brief,
) -> Part:
    """A cause with its lines; what one of the same kind has said already is not said again."""
    again = any(named.cause == cause.cause for named in before)
    proven = brief.proof and not (brief.bare and before)
    lines = [LabelledSentence("proof", text) for text in cause.proof] if proven and not again else []
    lines += [] if before else diagnosis.effects
    if not again:
        first = with_code(cause.first)
        lines += [_to_do("first", first), *_walk(cause, diagnosis.environment, brief)]
        offered = _offered(cause, first)
        told = [walk for walk in diagnosis.walks if _is_told(walk, first=not before, offered=walk.procedure in offered)]
        lines += [_on_record(walk, asked_at, brief, offered=walk.procedure in offered) for walk in told[:_WALKS]]
        lines += [LabelledSentence("do not", cause.avoid)] if cause.avoid else []
    if not (brief.bare and before):
        lines.append(LabelledSentence("explains", _explains(cause, diagnosis, results)))
        lines += [LabelledSentence("with it", text) for text in _beneath(cause, diagnosis)]
    if brief.read and not again:
        lines.append(_to_do("read", [Wording(f"runbook show {cause.cause.replace('/', '#', 1)}", "code")]))
    return Part("CAUSE" if cause.certain else "POSSIBLE", _sentence(cause.says), lines)


def _walk(cause: CauseFound, environment: str, brief: Brief) -> list[ToDo]:
    """A line for the procedure of a cause, if there is one."""
    named = cause.procedure and cause.procedure != brief.walking
    return [_to_walk(cause.procedure.replace("/", "#", 1), environment, brief, cause.words)] if named else []


def _to_walk(procedure: str, environment: str, brief: Brief, words: Mapping[str, str] | None = None) -> ToDo:
    """The command that walks a procedure, as ha#rolling-restart, in an environment, with the words that are known."""
    command = f"runbook procedure walk {procedure} {environment_option(environment, brief.inventory)}"
    for word, value in (words or {}).items():
        command += f" --set {shlex.quote(f'{word}={value}')}"
    return _to_do("walk", [Wording(command, "code")])


def walks_of(result: Result, step: Sequence[Wording], brief: Brief) -> list[ToDo]:
    """A line for each procedure that a part of a check's remedy names, but for that which one is walking.

    None of a check between two environments: its remedy says in which of them.
    """
    if result.subject_kind != "environment":
        return []
    named = procedures_named(step, result.check.partition("/")[0])
    return [_to_walk(name, result.environment, brief) for name in named if name.replace("#", "/") != brief.walking]


def _is_told(walk: WalkOnRecord, *, first: bool, offered: bool) -> bool:
    """Whether a cause tells of a walk: each that has not ended with the first, and one of what it offers."""
    return first if walk.standing in _NOT_ENDED else offered


def _on_record(walk: WalkOnRecord, asked_at: str, brief: Brief, *, offered: bool) -> ToDo:
    """That a procedure is walked already, or was: nobody else is to begin it unasked."""
    ago = apart(max(0, round((moment.read(asked_at) - moment.read(walk.at)).total_seconds())))
    at = f" at {walk.stage}" if walk.stage and walk.standing != "completed" else ""
    where = " → ".join(walk.environments)
    words = f"{walk.procedure.replace('/', '#', 1)} {where}, by {walk.by}: {walk.standing}{at}, {ago} ago: "
    inventory = f" -i {shlex.quote(brief.inventory)}" if brief.inventory else ""
    goes_on = f"walk --resume {shlex.quote(walk.word)}{inventory}"
    command = goes_on if walk.standing == "paused" and offered else f"show {shlex.quote(walk.word)}"
    return _to_do("on record", [Wording(words), Wording(f"runbook procedure {command}", "code")])


def _offered(cause: CauseFound, first: Sequence[Wording]) -> set[str]:
    """The procedures that a cause offers, as ha/rolling-restart: its own, and those of which it has the command."""
    named = _TO_WALK.findall("\n".join(piece.text for piece in first if piece.kind != "words"))
    return {cause.procedure, *(name.replace("#", "/") for name in named)}


def _follow(cause: CauseFound, diagnosis: Diagnosis) -> list[CauseFound]:
    return [other for other in diagnosis.causes if other.certain and other.beneath == cause.says]


def _beneath(cause: CauseFound, diagnosis: Diagnosis) -> list[str]:
    """What follows from a cause, one line for each kind."""
    kinds: dict[str, list[str]] = {}
    for other in _follow(cause, diagnosis):
        about = ", ".join(f"{name} {_listed(value)}" for name, values in other.keys.items() for value in values)
        kinds.setdefault(other.title, []).extend([about] if about else [])
    return [f"{title}: {', '.join(about)}" if about else title for title, about in kinds.items()]


def _listed(value: object) -> str:
    return ", ".join(map(show, value)) if isinstance(value, list) else show(value)


def _explains(cause: CauseFound, diagnosis: Diagnosis, results: Sequence[Result]) -> str:
    failed = sum(result.outcome is Outcome.FAIL and not result.waived for result in results)
    unknown = sum(result.is_unknown for result in results)
    beneath = {check for other in _follow(cause, diagnosis) for check in (*other.explains, *other.helps)}
    claims = [
        (cause.explains, "{}: they pass without it"),
        (cause.helps, "{}, together with the other causes"),
        (sorted(beneath - {*cause.explains, *cause.helps}), "{}, with what stands beneath it"),
        ([check for check in cause.may_explain if check not in beneath], "perhaps {}"),
    ]
    made = [(checks, words) for checks, words in claims if checks]
    of = f"of {counted(failed, 'failing check')}"
    explained = [words.format(f"{len(checks)} {'more' if place else of}") for place, (checks, words) in enumerate(made)]
    if failed and not made:
        explained = [f"none {of}"]
    if unknown:
        hides = f"{len(cause.withholds)} of {unknown} unknown: it hides what they lack"
        explained.append(hides if cause.withholds else f"none of {unknown} unknown")
    return "; ".join([*explained, *diagnosis.notes])


def _since(diagnosis: Diagnosis, asked_at: str, brief: Brief) -> list[Part]:
    """What changed since the last kept look; nothing where none is kept."""
    changes = diagnosis.changes
    if changes is None:
        return []
    whole = f"runbook diff last {environment_option(diagnosis.environment, brief.inventory)}"
    see = _to_do("see", [Wording(whole, "code")])
    if changes.unread:
        return [Part("CHANGED", f"not known: {changes.unread}", [see])]
    then = moment.read(changes.since)
    ago = apart(round((moment.read(asked_at) - then).total_seconds()))
    at = f"{then:%a %Y-%m-%d %H:%M} UTC, {ago} ago"
    if not (changes.seen_twice or changes.sentences or changes.by_causes):
        why = LabelledSentence("why", changes.unseen_why or NOTHING_SEEN)
        says = f"{NOT_COMPARED} with what was seen {at}"
        return [Part("CHANGED", says, [why, see])]
    sentences = changes.sentences[: brief.left]
    left = changes.more + len(changes.sentences) - len(sentences)
    more = [f"{left:,} more"] if left else []
    more += [f"{changes.by_causes:,} that go with the cause"] if changes.by_causes else []
    lines = [*sentences, *([LabelledSentence("and", f"{', '.join(more)}: {whole}")] if more else [])]
    if changes.unseen_why:
        hidden = f"{counted(changes.unseen, 'row')}, " if changes.unseen else ""
        lines.append(LabelledSentence("not known", f"{hidden}{changes.unseen_why}"))
    return [Part("CHANGED", f"{_nothing(changes)}since {at}", lines)]


def _nothing(changes: ChangesSince) -> str:
    """That nothing is told; of what was not seen twice, nobody can say that."""
    if changes.sentences:
        return ""
    seen = "of what was seen twice" if changes.unseen_why else "looked at here"
    return f"nothing {'else ' if changes.by_causes else ''}{seen} "


def _left(diagnosis: Diagnosis, results: Sequence[Result], failing: Sequence[Result], brief: Brief) -> list[Part]:
    """What no cause explains: grave failures with their reasons, the rest by name; and what none hides.

    Beside a cause, too much access is named alone: it is work of days, and no client feels it.
    """
    grave = [
        result
        for result in failing
        if SEVERITIES.index(result.severity) >= SEVERITIES.index(_GRAVE) and not is_access(result)
    ]
    shown = grave[: brief.left]
    parts = [_unexplained(result, diagnosis, brief, "ALSO") for result in shown]
    more = [result for result in failing if result not in shown]
    if more:
        says = f"{counted(len(more), 'more failing check')} that no cause explains"
        tight = f", the worst {worst_first(more)[0].severity}: --full"
        parts.append(Part("ALSO", says + (tight if brief.tight else f": {_named(more)}")))
    hidden = {check for cause in diagnosis.causes for check in cause.withholds}
    unknown = [result for result in results if result.is_unknown and result.check not in hidden]
    if hidden and unknown and not brief.tight:
        parts.append(Part("ALSO", f"{len(unknown)} unknown that no cause hides: {_named(unknown)}"))
    return parts


def _unexplained(result: Result, diagnosis: Diagnosis, brief: Brief, word: str) -> Part:
    """A failure that no cause explains, with what tells its rows apart and what to do first."""
    lines = [] if brief.bare else [*told_apart(diagnosis, result), *_first_of(result, brief)]
    if word == "FAILING" and (rows := row_groups(open_rows(result))):
        more = (
            f"; and {open_count(result) - len(rows[0].rows):,} more" if open_count(result) > len(rows[0].rows) else ""
        )
        lines = [LabelledSentence("which", f"{rows[0].text()}{more}"), *lines]
    return Part(word, f"{result.severity}  {result.check}: {result.reason}", lines)


def _named(results: Sequence[Result]) -> str:
    return some([result.check for result in results], _LEFT)


def _first_of(result: Result, brief: Brief) -> list[LabelledSentence]:
    step = first_step(result.remedy)
    return [_to_do("first", step), *walks_of(result, step, brief)] if step else []


def _to_do(label: str, pieces: list[Wording]) -> ToDo:
    return ToDo(label, said(pieces), pieces)


def answering(head: Head) -> str:
    """How many brokers answer, and which do not; empty where the cluster did not say how many there are.

    A broker that partitions name and that is not registered any more is one of those that there are.
    """
    if head.brokers is None:
        return ""
    count = "?" if head.answering is None else head.answering
    there_are = max(head.brokers, (head.answering or 0) + len(head.silent or []))
    silent = [str(broker) for broker in head.silent or []]
    names = f", not broker{'s' if len(silent) > 1 else ''} {some(silent, _SILENT)}" if silent else ""
    if head.silent is None and head.answering != there_are:
        names = " (which: runbook check ha)"
    return f"{count} of {counted(there_are, 'broker')} answer{'s' if there_are == 1 else ''}{names}"


def folded(diagnosis: Diagnosis) -> bool:
    """Whether the answer stands for the list of findings: a cause is named."""
    return bool(diagnosis.named)


def _sentence(text: str) -> str:
    return " ".join(text.split())
