"""How Strimzi's workers, bridges and mirrors reach a Kafka cluster: with TLS or not, with a login or not."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from runbook.answers.kubernetes.objects import flag, many, part, text

_CONNECTORS: Final = ("sourceConnector", "checkpointConnector", "heartbeatConnector")
_SOURCE: Final = "source.cluster."
_KEYS: Final = "ssl.keystore."

Path = tuple[str | int, ...]
Placed = tuple[Path, dict[str, Any]]
"""The path of a part of a resource, and the part."""


class SourceCluster(NamedTuple):
    """A cluster that a mirror's connectors read from, as they are told."""

    path: Path
    servers: str
    tls: bool
    login: bool


def clusters(spec: dict[str, Any]) -> list[Placed]:
    """Those of a MirrorMaker, until v1beta2."""
    return [(("spec", "clusters", at), cluster) for at, cluster in enumerate(many(spec, "clusters"))]


def has_login(end: dict[str, Any]) -> bool:
    """Whether a client says who it is; a certificate only goes with TLS."""
    return _protocol(end).startswith("SASL") or ("tls" in end and _has_certificate(end))


def sources(spec: dict[str, Any]) -> list[SourceCluster]:
    """The clusters that mirrors read from: as each says, until v1beta2 those of `clusters` that they name."""
    found = []
    known = {text(cluster, "alias"): (path, cluster) for path, cluster in clusters(spec)}
    for at, mirror in enumerate(many(spec, "mirrors")):
        named = text(mirror, "sourceCluster")
        if "source" in mirror:
            path: Path = ("spec", "mirrors", at, "source")
            found += [_source(path, part(mirror, "source"), config) for config in _configs(mirror)]
        elif named in known:
            found += [_source(*known[named], config) for config in _configs(mirror)]
    return found


def _configs(mirror: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The `config` of each connector that it has, which is stronger than what the source says."""
    made = [name for name in _CONNECTORS if name in mirror]
    yield from (part(mirror, name, "config") for name in made or _CONNECTORS[:1])


def _source(path: Path, end: dict[str, Any], config: dict[str, Any]) -> SourceCluster:
    own = {name.removeprefix(_SOURCE): value for name, value in config.items() if name.startswith(_SOURCE)}
    told = part(end, "config") | own
    protocol = str(told.get("security.protocol") or _protocol(end))
    certificate = _has_certificate(end) or any(name.startswith(_KEYS) for name in told)
    return SourceCluster(
        path=path,
        servers=str(told.get("bootstrap.servers") or text(end, "bootstrapServers")),
        tls=protocol.endswith("SSL"),
        login=protocol.startswith("SASL") or (protocol == "SSL" and certificate),
    )


def _protocol(end: dict[str, Any]) -> str:
    """The security protocol that the operator sets."""
    kind = text(end, "authentication", "type")
    sasl = flag(end, "authentication", "sasl") if kind == "custom" else kind not in ("", "tls")
    return f"{'SASL_' if sasl else ''}{'SSL' if 'tls' in end else 'PLAINTEXT'}"


def _has_certificate(end: dict[str, Any]) -> bool:
    kind = text(end, "authentication", "type")
    custom = part(end, "authentication", "config") if kind == "custom" else {}
    return kind == "tls" or any(name.startswith(_KEYS) for name in custom)
