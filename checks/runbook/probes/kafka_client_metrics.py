"""Which metrics brokers ask of clients (KIP-714): the subscriptions there are, and whether anything takes them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Final

from runbook.model.errors import CannotLook
from runbook.model.fact import Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.quantity import Milliseconds
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka

_INTERVAL: Final = 300_000  # ClientMetricsConfigs.INTERVAL_MS_DEFAULT of Kafka


class KafkaClientMetrics(Row):
    """A subscription: one that there is, or one that was asked for by its name."""

    subscription: Annotated[str, Cell("Its name.", key=True)]
    exists: Annotated[bool, Cell("Whether there is one of that name.")]
    received: Annotated[
        bool, Cell("Whether the broker that answered takes what clients push, by a plugin (ClientTelemetry).")
    ]
    metrics: Annotated[list[str], Cell("Beginnings of the names of metrics that clients are to push; * for all.")]
    interval: Annotated[Milliseconds, Cell("How often they are to push them; 0 where there is no subscription.")]
    match: Annotated[list[str], Cell("Which clients, as in client_id=billing.*; none for all.")]


PROBE = Probe(
    connections=("kafka",),
    help="One row per subscription to clients' metrics (Kafka 3.7 and later), and per name that is asked for.",
    row=KafkaClientMetrics,
    requests=("ApiVersions", "DescribeConfigs", "ListConfigResources", "Metadata"),
    rights=("DescribeConfigs on the cluster",),
    parameters={
        "subscriptions": Parameter(
            type="list[string]", help="names that are reported though there are none of that name"
        )
    },
)


def observe(kafka: "Kafka", *, subscriptions: Sequence[str] | None = None) -> Observed:
    """Observe them; the list is complete, as Kafka refuses to list any to who may not see all."""
    answer = kafka.subscriptions()
    if answer is None:
        return Observed(inapplicable="the brokers are older than Kafka 3.7 and ask no metrics of clients")
    found: dict[str, Mapping[str, str] | CannotLook] = {name: {} for name in subscriptions or ()}
    rows, gaps = [], []
    for name, settings in (found | dict(answer.settings)).items():
        if isinstance(settings, CannotLook):
            gaps.append(Gap.of(settings, {"subscription": name}))
        else:
            rows.append(_row(name, settings, received=answer.received))
    return Observed(rows=rows, gaps=gaps)


def _row(name: str, settings: Mapping[str, str], *, received: bool) -> KafkaClientMetrics:
    return KafkaClientMetrics(
        subscription=name,
        # not made up: all subscriptions were listed, and none has this name; one that can't be described is a gap
        exists=bool(settings),
        received=received,
        metrics=_listed(settings.get("metrics", "")),
        interval=Milliseconds(int(settings.get("interval.ms", _INTERVAL)) if settings else 0),
        match=_listed(settings.get("match", "")),
    )


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
