"""Restarts broker 2 so that it takes clients in TLS 1.0 and 1.1, as old settings of Java allow. Needs security."""

import ssl
from collections.abc import Mapping

from kafka_lab import security, tls_signs
from kafka_lab.state import LabState

SEEN_IN = "security"

_NUMBER = 2
_JAVA = "jdk.tls.disabledAlgorithms=SSLv3\njdk.tls.legacyAlgorithms=\n"


def inject(lab: LabState) -> None:
    """Take back what Java forbids by itself, and restart the broker with all versions."""
    security.required(lab)
    file = security.folder(lab) / "old-tls.security"
    file.write_text(_JAVA, encoding="ascii")
    protocols = {"listener.name.clients.ssl.enabled.protocols": "TLSv1,TLSv1.1,TLSv1.2,TLSv1.3"}
    security.alter(lab, [_NUMBER], protocols, [f"-Djava.security.properties={file}"])


def heal(lab: LabState) -> None:
    """Restart the broker as it was."""
    security.restore(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the broker shakes hands with clients that speak nothing newer."""
    address = security.address(lab, lab.broker(_NUMBER), "CLIENTS")
    old = {"1.0": ssl.TLSVersion.TLSv1, "1.1": ssl.TLSVersion.TLSv1_1}
    return {
        f"broker {_NUMBER} takes clients in TLS {name}": tls_signs.takes(address, version)
        for name, version in old.items()
    }
