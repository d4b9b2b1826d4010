"""What tells failing rows from those that are well, where no cause explains them: counts, and no conclusion."""

from collections.abc import Sequence

from runbook.judge.common_cause import noun_of
from runbook.judge.summary import counted, row_noun, worst_first
from runbook.model.block import SEVERITIES
from runbook.model.consequence import is_standing
from runbook.model.diagnosis import Contrast, Diagnosis, LabelledSentence
from runbook.model.result import Common, Outcome, Result
from runbook.reports._acute import acute_first
from runbook.reports._answer_part import Part

_LABEL = "contrast"
_TOLD = 2  # statements of one environment; our judgement, as of one check


def no_cause(diagnosis: Diagnosis, results: Sequence[Result]) -> list[Part]:
    """What the gravest of the failing checks are told apart by; nothing where nothing tells them apart.

    Contrasts of milder checks stand with those: above what is wrong they would pass for the answer.
    """
    checks: dict[str, list[tuple[Result, Contrast]]] = {}
    for result in _gravest(results, diagnosis):
        for one in diagnosis.contrasts.get(result.check, ()):
            checks.setdefault(one.says, []).append((result, one))
    if not checks:
        return []
    lines = []
    for told in sorted(checks.values(), key=len, reverse=True)[:_TOLD]:
        result, one = told[0]
        others = f", and {counted(len(told) - 1, 'more check')}" if len(told) > 1 else ""
        lines.append(LabelledSentence(_LABEL, f"{_counts(one, _noun(result))} ({result.check}{others})"))
    if diagnosis.causes or diagnosis.undecided:  # one of them may be it
        return [Part("FAILING", "rows differ from those that are well, by count:", lines)]
    return [Part("NO CAUSE", "that we know explains it; how failing rows differ from well ones:", lines)]


def _gravest(results: Sequence[Result], diagnosis: Diagnosis) -> list[Result]:
    """The failures that are as severe as an acute one that is told first, or more; else the most severe."""
    failing = [one for one in worst_first(results) if one.outcome is Outcome.FAIL and not one.waived]
    acute = [one for one in acute_first(failing, diagnosis)[:1] if not is_standing(one.consequence)]
    least = min((SEVERITIES.index(one.severity) for one in acute or failing[:1]), default=0)
    return [one for one in failing if SEVERITIES.index(one.severity) >= least]


def told_apart(diagnosis: Diagnosis | None, result: Result) -> list[LabelledSentence]:
    """What the rows of one check are told apart by, a line each."""
    return [LabelledSentence(_LABEL, _counts(one, _noun(result))) for one in _of(diagnosis, result)]


def beside(diagnosis: Diagnosis | None, result: Result) -> list[Common]:
    """What failing rows have in common besides: of their keys the contrast has told what there is to tell."""
    if not (contrasts := _of(diagnosis, result)):
        return result.common
    named = {pair for one in contrasts for pair in one.names.items()}
    keys = {noun_of(row, key) for row in result.rows[:1] for key in row.key}
    return [one for one in result.common if one.entity not in keys and (one.entity, one.value) not in named]


def _of(diagnosis: Diagnosis | None, result: Result) -> list[Contrast]:
    return diagnosis.contrasts.get(result.check, []) if diagnosis is not None else []


def _counts(one: Contrast, noun: str) -> str:
    failing = f"{one.failing:,} of {counted(one.of_failing, f'failing {noun}')}"
    return f"{one.says}: {failing}, {one.others:,} of {one.of_others:,} others"


def _noun(result: Result) -> str:
    """What the rows are, in one word."""
    row = result.rows[0]
    return noun_of(row, row_noun([*row.key])) if row.key else "row"
