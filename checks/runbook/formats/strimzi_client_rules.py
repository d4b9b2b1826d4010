"""What Strimzi's operator refuses of workers, mirrors and bridges: then no change of them acts.

Read from its source, 1.2.0: AuthenticationUtils, KafkaMirrorMaker2Connectors, KafkaBridgeCluster; and compared with
what it makes of resources with one mistake.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from runbook.formats.nested import list_of, part_of
from runbook.formats.strimzi_fields import RefusedField, Steps, written
from runbook.formats.strimzi_pod_rules import of_labels, of_pod

_NAMED: Final = ("scram-sha-256", "scram-sha-512", "plain")


def of_clients(kind: str, resource: Mapping[str, Any]) -> list[RefusedField]:
    """Why the operator refuses a KafkaConnect, KafkaMirrorMaker2 or KafkaBridge."""
    spec = part_of(resource, "spec")
    found = [*of_labels(resource), *of_pod(spec, ("spec",))]
    for path, end in _ends(spec):
        found += _of_login(end, path)
    if kind == "KafkaBridge" and "http" not in spec:
        found.append(RefusedField("there is no spec.http", ("spec",)))
    return found


def _ends(spec: Mapping[str, Any]) -> Iterator[tuple[Steps, Mapping[str, Any]]]:
    """All that say how they reach a cluster: the resource itself, or the ends of its mirrors, in any version."""
    yield ("spec",), spec
    yield ("spec", "target"), part_of(spec, "target")
    for at, mirror in enumerate(list_of(spec, "mirrors")):
        yield ("spec", "mirrors", at, "source"), part_of(mirror, "source")
    for at, cluster in enumerate(list_of(spec, "clusters")):
        yield ("spec", "clusters", at), cluster


def _of_login(end: Mapping[str, Any], path: Steps) -> Iterator[RefusedField]:
    login = part_of(end, "authentication")
    kind = login.get("type")
    needed = ("certificateAndKey",) if kind == "tls" else ("username", "passwordSecret") if kind in _NAMED else ()
    missing = [field for field in needed if not login.get(field)]
    if missing:
        where = (*path, "authentication")
        yield RefusedField(f"{written(where)} of type {kind} has no {', '.join(missing)}", where)
