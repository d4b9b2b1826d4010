"""A Kafka cluster, observed: every request is made once per connection, whatever number of probes ask.

What is read is divided by subject, a module each; `Kafka` is all of them over the same two clients.
"""

from collections.abc import Callable

from runbook.answers.kafka.group_observations import GroupObservations
from runbook.connections.kafka.group_observations import observe_twice
from runbook.connections.kafka.reader.groups import Groups
from runbook.connections.kafka.reader.offsets import Offsets
from runbook.connections.kafka.reader.rights import ClientMetrics
from runbook.connections.kafka.reader.writers import Writers


class Kafka(Offsets, Groups, Writers, ClientMetrics):
    """Reading methods over one cluster. All are safe to call from many threads and raise `CannotLook`."""

    def observe_groups_twice(
        self, wanted: Callable[[str], bool], *, seconds: float, longest: float, searched: int
    ) -> GroupObservations:
        """Observe all groups twice; see `group_observations`, which makes use of all the rest."""
        return observe_twice(self, wanted, seconds=seconds, longest=longest, searched=searched)
