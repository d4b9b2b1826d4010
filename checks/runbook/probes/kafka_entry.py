"""Who gets in: every listener of every broker, tried as somebody without credentials."""

from runbook.connections.kafka import Kafka
from runbook.engine.column import Column
from runbook.engine.errors import CannotLook
from runbook.engine.fact import Gap, Observed
from runbook.engine.probe import Probe
from runbook.formats.listeners import listeners

PROBE = Probe(
    connections=("kafka",),
    help="One row per broker and listener, as it is advertised: what somebody without credentials gets from it.",
    columns=(
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("listener", "string", "Its name.", key=True, entity="listener"),
        Column("address", "string", "host:port that was tried."),
        Column("protocol", "string", "How the broker's settings say it is guarded."),
        Column("between_brokers", "bool", "Whether brokers replicate over it."),
        Column("for_controllers", "bool", "Whether it is one of the metadata quorum's."),
        Column("plain", "bool", "Whether it answers in plain text."),
        Column("anonymous", "bool", "Whether it serves who has neither a login nor a certificate."),
        Column("mechanisms", "list[string]", "Of SASL, that it offers; none to who needs a certificate first."),
        Column("tried", "string", "Mechanism by which a made-up user tried to log in, once; empty if none was."),
        Column("wrong_login", "string", "What became of that: refused, accepted, or empty if it was not tried."),
    ),
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
            (
                broker,
                one.name,
                f"{one.host}:{one.port}",
                one.protocol,
                one.between_brokers,
                one.for_controllers,
                met.plain,
                met.anonymous,
                list(met.mechanisms),
                met.tried,
                met.wrong_login,
            )
        )
    return Observed(rows=rows, gaps=gaps)
