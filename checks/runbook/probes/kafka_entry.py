"""Who gets in: every listener of every broker, tried as somebody without credentials."""

from typing import Annotated

from runbook.connections._address import host_port
from runbook.connections.kafka import Kafka
from runbook.formats.listeners import listeners
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row


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
    help="One row per broker and listener, as it is advertised: what somebody without credentials gets from it.",
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


def observe(kafka: Kafka) -> Observed:
    """Knock at every listener that is known."""
    told, gaps = kafka.broker_settings()
    gaps, known = [*gaps], []
    for broker, entries in told.items():
        found = listeners({name: entry.value for name, entry in entries.items()})
        if found is None:
            gaps.append(Gap(f"broker {broker} does not tell its listeners", {"broker": broker}))
        known += [(broker, one) for one in found or ()]
    rows = []
    entries_met = kafka.knock([(one.host, one.port) for _, one in known])
    for (broker, one), met in zip(known, entries_met, strict=True):
        if isinstance(met, CannotLook):
            gaps.append(Gap(f"{one.name} of broker {broker}: {met}", {"broker": broker, "listener": one.name}))
            continue
        rows.append(
            KafkaEntry(
                broker=broker,
                listener=one.name,
                address=host_port(one.host, one.port),
                protocol=one.protocol,
                between_brokers=one.between_brokers,
                for_controllers=one.for_controllers,
                plain=met.plain,
                anonymous=met.anonymous,
                mechanisms=list(met.mechanisms),
                tried=met.tried,
                wrong_login=met.wrong_login,
            )
        )
    return Observed(rows=rows, gaps=gaps)
