"""What the causes of a runbook look at beside what its checks do: asked, too, so that a whole run can tell them."""

from collections.abc import Iterable, Sequence

from runbook.model.ask import FactQuestion
from runbook.model.block import Cause
from runbook.model.link import values_of
from runbook.parse.runbook import Runbook
from runbook.plugins.catalog import catalog
from runbook.run.planning.plan import Judgement, questions


def questions_of_causes(runbooks: Iterable[Runbook], judgements: Sequence[Judgement]) -> list[FactQuestion]:
    """Every question of the runbooks' causes, of each environment or link of which a check of theirs is judged."""
    known = catalog("probes")
    found: dict[FactQuestion, None] = {}
    for book in runbooks:
        mine = [judgement for judgement in judgements if judgement.runbook is book]
        asked = [request for judgement in mine for request in judgement.compiled.check.facts.values()]
        subjects = {
            (judgement.subject_kind, judgement.subject): judgement
            for judgement in mine
            if not judgement.not_applicable_reason
        }
        for cause in (placed.block for placed in book.placed() if isinstance(placed.block, Cause)):
            more = [request for request in cause.facts.values() if request not in asked and request.probe in known]
            for judgement in subjects.values() if more else ():
                if judgement.subject_kind != cause.over:
                    continue
                for request in more:
                    concerned = judgement.targets[-1] if request.at == "source" else judgement.targets[0]
                    probe, values = known.load(request.probe).PROBE, values_of({}, judgement.link)
                    found |= dict.fromkeys(questions(concerned, probe, request, values))
    return [*found]
