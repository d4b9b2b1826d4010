"""What all of a release of the chart depends on: which version it is, which pods it has, what brokers are set to."""

from collections.abc import Iterator
from typing import Final

from runbook.formats.chart_values import DEFAULTS, Open, Values, as_settings
from runbook.formats.nested import part_of
from runbook.formats.statements import NotStated

BY: Final = "Bitnami's chart"
COMPONENTS: Final = {"controller": "controller-eligible", "broker": "broker"}
"""Part of the values → what the chart calls its pods."""
_SINCE_32: Final = (
    *("overrideConfiguration", "clusterId", "existingKraftSecret", "kraftVersion", "log4j2", "defaultInitContainers"),
    *("brokerRackAwareness", "quorumBootstrapServers"),
)
_BEFORE_32: Final = (
    *("extraConfig", "extraConfigYaml", "kraft", "zookeeper", "externalZookeeper", "log4j", "brokerRackAssignment"),
    "quorumVoters",
)
_OVERHAULED: Final = 32
"""The chart's release that is Kafka 4, and whose settings are in overrideConfiguration."""
_VARIABLE: Final = "KAFKA_CFG_"


def since_32(values: Values) -> bool | None:
    """Whether they are for the chart from 32 on; None where that is not clear."""
    if values.major is not None:
        return values.major >= _OVERHAULED
    newer, older = (any(_says(values, name) for name in names) for names in (_SINCE_32, _BEFORE_32))
    return newer if newer != older else None


def by_release(values: Values, what: str, *path: str) -> bool:
    """Whether the default of the chart since 32 counts.

    Raises:
        NotStated: other values may say it, or it is not clear which release they are for.
    """
    values.unless_layered(None, *path)
    since = since_32(values)
    if since is None:
        raise NotStated(f"{'.'.join(path)} is not set, and {what} depends on the chart's release, which is not said")
    return since


def is_kraft(values: Values) -> bool:
    """Whether it runs without ZooKeeper."""
    if since_32(values):
        return True
    servers = bool(values.get("externalZookeeper", "servers"))
    zookeeper = values.flag("zookeeper", "enabled", default=False) or servers
    return values.flag("kraft", "enabled", default=True) and not zookeeper


def replicas_of(values: Values, part: str) -> int:
    """Pods of a StatefulSet."""
    if part_of(values.said, part, "autoscaling", "hpa").get("enabled"):
        raise NotStated(f"{part}.autoscaling decides how many there are")
    return values.number(part, "replicaCount", default=3 if part == "controller" else 0)


def parts_of(values: Values) -> list[str]:
    """The StatefulSets that have pods."""
    return [part for part in COMPONENTS if replicas_of(values, part)]


def brokers_of(values: Values) -> list[str]:
    """The StatefulSets whose pods are brokers."""
    alone = values.flag("controller", "controllerOnly", default=False)
    return [part for part in parts_of(values) if part == "broker" or not alone]


def brokers_or_all(values: Values) -> list[str]:
    """The same; all where it is not known."""
    return Open().known(lambda: brokers_of(values)) or [*COMPONENTS]


def settings_of(values: Values) -> dict[str, str | None]:
    """What the brokers are set to, with Kafka's defaults; what differs between them is not known.

    Raises:
        NotStated: none of it is known.
    """
    each = [_settings(values, part) for part in brokers_or_all(values)]
    names = dict.fromkeys(name for one in each for name in one)
    return {name: each[0].get(name) if len({one.get(name) for one in each}) == 1 else None for name in names}


def _settings(values: Values, part: str) -> dict[str, str | None]:
    for path in ((part, "existingConfigmap"), ("existingConfigmap",)):
        if values.given(*path):
            raise NotStated(f"{'.'.join(path)}: the settings are in a ConfigMap that the values only name")
    newer = since_32(values)
    if newer is None and _says(values, "overrideConfiguration") and _says(values, "extraConfig"):
        raise NotStated("they have extraConfig and overrideConfiguration: no release of the chart looks at both")
    keys = ("overrideConfiguration",) if newer else ("extraConfig", "extraConfigYaml")
    found = as_settings(values.given(part, "config") or values.given("config"))
    for key in (*keys, "secretConfig"):
        found |= as_settings(values.given(key)) | as_settings(values.given(part, key))
    found |= dict.fromkeys(_by_environment(values, part))
    hidden = values.given("existingSecretConfig") or values.given(part, "existingSecretConfig")
    return (dict.fromkeys(DEFAULTS) if hidden or values.layers else {**DEFAULTS}) | found


def _by_environment(values: Values, part: str) -> Iterator[str]:
    """Settings that variables may change: whether they count depends on the image."""
    for given in (values.given("extraEnvVars"), values.given(part, "extraEnvVars")):
        for each in given if isinstance(given, list) else ():
            name = str(each.get("name", "")) if isinstance(each, dict) else ""
            if name.startswith(_VARIABLE):
                yield name.removeprefix(_VARIABLE).lower().replace("_", ".")


def _says(values: Values, name: str) -> bool:
    return values.has(name) or any(values.has(part, name) for part in COMPONENTS)


def place_of(values: Values, name: str) -> str:
    """Where a setting of the brokers stands, or would."""
    newer = since_32(values)
    key = "overrideConfiguration" if newer or newer is None else "extraConfig"
    for path in (*((part, key) for part in brokers_or_all(values)), (key,)):
        if name in part_of(values.said, *path):
            return values.place(*path, name)
    return values.place(key)
