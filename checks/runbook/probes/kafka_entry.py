"""Who gets in: every listener of every broker, tried as somebody without credentials."""

from typing import TYPE_CHECKING, Annotated

from runbook.formats.addresses import host_port
from runbook.formats.listeners import listeners
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaEntry(Row):
    """A listener, as somebody without credentials meets it."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    listener: Annotated[str, Cell("Its name.", key=True, entity="listener")]
    address: Annotated[str, Cell("host:port that was tried.")]
    protocol: Annotated[str, Cell("How the broker's settings say it is guarded.")]
    between_brokers: Annotated[bool, Cell("Whether brokers replicate over it.")]
    for_controllers: Annotated[bool, Cell("Whether it is one of the metadata quorum's.")]
    plain: Annotated[bool, Cell("Whether it answers in plain text.")]
    anonymous: Annotated[bool, Cell("Whether it serves who has neither a login nor a certificate.")]
    mechanisms: Annotated[list[str], Cell("Of SASL, that it offers; none to who needs a certificate first.")]
    tried: Annotated[str, Cell("Mechanism by which a made-up user tried to log in, once; empty if none was.")]
    wrong_login: Annotated[str, Cell("What became of that: refused, accepted, or empty if it was not tried.")]


PROBE = Probe(
    connections=("kafka",),
    help="One row per broker and listener, as it is advertised: what a client without credentials gets from it.",
    row=KafkaEntry,
    requests=(
        "ApiVersions",
        "DescribeCluster",
        "DescribeConfigs",
        "Metadata",
        "SaslAuthenticate",
        "SaslHandshake",
    ),
    rights=("DescribeConfigs on the cluster",),
    proof="active",
)


def observe(kafka: "Kafka") -> Observed:
    """Knock at every listener that is known."""
    by_broker, gaps = kafka.broker_settings()
    gaps, known = [*gaps], []
    for broker, entries in by_broker.items():
        found = listeners({name: entry.value for name, entry in entries.items()})
        if found is None:
            gaps.append(Gap(f"broker {broker} does not tell its listeners", {"broker": broker}))
        known += [(broker, listener) for listener in found or ()]
    rows = []
    entries_met = kafka.try_anonymous([(listener.host, listener.port) for _, listener in known])
    for (broker, listener), met in zip(known, entries_met, strict=True):
        if isinstance(met, CannotLook):
            keys: dict[str, str | int] = {"broker": broker, "listener": listener.name}
            gaps.append(Gap.of(met, keys, f"{listener.name} of broker {broker}: {met}"))
            continue
        rows.append(
            KafkaEntry(
                broker=broker,
                listener=listener.name,
                address=host_port(listener.host, listener.port),
                protocol=listener.protocol,
                between_brokers=listener.between_brokers,
                for_controllers=listener.for_controllers,
                plain=met.plain,
                anonymous=met.anonymous,
                mechanisms=list(met.mechanisms),
                tried=met.tried,
                wrong_login=met.wrong_login,
            )
        )
    return Observed(rows=rows, gaps=gaps)
