"""Which releases asked and were asked: with another one, the same question may have another answer."""

from collections.abc import Iterable
from importlib.metadata import version
from typing import Final

from support.evidence.record import Releases

_CLIENTS: Final = {
    "kafka": ("confluent-kafka", "kafka-python"),
    "records": ("kafka-python",),
    "ssh": ("paramiko",),
    "kubernetes": ("kubernetes",),
    "tls": ("cryptography", "pyopenssl"),
    "jolokia": ("requests",),
    "prometheus": ("requests",),
    "zookeeper": ("kazoo",),
}
"""Kind of connection → the libraries that speak for it. The others use the standard library only."""


def releases(kinds: Iterable[str], systems: dict[str, str]) -> Releases:
    """Those of today.

    Args:
        kinds: of the connections that were asked.
        systems: versions of the systems that were looked at.
    """
    libraries = sorted({library for kind in kinds for library in _CLIENTS.get(kind, ())})
    return Releases({library: version(library) for library in libraries}, systems)
