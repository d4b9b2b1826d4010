"""From the scorecard to the evidence: links only to what is there, and the causes that a run named."""

from collections.abc import Iterable

from runbook.evidence.lines import WholeRunLine
from runbook.model.run import NamedCause
from runbook.publish.evidence import EnvironmentEvidence
from runbook.publish.page import STATUS, anchor
from runbook.publish.site_paths import built, evidence_folder, evidence_page, result_anchor


class EvidenceLinks:
    """Where the evidence of a verdict is, seen from the root of the site; empty if the store does not hold it."""

    def __init__(self, environments: Iterable[EnvironmentEvidence]) -> None:
        self._environments: set[str] = set()
        self._runbooks: set[tuple[str, str]] = set()
        self._results: set[tuple[str, str, str]] = set()
        self._not_applicable: set[tuple[str, str]] = set()
        self._runs: dict[tuple[str, str], WholeRunLine] = {}
        for environment in environments:
            self._environments.add(environment.name)
            for seen in environment.seen():
                self._runbooks.add((environment.name, seen.result.runbook))
                self._results.add((environment.name, seen.result.check, seen.result.subject))
                if seen.status == "not_applicable":
                    self._not_applicable.add((environment.name, seen.result.runbook))
                self._runs[environment.name, seen.run.run] = seen.run

    def environment(self, name: str) -> str:
        """The page of an environment's evidence."""
        return built(evidence_folder(name)) if name in self._environments else ""

    def runbook(self, environment: str, runbook: str) -> str:
        """The page of an environment's evidence for a runbook."""
        known = (environment, runbook) in self._runbooks
        return built(evidence_page(environment, runbook)) if known else self.environment(environment)

    def result(self, environment: str, runbook: str, check: str, subject: str) -> str:
        """The place of a result; failing that, the page on which it would be."""
        page = self.runbook(environment, runbook)
        known = (environment, check, subject) in self._results
        return f"{page}#{result_anchor(check, subject)}" if known else page

    def not_applicable(self, environment: str, runbook: str) -> str:
        """Where it is said why checks of a runbook do not apply; empty if the store does not hold it."""
        known = (environment, runbook) in self._not_applicable
        return f"{self.runbook(environment, runbook)}#{anchor(STATUS['not_applicable'].word)}" if known else ""

    def because(self, environment: str, check: str, run: str | None) -> list[str]:
        """The causes, each in a sentence, that explained a failing check in the run that judged it.

        Args:
            environment: in which it fails.
            check: its name.
            run: the id of that run; of one that the store does not hold, or that is not known, none is told.
        """
        return [cause.says for cause in self._causes(environment, check, run)]

    def cause(self, environment: str, check: str, run: str | None) -> NamedCause | None:
        """Of those causes the one that explains most; None if there is none."""
        return next(iter(self._causes(environment, check, run)), None)

    def _causes(self, environment: str, check: str, run: str | None) -> list[NamedCause]:
        judged_by = self._runs.get((environment, run or ""))
        return [cause for cause in (judged_by.named_causes if judged_by else []) if check in cause.explains]
