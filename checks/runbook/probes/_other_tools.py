"""What files declare by other tools than Strimzi, beside what its resources tell."""

from collections.abc import Callable, Iterable
from typing import Protocol, runtime_checkable

from runbook.answers.manifests import UnreadManifest
from runbook.formats.statements import (
    ChangeStated,
    ClusterStated,
    ListenerStated,
    NodesStated,
    Part,
    RightStated,
    TopicStated,
)
from runbook.model.fact import Gap, Observed, distinct
from runbook.model.row import Row
from runbook.probes._strimzi import Declares


@runtime_checkable
class OtherTools(Protocol):
    """What reads from files what other tools than Strimzi make: Terraform, jikkou, Confluent's operator, charts."""

    def topics(self) -> list[TopicStated]:
        """Topics."""

    def rights(self) -> list[RightStated]:
        """Rules of principals."""

    def settings(self) -> list[ClusterStated]:
        """Settings of brokers."""

    def access(self) -> list[ClusterStated]:
        """How clients get into clusters."""

    def nodes(self) -> list[NodesStated | UnreadManifest]:
        """Nodes, and why those of a kind are not known."""

    def listeners(self) -> list[ListenerStated | UnreadManifest]:
        """Listeners, and why one is not known."""

    def changes(self) -> list[ChangeStated]:
        """What becomes of topics, clusters and what else runs."""

    def unclear(self) -> list[UnreadManifest]:
        """What may hold a resource that seems to be gone, and can't be read."""

    def unread(self, part: Part) -> list[UnreadManifest]:
        """What declares a part in a way that is not read here."""


def with_others(
    connection: Declares, seen: Observed, part: Part, rows: Callable[[OtherTools], Iterable[Row | Gap]]
) -> Observed:
    """What Strimzi's resources tell, and what other tools are to make of a part of Kafka.

    Args:
        connection: where it is declared.
        seen: of Strimzi's resources.
        part: what of Kafka.
        rows: gives those of the other tools, and what of them is not known.
    """
    if not isinstance(connection, OtherTools):
        return seen
    made = [*rows(connection)]
    others = [row for row in made if not isinstance(row, Gap)]
    gaps = [gap for gap in made if isinstance(gap, Gap)] + [lost.gap() for lost in connection.unread(part)]
    return Observed(
        rows=[*seen.rows, *others],
        gaps=distinct([*seen.gaps, *gaps]),
        inapplicable="" if others or gaps else seen.inapplicable,
    )
