"""The inventory's settings for what is looked at from outside: `endpoints`, and the authorities to trust."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from runbook.answers.tls import Endpoint
from runbook.formats.listeners import host_and_port
from runbook.model.errors import Misconfigured, did_you_mean
from runbook.model.probe import Deadline
from runbook.recording.question import question

BUILDS_ON: Final = ("kafka", "jolokia", "prometheus", "schema_registry", "connect", "zookeeper")
"""Connections of the same environment whose endpoints are looked at too, where the inventory gives them."""

OWN: Final = ("endpoints", "ca")
_LARGEST_PORT = 65535


def given_endpoints(settings: Mapping[str, Any]) -> list[Endpoint]:
    """Read `endpoints`: a list of host:port, or a mapping from a name of ours to host:port.

    Raises:
        Misconfigured: they can't be used, or there is a setting that nobody reads.
    """
    for name in settings:
        if name not in (*OWN, *BUILDS_ON):
            raise Misconfigured(f'tls has no setting "{name}": {did_you_mean(str(name), list(OWN))}')
    given = settings.get("endpoints") or {}
    if isinstance(given, str):
        given = [given]
    if not isinstance(given, (list, Mapping)):
        raise Misconfigured("`endpoints` of tls must be a list, as in [registry.example:8081]")
    named = given.items() if isinstance(given, Mapping) else ((str(entry), entry) for entry in given)
    return [endpoint(str(address), "inventory", f"endpoint {name} of tls") for name, address in named]


def endpoint(address: str, origin: str, what: str) -> Endpoint:
    """An endpoint at host:port.

    Raises:
        Misconfigured: it is not written so.
    """
    found = host_and_port(address)
    if found is None or not found[0] or not 0 < found[1] <= _LARGEST_PORT:
        raise Misconfigured(f"{what} must be host:port, not {address[:100]!r}")
    return Endpoint(*found, origins=(origin,))


def authorities(settings: Mapping[str, Any], clock: Deadline) -> list[Any] | None:
    """The authorities that clients trust: `ca` of tls, else those of the kafka connection; None where none is named.

    Raises:
        Misconfigured: they can't be read.
    """
    from cryptography import x509

    kafka = settings.get("kafka") or {}
    file = settings.get("ca") or kafka.get("ssl.ca.location")
    try:
        if file:
            return x509.load_pem_x509_certificates(_read(Path(str(file)).expanduser(), clock))
        if text := kafka.get("ssl.ca.pem"):
            return x509.load_pem_x509_certificates(str(text).encode())
    except (OSError, ValueError) as error:
        raise Misconfigured(f"the authorities to trust can't be read from {file or 'ssl.ca.pem'}: {error}") from error
    return None


@question("authorities")
def _read(file: Path, clock: Deadline) -> bytes:  # noqa: ARG001 - the clock has the tape
    return file.read_bytes()
