"""Strimzi's installation in few words of our own: what its files are called, and what the API server needs of them.

Kinds have no schema: what a field may be is not tried here. Names, groups, versions of the API and which of them is
stored are those of the release.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import yaml
from msgspec import Struct

from kafka_lab.kubernetes.objects import definition

KINDS: Final = (
    *("Kafka", "KafkaConnect", "StrimziPodSet", "KafkaTopic", "KafkaUser", "KafkaNodePool", "KafkaBridge"),
    *("KafkaConnector", "KafkaMirrorMaker2", "KafkaRebalance"),
)
REPOSITORY: Final = "strimzi/kafka"
"""Where images of Kafka are; an installation has a host before it."""
_LABELS: Final = {"app": "strimzi"}
_OPERATOR: Final = "strimzi-cluster-operator"


class Release(Struct, frozen=True):
    """A release of Strimzi.

    Attributes:
        version: its own.
        serves: the versions of the API that its definitions have; the first is the one that is stored.
        kafkas: the versions of Kafka that it knows.
    """

    version: str
    serves: Sequence[str]
    kafkas: Sequence[str]

    def image(self, kafka: str) -> str:
        """Its image of a version of Kafka."""
        return f"{REPOSITORY}:{self.version}-kafka-{kafka}"


RELEASES: Final = {
    one.version: one
    for one in (
        Release("0.51.0", ("v1beta2", "v1"), ("4.1.0", "4.1.1", "4.2.0")),
        Release("1.2.0", ("v1",), ("4.2.0", "4.2.1", "4.3.0", "4.3.1")),
    )
}
"""As changelogs and kafka-versions.yaml of the releases have them."""


def write(version: str, folder: Path) -> Path:
    """Write the files of a release as an archive of it unpacks; gives the folder with those of the operator."""
    files = folder / "install" / "cluster-operator"
    files.mkdir(parents=True)
    for name, thing in _things(RELEASES[version]):
        (files / f"{name}.yaml").write_text(yaml.safe_dump(thing), "utf-8")
    return files


def _things(release: Release) -> Iterator[tuple[str, dict[str, Any]]]:
    yield f"010-ServiceAccount-{_OPERATOR}", _named("v1", "ServiceAccount", _OPERATOR)
    yield f"020-RoleBinding-{_OPERATOR}", _binding()
    for number, kind in enumerate(KINDS):
        yield f"04{number}-Crd-{kind.lower()}", _definition(kind, release.serves)
    yield f"060-Deployment-{_OPERATOR}", _deployment(release)


def _named(api: str, kind: str, name: str) -> dict[str, Any]:
    return {"apiVersion": api, "kind": kind, "metadata": {"name": name, "labels": _LABELS}}


def _binding() -> dict[str, Any]:
    """A binding whose subject is in a namespace that whoever installs it fills in."""
    subject = {"kind": "ServiceAccount", "name": _OPERATOR, "namespace": "myproject"}
    role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"}
    return _named("rbac.authorization.k8s.io/v1", "RoleBinding", _OPERATOR) | {"subjects": [subject], "roleRef": role}


def _definition(kind: str, versions: Sequence[str]) -> dict[str, Any]:
    thing = definition("core.strimzi.io" if kind == "StrimziPodSet" else "kafka.strimzi.io", kind, versions)
    thing["metadata"]["labels"] = _LABELS
    thing["spec"]["names"]["categories"] = ["strimzi"]
    return thing


def _deployment(release: Release) -> dict[str, Any]:
    images = "".join(f"{kafka}={release.image(kafka)}\n" for kafka in release.kafkas)
    container = {
        "name": _OPERATOR,
        "image": f"strimzi/operator:{release.version}",
        "env": [{"name": "STRIMZI_KAFKA_IMAGES", "value": images}],
    }
    labels = {"name": _OPERATOR, "strimzi.io/kind": "cluster-operator"}
    spec = {
        "replicas": 1,
        "selector": {"matchLabels": labels},
        "template": {
            "metadata": {"labels": labels},
            "spec": {"serviceAccountName": _OPERATOR, "containers": [container]},
        },
    }
    return _named("apps/v1", "Deployment", _OPERATOR) | {"spec": spec}
