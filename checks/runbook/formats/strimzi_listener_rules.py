"""What Strimzi's operator refuses of listeners that an API server takes: it then acts on no change of their cluster.

Read from its source, ListenersValidator of 0.45 to 1.2, and compared with what 1.2.0 says of each field of each type.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from runbook.formats.nested import list_of, part_of
from runbook.formats.strimzi_fields import RefusedField, Steps, written

_NAME: Final = re.compile(r"[a-z0-9]{1,11}")
_LOWEST_PORT: Final = 9092
_TAKEN_PORTS: Final = (9404, 9999)
"""Of the exporter of metrics, and of JMX."""
_LISTENERS: Final[Steps] = ("spec", "kafka", "listeners")
_BALANCER, _PORT = ("loadbalancer",), ("nodeport",)
_NAMED: Final = ("ingress", "route", "tlsroute")
_ALL_BUT_INTERNAL: Final = ("cluster-ip", *_PORT, *_BALANCER, *_NAMED)
_CONFIGURED: Final[Mapping[str, tuple[str, ...]]] = {
    "useServiceDnsDomain": ("internal", "cluster-ip"),
    "createBootstrapService": _BALANCER,
    "ipFamilyPolicy": _ALL_BUT_INTERNAL,
    "ipFamilies": _ALL_BUT_INTERNAL,
    "class": ("ingress", *_BALANCER),
    "externalTrafficPolicy": (*_BALANCER, *_PORT),
    "loadBalancerSourceRanges": _BALANCER,
    "allocateLoadBalancerNodePorts": _BALANCER,
    "finalizers": _BALANCER,
    "preferredNodePortAddressType": _PORT,
    "publishNotReadyAddresses": _ALL_BUT_INTERNAL,
    "hostTemplate": _NAMED,
    "perBrokerLabelsTemplate": _ALL_BUT_INTERNAL,
    "perBrokerAnnotationsTemplate": _ALL_BUT_INTERNAL,
    "parentRefs": ("tlsroute",),
}
"""Field of `configuration` → the types of listeners that may have it."""
_REACHED: Final[Mapping[str, tuple[str, ...]]] = {
    "host": _NAMED,
    "loadBalancerIP": _BALANCER,
    "nodePort": (*_PORT, *_BALANCER),
    "externalIPs": _PORT,
    "labels": _ALL_BUT_INTERNAL,
    "annotations": _ALL_BUT_INTERNAL,
}
"""The same of `bootstrap` and of each of `brokers`."""
_EMPTY: Final = (
    *("loadBalancerSourceRanges", "finalizers", "perBrokerLabelsTemplate", "perBrokerAnnotationsTemplate"),
    *("labels", "annotations"),
)
"""Those that any type may have, if they are empty."""


def of_listeners(listeners: Any, brokers: int | None) -> Iterator[RefusedField]:
    """Why the operator refuses the listeners of a cluster of so many brokers; None where they can't be counted."""
    if not isinstance(listeners, list) or not all(isinstance(each, dict) for each in listeners):
        return  # the API server has refused it
    if not listeners:
        yield RefusedField("there is no listener", _LISTENERS)
    for field in ("name", "port"):
        for value, count in Counter(str(each.get(field)) for each in listeners).items():
            if count > 1:
                yield RefusedField(f"{count} listeners have the {field} {value}", _LISTENERS)
    for place, listener in enumerate(listeners):
        configuration = part_of(listener, "configuration")
        yield from _of_listener(listener, (*_LISTENERS, place))
        yield from _of_configuration(listener, configuration, (*_LISTENERS, place, "configuration"))
        yield from _of_hosts(listener, configuration, (*_LISTENERS, place), brokers)


def _of_listener(listener: Mapping[str, Any], path: Steps) -> Iterator[RefusedField]:
    name, port, kind = str(listener.get("name")), listener.get("port"), listener.get("type")
    if not _NAME.fullmatch(name):
        yield RefusedField(f"listener name {name}: 1 to 11 small letters and digits are allowed", (*path, "name"))
    if isinstance(port, int) and (port < _LOWEST_PORT or port in _TAKEN_PORTS):
        yield RefusedField(
            f"listener {name} has port {port}: {_LOWEST_PORT} is the lowest, 9404 and 9999 are taken", (*path, "port")
        )
    if listener.get("tls"):
        return
    if part_of(listener, "authentication").get("type") == "tls":
        yield RefusedField(f"listener {name} has authentication tls without TLS", (*path, "authentication"))
    if kind in ("route", "ingress"):
        yield RefusedField(f"listener {name} of type {kind} has no TLS", (*path, "type"))


def _of_configuration(
    listener: Mapping[str, Any], configuration: Mapping[str, Any], path: Steps
) -> Iterator[RefusedField]:
    """Fields that a listener of its type may not have, and a certificate that is not whole."""
    kind = listener.get("type")
    brokers = enumerate(list_of(configuration, "brokers"))
    parts: list[tuple[Steps, Mapping[str, Any], Mapping[str, tuple[str, ...]]]] = [
        ((), configuration, _CONFIGURED),
        (("bootstrap",), part_of(configuration, "bootstrap"), _REACHED),
        *((("brokers", at), each, _REACHED) for at, each in brokers),
    ]
    for steps, part, fields in parts:
        for field, types in fields.items():
            if _stands(field, part.get(field)) and kind not in types:
                says = f"{written((*steps, field))}: only listeners of type {', '.join(types)} may have it"
                yield RefusedField(f"listener {listener.get('name')} of type {kind} has {says}", (*path, *steps, field))
    certificate = part_of(configuration, "brokerCertChainAndKey")
    if not certificate:
        return
    where = (*path, "brokerCertChainAndKey")
    if not listener.get("tls"):
        yield RefusedField(f"listener {listener.get('name')} has a certificate without TLS", where)
    empty = [field for field in ("secretName", "certificate", "key") if not certificate.get(field)]
    if empty:
        yield RefusedField(f"the certificate of listener {listener.get('name')} has no {', '.join(empty)}", where)


def _stands(field: str, value: Any) -> bool:
    if field == "createBootstrapService":
        return value is False
    return bool(value) if field in _EMPTY else value is not None


def _of_hosts(
    listener: Mapping[str, Any], configuration: Mapping[str, Any], path: Steps, brokers: int | None
) -> Iterator[RefusedField]:
    """Names that an Ingress and a TLSRoute have to have."""
    name, kind = listener.get("name"), listener.get("type")
    if kind not in ("ingress", "tlsroute"):
        return
    if kind == "tlsroute" and configuration.get("parentRefs") is None:
        yield RefusedField(f"listener {name} of type {kind} has no configuration.parentRefs", path)
    if not part_of(configuration, "bootstrap").get("host"):
        yield RefusedField(f"listener {name} of type {kind} has no configuration.bootstrap.host", path)
    named = {each.get("broker") for each in list_of(configuration, "brokers") if each.get("host")}
    few = not named if brokers is None else len(named) < brokers
    if few and not configuration.get("hostTemplate"):
        missing = f"a host of {len(named)} brokers in configuration.brokers, and no hostTemplate"
        yield RefusedField(f"listener {name} of type {kind} has {missing}", path)
