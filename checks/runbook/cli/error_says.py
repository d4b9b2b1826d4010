"""What an error text that stands in place of a runbook says by itself, and whether a run sees the same."""

from collections.abc import Iterable, Sequence

from runbook.model.block import Diagnostic, PossibleCause, whole_name
from runbook.model.result import Outcome
from runbook.model.run import Run
from runbook.reports import ErrorSays
from runbook.run.sources.runbooks import find_block


def symptoms_of(names: Iterable[str]) -> list[tuple[str, Diagnostic]]:
    """The symptoms among blocks that are named as ha#brokers-agree, each with its name as RUNBOOK/ID."""
    placed = [find_block(name).placed for name in dict.fromkeys(names)]
    return [(each.name, each.block) for each in placed if each is not None and isinstance(each.block, Diagnostic)]


def named_causes(words: Iterable[str], symptom: Diagnostic) -> list[PossibleCause]:
    """The causes of a symptom that name an error of the words."""
    from runbook.search.likely import likely_causes

    likely = [cause for text in words for cause in likely_causes(symptom, text)]
    return [cause for cause in symptom.causes if cause in likely]


def error_says(words: Sequence[str], names: Iterable[str], run: Run | None = None) -> ErrorSays | None:
    """The cause that the words name by themselves, of the first symptom of which they name any; None if of none.

    Where they name two, they decide for neither.

    Args:
        words: as they were given.
        names: the blocks that they name or that list them, the best first.
        run: what was checked for them; None: nothing was.
    """
    for name, symptom in symptoms_of(names):
        match named_causes(words, symptom):
            case [cause]:
                seen = _seen(cause, name.partition("/")[0], run) if run else None
                return ErrorSays(name, cause.cause, cause.remedy, seen)
            case [_, *_]:
                return None
    return None


def _seen(cause: PossibleCause, runbook: str, run: Run) -> bool | None:
    """Whether a run sees a cause: its block holds or one of its checks fails; None where that is not known."""
    holding = {found.cause for diagnosis in run.diagnoses for found in diagnosis.causes if found.certain}
    checks = {whole_name(check, runbook) for check in cause.checks}
    outcomes = {(result.check, result.outcome) for result in run.results if result.check in checks}
    if (cause.holds and whole_name(cause.holds, runbook) in holding) or any(how is Outcome.FAIL for _, how in outcomes):
        return True
    return False if checks and outcomes == {(check, Outcome.PASS) for check in checks} else None
