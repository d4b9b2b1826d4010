"""Who may do what, who may log in, who may use how much, and what clients are asked to measure."""

from runbook.answers.kafka import Acl, Quota, ScramCredential
from runbook.connections.kafka import rights_requests
from runbook.connections.kafka.reader.brokers import Brokers
from runbook.connections.kafka.reader.clients import Clients
from runbook.connections.kafka.subscriptions import Subscriptions, list_subscriptions
from runbook.model.fact import Gap


class Rights(Brokers):
    """ACLs, SCRAM credentials and quotas."""

    def acls(self) -> list[Acl] | None:
        """Return every ACL; None if the cluster has no authorizer."""
        return self._memory.once("acls", lambda: rights_requests.describe_acls(self._python_or_raise()))

    def logins(self) -> tuple[list[ScramCredential], list[Gap]]:
        """Return the SCRAM credentials of all users, and what is not known of some."""
        return self._memory.once("logins", lambda: rights_requests.describe_logins(self._python_or_raise()))

    def quotas(self) -> list[Quota]:
        """Return every quota of users, client ids and addresses."""
        return self._memory.once("quotas", lambda: rights_requests.describe_quotas(self._python_or_raise()))


class ClientMetrics(Clients):
    """Subscriptions to the metrics of clients."""

    def subscriptions(self) -> Subscriptions | None:
        """Return all subscriptions; None where brokers are older than these (Kafka 3.7)."""
        return self._memory.once("subscriptions", lambda: list_subscriptions(self._python_or_raise()))
