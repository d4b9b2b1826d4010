"""Who answers for what fails: the owners that the inventory named when an environment was last checked."""

from collections.abc import Iterable
from fnmatch import fnmatchcase

from runbook.model.run import Head
from runbook.publish.evidence import EnvironmentEvidence
from runbook.publish.scorecard_rows import Failing


class Owners:
    """The owner of an environment, and of the topics of a failing check."""

    def __init__(self, environments: Iterable[EnvironmentEvidence] = ()) -> None:
        self._heads: dict[str, Head] = {found.name: found.last.head for found in environments if found.last}

    def of(self, environment: str) -> str:
        """The owner of a whole environment; empty if none is named."""
        head = self._heads.get(environment)
        return head.owner if head else ""

    def labels(self, environment: str) -> dict[str, str]:
        """The labels of an environment, such as tier: prod."""
        head = self._heads.get(environment)
        return head.labels if head else {}

    def of_failing(self, row: Failing) -> list[str]:
        """The owners of the topics that a failing check is about; where it names none, that of the environment."""
        head = self._heads.get(row.environment)
        if head is None:
            return []
        topics = [str(offending["key"]["topic"]) for offending in row.rows if "topic" in offending.get("key", {})]
        found = [_owner_of(topic, head) for topic in topics] or [head.owner]
        return list(dict.fromkeys(filter(None, found)))


def _owner_of(topic: str, head: Head) -> str:
    fit = [pattern for pattern in head.owners if fnmatchcase(topic, pattern)]
    return head.owners[max(fit, key=lambda pattern: (len(pattern), pattern))] if fit else head.owner
