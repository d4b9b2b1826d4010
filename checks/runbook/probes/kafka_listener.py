"""The listeners of every broker, as its settings tell them."""

from typing import TYPE_CHECKING, Annotated

from runbook.formats.listeners import listeners
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaListener(Row):
    """A listener of a broker."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    listener: Annotated[str, Cell("Its name.", key=True, entity="listener")]
    protocol: Annotated[str, Cell("PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL; empty where the map lacks it.")]
    host: Annotated[str, Cell("The address that clients get; of a controller's, where it listens.", entity="host")]
    port: Annotated[int, Cell("Likewise.")]
    bound_host: Annotated[str, Cell("The address it listens on; empty or 0.0.0.0 for more than one.")]
    mechanisms: Annotated[list[str], Cell("Of SASL, that are enabled there.")]
    client_certificate: Annotated[str, Cell("none, requested or required; empty where no TLS is spoken.")]
    between_brokers: Annotated[bool, Cell("Whether brokers replicate over it.")]
    for_controllers: Annotated[bool, Cell("Whether it is one of the metadata quorum's.")]


PROBE = Probe(
    connections=("kafka",),
    help="One row per broker and listener.",
    row=KafkaListener,
    requests=("ApiVersions", "DescribeCluster", "DescribeConfigs", "Metadata"),
    rights=("DescribeConfigs on the cluster",),
)


def observe(kafka: "Kafka") -> Observed:
    """Observe the listeners of all brokers that tell them."""
    by_broker, gaps = kafka.broker_settings()
    gaps, rows = [*gaps], []
    for broker, entries in by_broker.items():
        found = listeners({name: entry.value for name, entry in entries.items()})
        if found is None:
            gaps.append(Gap(f"broker {broker} does not tell its listeners", {"broker": broker}))
        rows += [
            KafkaListener(
                broker=broker,
                listener=listener.name,
                protocol=listener.protocol,
                host=listener.host,
                port=listener.port,
                bound_host=listener.bound_host,
                mechanisms=list(listener.mechanisms),
                client_certificate=listener.client_certificate,
                between_brokers=listener.between_brokers,
                for_controllers=listener.for_controllers,
            )
            for listener in found or ()
        ]
    return Observed(rows=rows, gaps=gaps)
