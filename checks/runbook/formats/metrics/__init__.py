"""What JVMs and brokers measure of themselves, whichever way it is read.

A `Metric` is one attribute of an MBean and the column it fills; a `Group` is the metrics that make up one fact. What
one JVM told of them is a `Sheet`, the same from a Jolokia agent, a JMX exporter's page or a Prometheus server.
"""

from runbook.formats.metrics.metric import (
    Exported,
    Group,
    Labels,
    Metric,
    Metrics,
    Sheet,
    Sheets,
    Target,
    Targets,
    Value,
)

__all__ = ["Exported", "Group", "Labels", "Metric", "Metrics", "Sheet", "Sheets", "Target", "Targets", "Value"]
