"""What causes of runbooks say over facts made by hand."""

from collections.abc import Mapping, Sequence

from runbook.judge.cause import Finding, compile_cause, look_for
from runbook.judge.judge import Context
from runbook.model.block import Cause
from runbook.model.fact import Fact
from runbook.model.objective import Ranking
from runbook.run.collection.fact_assembly import compute_view
from runbook.run.sources.runbooks import read_all


def said(runbook: str, name: str, facts: Mapping[str, Fact], now: str = "2026-11-24T00:00:00Z") -> list[str]:
    """The sentence of each finding of a cause that is certain."""
    return [finding.says for finding in findings(runbook, name, facts, now) if finding.certain]


def findings(
    runbook: str, name: str, facts: Mapping[str, Fact], now: str = "2026-11-24T00:00:00Z"
) -> Sequence[Finding]:
    """The findings of a cause."""
    (book,) = read_all([runbook])
    (placed,) = (placed for placed in book.placed() if isinstance(placed.block, Cause) and placed.block.id == name)
    cause = compile_cause(placed)
    params = {word: parameter.default for word, parameter in cause.cause.params.items()}
    views = {
        word: compute_view(view.view, {of: facts[bound] for of, bound in view.of.items()}, {})
        for word, view in cause.cause.views.items()
    }
    return look_for(cause, {**facts, **views}, Context("e", {}, Ranking(), params, now)).findings
