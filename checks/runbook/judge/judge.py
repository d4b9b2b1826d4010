"""Judge a check over facts. Pure: the same facts and context give the same verdict, live or from a bundle."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import compress
from typing import Any

from msgspec import Struct

from runbook.judge.compiled import Compiled
from runbook.judge.effect_words import worded
from runbook.judge.expression import Undecided
from runbook.judge.in_force import settings_in, without_what_is_in_force
from runbook.judge.judged_row import judged_row
from runbook.judge.nothing_to_judge import none_concerned, none_there
from runbook.judge.summary import counted, row_noun
from runbook.judge.table import key_of, rows_of
from runbook.judge.template import Room, Template, show
from runbook.model.column import Column
from runbook.model.fact import Fact, Gap, distinct
from runbook.model.link import Mirror, values_of
from runbook.model.objective import Ranking, prevails
from runbook.model.recovery import WithheldCell
from runbook.model.result import Doubt, JudgedRow, Outcome, Verdict

_NAMED = 5  # rows that a reason names; our judgement
_RANKED_OTHERWISE = "the objectives in force rank the other way"
MAX_ROWS = 1000  # rows kept with a result; counts are of all. Our judgement: more than anyone reads


class Context(Struct, frozen=True):
    """What a verdict depends on besides facts.

    Attributes:
        environment: its name.
        labels: its labels.
        ranking: its objectives, by topic.
        params: the parameters in force for the check.
        now: the time of collection, RFC 3339 UTC.
        link: as declared, for a check about one.
    """

    environment: str
    labels: dict[str, str]
    ranking: Ranking
    params: dict[str, Any]
    now: str
    link: Mirror | None = None

    def constants(self) -> dict[str, Any]:
        """The variables that are the same for all rows."""
        return {
            "env.name": self.environment,
            "env.labels": self.labels,
            "env.objectives": list(self.ranking.default),
            "now": self.now,
        } | values_of(self.params, self.link)


def judge(compiled: Compiled, facts: Mapping[str, Fact], context: Context) -> Verdict:
    """Judge one check.

    Args:
        compiled: the check.
        facts: every fact and view the check names.
        context: the environment's side.

    Returns:
        The verdict: a pass only with complete facts and at least one row judged.
    """
    subject = facts[compiled.subject]
    for fact in (subject, *(facts[name] for name in _read(compiled))):
        if fact.inapplicable:
            return none_there(compiled.check, fact.inapplicable)
    barred = _applies(compiled, facts, context)
    if barred is not None:
        return barred
    if compiled.mode == "all":
        verdict = _judge_all(compiled, facts, context)
    elif compiled.mode == "same":
        verdict = _judge_same(compiled, subject, context)
    else:
        verdict = _judge_each(compiled, facts, context)
    if verdict.outcome is Outcome.FAIL and verdict.judged:
        verdict.reason = _effect(compiled, subject, verdict, values_of(context.params, context.link))
    return verdict


def _read(compiled: Compiled) -> list[str]:
    """The facts, besides the subject, that the expectation reads: joined ones, or those whose columns it names."""
    if compiled.mode == "all" and compiled.that is not None:
        used = {name.partition(".")[0] for name in compiled.that.used}
        return sorted(used & set(compiled.sources.columns) - {compiled.subject})
    return [*compiled.joins]


def _applies(compiled: Compiled, facts: Mapping[str, Fact], context: Context) -> Verdict | None:
    """None if the check applies; otherwise the verdict to give instead."""
    if compiled.applies is None or compiled.check.applies is None:
        return None
    fact = facts[compiled.check.applies.each]
    if fact.inapplicable:
        return none_there(compiled.check, fact.inapplicable)
    cells = {f"{compiled.check.applies.each}.{name}": column for name, column in fact.columns.items()}
    answers = compiled.applies.each(cells, context.constants(), len(fact))
    if False in answers:
        return Verdict(Outcome.NOT_APPLICABLE, compiled.check.applies.otherwise)
    doubts = [Doubt(answer.reason) for answer in answers if isinstance(answer, Undecided)]
    if not (fact.gaps or doubts or answers):
        doubts = [Doubt("nothing was seen")]
    if fact.gaps or doubts:
        why = f"whether it applies is not known: {_some(fact.gaps, doubts)}"
        return Verdict(Outcome.UNKNOWN, why, gaps=list(fact.gaps), doubts=doubts)
    return None


def _judge_each(compiled: Compiled, facts: Mapping[str, Fact], context: Context) -> Verdict:
    subject = facts[compiled.subject]
    table = rows_of(compiled, facts)
    constants = context.constants()
    assert compiled.that is not None
    chosen = chosen_rows(compiled, table.cells, constants, table.count)
    rows = [*compress(range(table.count), chosen)]  # also those of which it is not known
    if (ranked := ranked_rows(compiled, subject, context)) is not None:
        rows = [row for row in rows if ranked[row]]
    answers = compiled.that.each(table.cells, constants, table.count, chosen)
    verdict = Verdict(Outcome.UNKNOWN, "", judged=len(rows), gaps=table.gaps)
    holes = table.holes
    offending: list[int] = []
    undecided: list[tuple[int, Doubt]] = []
    explained = _explained(compiled)
    plain = _Plain()
    # Of hundreds of thousands of rows most pass: they are left out first
    for row in [row for row in rows if answers[row] is not True or chosen[row] is not True or row in holes]:
        answer, where = answers[row], chosen[row]
        if where is True and answer is False:  # whatever a joined fact or an earlier look would say
            offending.append(row)
            continue
        doubt = answer if isinstance(answer, Undecided) else where
        reason = doubt.reason if isinstance(doubt, Undecided) else ""
        why = _why(explained, subject, row).after(reason) if explained and reason else plain[reason]
        undecided.append((row, holes.get(row) or why))
    verdict.failed, verdict.undecided = len(offending), len(undecided)
    if offending:
        settings = settings_in(table.cells, compiled.sources.columns, offending)
        verdict.remedy = without_what_is_in_force(compiled.check.remedy, settings)
    room = Room()
    for row in offending[:MAX_ROWS]:
        data = constants | {name: cells[row] for name, cells in table.cells.items()}
        text = _message(compiled, data, compiled.that.used, room)
        verdict.rows.append(judged_row(compiled, subject, row, text, data))
    for row, why in undecided[: MAX_ROWS - len(verdict.rows)]:
        data = constants | {name: cells[row] for name, cells in table.cells.items()}
        verdict.rows.append(judged_row(compiled, subject, row, why.says, data, "unknown"))
    doubts = [*dict.fromkeys(why for _, why in undecided)]
    return _conclude(compiled, subject, verdict, doubts, _excluded(subject, verdict, ranked))


class _Plain(dict[str, Doubt]):
    """Doubts that say a reason and no more: of many rows one object."""

    def __missing__(self, reason: str) -> Doubt:
        self[reason] = Doubt(reason)
        return self[reason]


def _explained(compiled: Compiled) -> list[Column]:
    """The columns that the expressions read of a row, and of which it can be said why a cell is not known."""
    used = {
        name for expression in (compiled.where, compiled.that) if expression is not None for name in expression.used
    }
    return [
        column
        for column in compiled.columns
        if f"{compiled.subject}.{column.name}" in used and (column.why or column.untold)
    ]


def _why(columns: Sequence[Column], subject: Fact, row: int) -> Doubt:
    """What the row itself, or else one of these columns, says of why something is not known, as the end of a reason."""
    explained = [
        (subject.columns[column.why][row] if column.why else "") or column.untold
        for column in columns
        if subject.columns[column.name][row] is None
    ]
    texts = dict.fromkeys(filter(None, explained))
    return Doubt("".join(f": {text}" for text in texts), any(isinstance(text, WithheldCell) for text in texts))


def _excluded(subject: Fact, verdict: Verdict, ranked: Sequence[bool] | None) -> str:
    if verdict.judged:
        return ""
    if ranked is not None and len(subject) and not any(ranked):
        return _RANKED_OTHERWISE
    return "none of them is concerned" if len(subject) else "there is none"


def chosen_rows(
    compiled: Compiled, cells: Mapping[str, Sequence[Any]], constants: Mapping[str, Any], count: int
) -> Sequence[Any]:
    """For each row, what `where` of a check says of it; true of all where there is none."""
    return [True] * count if compiled.where is None else compiled.where.each(cells, constants, count)


def ranked_rows(compiled: Compiled, subject: Fact, context: Context) -> list[bool] | None:
    """For each row, whether the ranking of its topic lets the check apply; None where no row has a topic.

    A row whose topic is not known is judged: leaving it out would need to know that it may be left out.
    """
    check = compiled.check
    topic = next((column.name for column in compiled.columns if column.entity == "topic"), None)
    if not check.against or topic is None:
        return None
    names = subject.columns[topic]
    if not context.ranking.topics:
        of_all = prevails(check, context.ranking.default)
        return [of_all or name is None for name in names]
    concerned = {name: name is None or prevails(check, context.ranking.of(name)) for name in set(names)}
    return [concerned[name] for name in names]


def _judge_all(compiled: Compiled, facts: Mapping[str, Fact], context: Context) -> Verdict:
    assert compiled.that is not None
    data = context.constants()
    for name, fact in facts.items():
        data |= {f"{name}.{column}": cells for column, cells in fact.columns.items() if None not in cells}
    subject = facts[compiled.subject]
    gaps = distinct([*subject.gaps, *(gap for name in _read(compiled) for gap in facts[name].gaps)])
    verdict = Verdict(Outcome.UNKNOWN, "", judged=len(subject), gaps=gaps)
    if gaps:
        return _conclude(compiled, subject, verdict, [], "")
    if not len(subject):
        return _conclude(compiled, subject, verdict, [], "there is none")
    answer = compiled.that.value(data)
    if answer is False:
        verdict.failed = 1
        verdict.rows = [JudgedRow({}, _message(compiled, data, compiled.that.used, Room()), "fail")]
        return _conclude(compiled, subject, verdict, [], "")
    doubts = [] if answer is True else [_of_whom(compiled, subject).after(answer.reason)]
    return _conclude(compiled, subject, verdict, doubts, "")


def _of_whom(compiled: Compiled, subject: Fact) -> Doubt:
    """The rows of which something that is read is not known, as the end of a reason: ` (broker 2, broker 3)`."""
    assert compiled.that is not None
    read = [name for name in subject.columns if f"{compiled.subject}.{name}" in compiled.that.used]
    rows = [row for row in range(len(subject)) if any(subject.columns[name][row] is None for name in read)]
    named = [
        ", ".join(f"{name} {value}" for name, value in key_of(compiled.columns, subject, row).items())
        for row in rows[:_NAMED]
    ]
    more = [f"{len(rows) - _NAMED} more"] if len(rows) > _NAMED else []
    whys = dict.fromkeys(_why(_explained(compiled), subject, row) for row in rows[:_NAMED])
    text = f" ({', '.join([*named, *more])})" + "".join(why.says for why in whys)
    return Doubt(text, any(why.withheld for why in whys)) if rows else Doubt("")


def _judge_same(compiled: Compiled, subject: Fact, context: Context) -> Verdict:
    expect = compiled.check.expect
    cells = {f"{compiled.subject}.{name}": column for name, column in subject.columns.items()}
    chosen = chosen_rows(compiled, cells, context.constants(), len(subject))
    ranked = ranked_rows(compiled, subject, context)
    groups: dict[tuple[Any, ...], list[int]] = {}
    doubts: list[Doubt] = []
    room = Room()
    for row, where in enumerate(chosen):
        if where is False or (ranked is not None and not ranked[row]):
            continue
        group = tuple(_frozen(subject.columns[name][row]) for name in expect.by)
        if isinstance(where, Undecided):
            doubts.append(Doubt(where.reason))
        elif None in group:  # it may belong to any of them
            lacking = ", ".join(n for n, v in zip(expect.by, group, strict=True) if v is None)
            doubts.append(Doubt(f"{lacking} is not known"))
        else:
            groups.setdefault(group, []).append(row)
    verdict = Verdict(Outcome.UNKNOWN, "", judged=len(groups), gaps=list(subject.gaps))
    for group, rows in groups.items():
        values = {row: tuple(_frozen(subject.columns[name][row]) for name in expect.value) for row in rows}
        if any(None in value for value in values.values()):
            doubts.append(Doubt(f"{', '.join(map(str, group))}: a value could not be found out"))
        found = _disagreement(values)
        verdict.failed += bool(found.odd)
        for row in found.odd:
            data = context.constants() | {name: column[row] for name, column in cells.items()}
            verdict.rows.append(judged_row(compiled, subject, row, _differs(compiled, data, found, room), data))
    verdict.undecided = len(doubts)
    del verdict.rows[MAX_ROWS:]
    return _conclude(compiled, subject, verdict, doubts, "" if groups else _excluded(subject, verdict, ranked))


class _Disagreement(Struct, frozen=True):
    """How rows that should agree do not.

    Attributes:
        usual: the usual value of each column.
        odd: the rows to name.
        tied: whether some column has no value with a majority: then all are named.
    """

    usual: list[Any]
    odd: list[int]
    tied: bool


def _disagreement(values: Mapping[int, tuple[Any, ...]]) -> _Disagreement:
    """Compare each column by itself, so that one value that is not known hides no difference in another."""
    usual: list[Any] = []
    tied: list[int] = []
    for place, cells in enumerate(zip(*values.values(), strict=True)):
        counted = Counter(cell for cell in cells if cell is not None)
        value, most = next(iter(counted.most_common(1)), (None, 0))
        usual.append(value)
        if len(counted) > 1 and most <= counted.total() / 2:
            tied.append(place)

    def differs(value: tuple[Any, ...]) -> bool:
        pairs = enumerate(zip(value, usual, strict=True))
        return any(here is not None and (place in tied or here != there) for place, (here, there) in pairs)

    odd = [row for row, value in values.items() if differs(value)]
    return _Disagreement(usual=usual, odd=odd, tied=bool(tied))


def _differs(compiled: Compiled, data: Mapping[str, Any], found: _Disagreement, room: Room) -> str:
    """What an odd row has, and what most have."""
    if compiled.message is not None:
        return compiled.message.fill(data, room)
    here = ", ".join(f"{name} {show(data[f'{compiled.subject}.{name}'])}" for name in compiled.check.expect.value)
    others = "they disagree" if found.tied else f"most have {', '.join(show(_thawed(value)) for value in found.usual)}"
    return f"{here}; {others}"


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return tuple(sorted(value.items()))
    return tuple(value) if isinstance(value, list) else value


def _thawed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _message(compiled: Compiled, data: Mapping[str, Any], used: Sequence[str], room: Room) -> str:
    template: Template | None = compiled.message
    if template is not None:
        return template.fill(data, room)
    return ", ".join(f"{name.partition('.')[2]} {show(data.get(name))}" for name in used if name != "now")


def _conclude(compiled: Compiled, subject: Fact, verdict: Verdict, doubts: Sequence[Doubt], nothing: str) -> Verdict:
    """Settle the outcome from the counts: one offending row is a fail, whatever is missing; `judge` words it."""
    if verdict.failed:
        verdict.outcome = Outcome.FAIL
    elif verdict.gaps or doubts:
        verdict.outcome = Outcome.UNKNOWN
        verdict.reason = _some(verdict.gaps, doubts)
        verdict.doubts = list(dict.fromkeys(doubts))
    elif nothing:
        why = f"nothing to judge: {nothing}"
        if nothing != _RANKED_OTHERWISE:  # there is something, and it is not to be judged
            return none_concerned(compiled.check, why)
        verdict.outcome, verdict.reason = Outcome.NOT_APPLICABLE, why
    else:
        verdict.outcome = Outcome.PASS
        verdict.reason = f"true of {_count(compiled, subject, verdict.judged)}{_beyond(compiled, subject)}"
    return verdict


def _beyond(compiled: Compiled, subject: Fact) -> str:
    """What a pass does not speak of, as the end of its reason: `; safepoints are not logged (2 of 3)`."""
    said = Counter(text for name in compiled.check.expect.scope for text in subject.columns[name] if text)
    return "".join(
        f"; {text}" + (f" ({count} of {len(subject)})" if count < len(subject) else "") for text, count in said.items()
    )


def _effect(compiled: Compiled, subject: Fact, verdict: Verdict, values: Mapping[str, Any]) -> str:
    effect = compiled.check.effect
    if not effect and compiled.mode == "all":
        return f"not so: {compiled.check.title}"
    effect = (
        effect or f"{{failed}} of {_count(compiled, subject, verdict.judged)} do not satisfy: {compiled.check.title}"
    )
    return worded(effect, verdict.failed, verdict.judged, values)


def _count(compiled: Compiled, subject: Fact, count: int) -> str:
    """How many of what: "1 broker", "412 partitions". A key that is empty in each row is no noun for them."""
    keys = [c.name for c in compiled.columns if c.key and any(cell != "" for cell in subject.columns[c.name])]
    names = compiled.check.expect.by if compiled.mode == "same" else keys
    named = row_noun(names)
    return counted(count, next((c.entity or c.name for c in compiled.columns if c.name == named), named))


def _some(gaps: Sequence[Gap], doubts: Sequence[Doubt], most: int = 3) -> str:
    different = list(dict.fromkeys([*(f"{gap.reason}" for gap in gaps), *(doubt.says for doubt in doubts)]))
    more = f"; and {len(different) - most} more" if len(different) > most else ""
    return "; ".join(different[:most]) + more
