"""Values of a Strimzi resource that its schema takes, and few mean: placeholders, host names not verified."""

import re
from collections.abc import Mapping
from typing import Any, Final

from runbook.formats.strimzi_fields import RefusedField, Steps, written

_PLACEHOLDER: Final = re.compile(r"\$\{[A-Z][A-Z0-9_]*\}")
"""As envsubst and Flux fill it in. What Kafka's providers of configuration fill in has a colon: `${env:NAME}`."""
_VERIFIES: Final = "ssl.endpoint.identification.algorithm"
_DISABLES: Final = "disableTlsHostnameVerification"
_IN_JAAS: Final = re.compile(r"""oauth\.ssl\.endpoint\.identification\.algorithm\s*=\s*(["']?)\1(?=[\s;]|$)""")


def placeholders(resource: Mapping[str, Any]) -> list[RefusedField]:
    """Values that hold a placeholder which nobody filled in; of a connector, `config` may have its own `${…}`."""
    own = resource.get("kind") == "KafkaConnector"
    return [
        RefusedField(f"{written(path)} has {found[0]}", path)
        for path, value in _values(resource)
        if isinstance(value, str) and (found := _PLACEHOLDER.search(value)) and not (own and "config" in path)
    ]


def unverified(resource: Mapping[str, Any]) -> list[RefusedField]:
    """Settings that let any server with a trusted certificate pass for the one that is meant."""
    return [
        RefusedField(f"{written(path)}: {value!r}" if value == "" else written(path), path)
        for path, value in _values(resource)
        if _turns_off(str(path[-1]), value)
    ]


def _turns_off(name: str, value: Any) -> bool:
    if name.endswith(_VERIFIES):
        return str(value).strip() == ""
    return value is True if name == _DISABLES else isinstance(value, str) and _IN_JAAS.search(value) is not None


def _values(resource: Mapping[str, Any]) -> list[tuple[Steps, Any]]:
    """Every value of the `spec` of a resource that has no parts, and its path."""
    found: list[tuple[Steps, Any]] = []

    def add(path: Steps, value: Any) -> None:
        if isinstance(value, dict):
            for key, item in value.items():
                add((*path, str(key)), item)
        elif isinstance(value, list):
            for at, item in enumerate(value):
                add((*path, at), item)
        else:
            found.append((path, value))

    add(("spec",), resource.get("spec"))
    return found
