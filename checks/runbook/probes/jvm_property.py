"""A few of the JVM's system properties, each read by its name: among the others may be passwords."""

from typing import Annotated

from runbook.answers import jolokia
from runbook.formats.metrics import Group, Metric, Metrics
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell
from runbook.probes._metrics import OfBroker, tell_brokers

_RUNTIME = "java.lang:type=Runtime"


class JvmProperty(OfBroker):
    """System properties of a JVM, each asked for by name: all of them together would bring passwords along."""

    java_version: Annotated[
        str | None,
        Cell("Version of Java."),
        Metric(_RUNTIME, "SystemProperties", "java.version"),
    ]
    log4j2_file: Annotated[
        str | None,
        Cell("-Dlog4j2.configurationFile, read from Kafka 4.0 on."),
        Metric(_RUNTIME, "SystemProperties", "log4j2.configurationFile"),
    ]
    log4j1_file: Annotated[
        str | None,
        Cell("-Dlog4j.configuration, read up to Kafka 3.9."),
        Metric(_RUNTIME, "SystemProperties", "log4j.configuration"),
    ]
    tls_debug: Annotated[
        str | None,
        Cell("-Djavax.net.debug: traces of TLS."),
        Metric(_RUNTIME, "SystemProperties", "javax.net.debug"),
    ]
    kerberos_debug: Annotated[
        str | None,
        Cell("-Dsun.security.krb5.debug: traces of Kerberos."),
        Metric(_RUNTIME, "SystemProperties", "sun.security.krb5.debug"),
    ]
    check_revocation: Annotated[
        str | None,
        Cell("-Dcom.sun.net.ssl.checkRevocation."),
        Metric(_RUNTIME, "SystemProperties", "com.sun.net.ssl.checkRevocation"),
    ]
    fetch_revocation: Annotated[
        str | None,
        Cell("-Dcom.sun.security.enableCRLDP."),
        Metric(_RUNTIME, "SystemProperties", "com.sun.security.enableCRLDP"),
    ]


GROUP = Group(
    JvmProperty,
    nowhere="no JVM was asked",
)

PROBE = Probe(
    connections=("jolokia",),
    help="One row per broker.",
    row=JvmProperty,
    requests=(*jolokia.READS,),
    rights=("Jolokia: read of java.lang:type=Runtime",),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the system properties of brokers' and controllers' JVMs."""
    return tell_brokers(metrics, GROUP)
