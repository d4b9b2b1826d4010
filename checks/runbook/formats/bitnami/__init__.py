"""Values of the chart `bitnami/kafka`, from 24 on: the cluster, its nodes, listeners and topics.

Where releases of the chart differ and the values do not tell which one they are for, the default is not known.
Read after the templates of 32.4.4 and the notes on upgrading to 24, 28 and 32.
"""

from runbook.formats.bitnami.cluster import cluster
from runbook.formats.bitnami.listeners import listeners
from runbook.formats.bitnami.nodes import nodes
from runbook.formats.bitnami.topics import commands_unread, topics, topics_unmade

__all__ = ["cluster", "commands_unread", "listeners", "nodes", "topics", "topics_unmade"]
