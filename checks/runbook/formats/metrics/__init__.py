"""What JVMs and brokers measure of themselves, whichever way it is read.

A `Metric` is one attribute of an MBean; a `Group` is the metrics that the fields of a row are annotated with. What
one JVM told of them is a `Sheet`, the same from a Jolokia agent, a JMX exporter's page or a Prometheus server.
"""

from runbook.formats.metrics.metric import (
    Exported,
    Group,
    Labels,
    Metric,
    Metrics,
    ScrapedPage,
    ScrapeTarget,
    Sheet,
    Sheets,
    Targets,
    Value,
)

__all__ = [
    "Exported",
    "Group",
    "Labels",
    "Metric",
    "Metrics",
    "ScrapeTarget",
    "ScrapedPage",
    "Sheet",
    "Sheets",
    "Targets",
    "Value",
]
