"""The requests that only a drill's canary and a measurement make, with consent (`runbook.canary`), and their ACLs.

They stand here, beside what is read, so that one list holds every request there is; nothing in this room makes them.
"""

from typing import Final

WRITES: Final = {
    "CreateTopics": 19,
    "DeleteTopics": 20,
    "InitProducerId": 22,
    "Produce": 0,
}
"""The names and numbers of the protocol. Of the list of reads it makes ApiVersions, Fetch (of its own topics and
of what the link makes of them), FindCoordinator, ListOffsets, Metadata, OffsetForLeaderEpoch, SaslAuthenticate and
SaslHandshake besides."""

CONSENT: Final = "runbook drill --allow-canary, runbook measure --allow-measure"

ACLS: Final = """\
# The canary of a drill, at the source: topics whose names begin with its own.
kafka-acls.sh --bootstrap-server SOURCE:PORT --command-config admin.properties --add \\
  --allow-principal User:runbook-canary --operation Create --operation Write --operation Describe --operation Delete \\
  --topic runbook-canary- --resource-pattern-type prefixed

# At the target, and in an environment that is drilled alone or measured: the same and reading them.
kafka-acls.sh --bootstrap-server TARGET:PORT --command-config admin.properties --add \\
  --allow-principal User:runbook-canary --operation Create --operation Write --operation Read --operation Describe \\
  --operation Delete --topic runbook-canary- --resource-pattern-type prefixed
kafka-acls.sh --bootstrap-server TARGET:PORT --command-config admin.properties --add \\
  --allow-principal User:runbook-canary --operation Describe \\
  --group runbook-canary- --resource-pattern-type prefixed

# At the target of a link besides: reading and removing what the link copies (ALIAS: what it calls the source).
kafka-acls.sh --bootstrap-server TARGET:PORT --command-config admin.properties --add \\
  --allow-principal User:runbook-canary --operation Read --operation Describe --operation Delete \\
  --topic ALIAS.runbook-canary- --resource-pattern-type prefixed
"""
"""For `kafka-acls.sh`: the least that the canary needs. Brokers before 2.8 want IdempotentWrite on the cluster too."""
