"""A Kafka cluster, observed: every request is made once per connection, whatever number of probes ask.

What is read is divided by subject, a module each; `Kafka` is all of them over the same two clients.
"""

from runbook.connections.kafka.reader.groups import Groups
from runbook.connections.kafka.reader.offsets import Offsets
from runbook.connections.kafka.reader.subscriptions import ClientMetrics


class Kafka(Offsets, Groups, ClientMetrics):
    """Reading methods over one cluster. All are safe to call from many threads and raise `CannotLook`."""
