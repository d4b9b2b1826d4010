"""Why Kafka would not start with the listeners that a broker's properties file names.

The rules are those of KafkaConfig.validateValues, AbstractKafkaConfig and SocketServerConfigs in Apache Kafka 4.3.0; in
ZooKeeper mode those of 3.9.1, which differ in the control plane alone. What Kafka sets where a file says nothing counts
as said: `listeners` is PLAINTEXT://:9092, brokers talk over PLAINTEXT, the mechanism is GSSAPI.
`tests/live/test_broker_start_as_kafka.py` compares both with Kafka's own classes.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

NEEDED: Final = (
    "advertised.listeners",
    "control.plane.listener.name",
    "controller.listener.names",
    "inter.broker.listener.name",
    "listener.security.protocol.map",
    "listeners",
    "process.roles",
    "sasl.enabled.mechanisms",
    "sasl.mechanism.inter.broker.protocol",
    "security.inter.broker.protocol",
)
"""The settings that decide; of `sasl.enabled.mechanisms` also what a listener has of its own."""

_PROTOCOLS: Final = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
_LISTENERS = "PLAINTEXT://:9092"
_GSSAPI = "GSSAPI"
_ENDPOINT = re.compile(r"(.*)://\[?([0-9a-zA-Z\-%._:]*)\]?:(-?[0-9]+)")
_ELSEWHERE = re.compile(r"\$\{[^}]+\}")
_MAP, _INTER, _PROTOCOL = (
    "listener.security.protocol.map",
    "inter.broker.listener.name",
    "security.inter.broker.protocol",
)
_ADVERTISED = "advertised.listeners"
_ENABLED, _MECHANISM = "sasl.enabled.mechanisms", "sasl.mechanism.inter.broker.protocol"

Settings = Mapping[str, str]


class _Endpoint(Struct, frozen=True):
    name: str
    host: str
    port: int


def unreadable(settings: Settings) -> list[str]:
    """The settings that decide and whose value the file does not hold: a reference, or a line that goes on."""
    return sorted(name for name, value in settings.items() if _decides(name) and _is_elsewhere(value))


def refusals(settings: Settings) -> list[str]:
    """Say why Kafka refuses to start with these settings; nothing if their listeners fit.

    Args:
        settings: of the file, as written, with `process.roles` where it has any; none of them `unreadable`.
    """
    return list(_refusals({name: value.strip() for name, value in settings.items()}))


def _refusals(settings: Settings) -> Iterator[str]:
    if _INTER in settings and _PROTOCOL in settings:
        yield f"{_INTER} and {_PROTOCOL} are both set: Kafka takes only one of them"
        return
    protocols, wrong = _protocols(settings)
    if wrong:
        yield wrong
        return
    listeners, wrong = _endpoints(settings, "listeners", protocols, alone=True)
    if not wrong:
        advertised, wrong = _advertised(settings, listeners, protocols)
    if wrong:
        yield wrong
        return
    key = _ADVERTISED if _ADVERTISED in settings else "listeners"
    if any(endpoint.host == "0.0.0.0" for endpoint in advertised):  # noqa: S104 - of a file; nothing is bound
        yield f"{key} has 0.0.0.0, which Kafka would tell its clients: advertise a name or address that they can reach"
    advertised = [endpoint for endpoint in advertised if endpoint.name not in _controller_names(settings)]
    yield from _controllers(settings, [listener.name for listener in listeners], protocols)
    inter, protocol = _between_brokers(settings, protocols)
    if not protocol:
        said = settings.get(_PROTOCOL)
        yield (
            f"{_INTER} is {inter}, which {_MAP} does not have"
            if said is None
            else f"{_PROTOCOL} is {said}: there is {', '.join(_PROTOCOLS)}"
        )
        return
    if _is_broker(settings, listeners):
        yield from _of_broker(settings, inter, listeners, advertised)
    yield from _mechanism(settings, inter, protocol)


def _protocols(settings: Settings) -> tuple[dict[str, str], str]:
    """Listener -> security protocol, as Kafka has it in force; and why it can't be told."""
    if _MAP not in settings:
        known = {name: name for name in _PROTOCOLS}
        names = [_endpoint_name(part) for part in _list(settings.get("listeners", _LISTENERS))]
        controllers = _controller_names(settings)
        # In KRaft mode controllers' listeners are PLAINTEXT where nothing else is spoken (KIP-801's defaults).
        if controllers and not any(name in _PROTOCOLS[1:] for name in (*names, *controllers)):
            known |= {name: "PLAINTEXT" for name in controllers if name != "PLAINTEXT"}
        return known, ""
    known = {}
    for pair in _list(settings[_MAP]):
        name, colon, protocol = (part.strip() for part in pair.rpartition(":"))
        if not colon or protocol.upper() not in _PROTOCOLS:
            return {}, f"{_MAP} has {pair}: after the colon there must be {', '.join(_PROTOCOLS)}"
        known[name.upper()] = protocol.upper()
    return known, ""


def _endpoints(
    settings: Settings, key: str, protocols: Mapping[str, str], *, alone: bool
) -> tuple[list[_Endpoint], str]:
    """Read a list of listeners; `alone` if each must have a port of its own."""
    found: list[_Endpoint] = []
    for part in _list(settings.get(key, _LISTENERS)):
        matched = _ENDPOINT.fullmatch(part)
        if not matched:
            return [], f"{key} has {part}: a listener is written NAME://HOST:PORT"
        one = _Endpoint(name=matched[1].upper(), host=matched[2], port=int(matched[3]))
        if one.name not in protocols:
            return [], f"{key} has {one.name}, which {_MAP} does not have"
        if any(other.name == one.name for other in found):
            return [], f"{key} has {one.name} twice"
        same = [other.host for other in found if alone and other.port == one.port > 0]
        if len(same) > 1 or (same and not _one_of_each_family(one.host, same[0])):
            return [], f"{key} has port {one.port} twice"
        found.append(one)
    return found, "" if found or not alone else f"{key} is empty"


def _one_of_each_family(one: str, other: str) -> bool:
    """Whether one address is of IPv4 and the other of IPv6: these may share a port (KIP-797)."""
    four = [re.fullmatch(r"[0-9]+(\.[0-9]+){3}", host) is not None for host in (one, other)]
    six = [":" in host for host in (one, other)]
    return (four[0] and six[1]) or (six[0] and four[1])


def _advertised(
    settings: Settings, listeners: list[_Endpoint], protocols: Mapping[str, str]
) -> tuple[list[_Endpoint], str]:
    """What clients are told; where the file does not say it, all listeners but those of controllers."""
    if _ADVERTISED in settings:
        return _endpoints(settings, _ADVERTISED, protocols, alone=False)
    controllers = _controller_names(settings)
    return [listener for listener in listeners if listener.name not in controllers], ""


def _controllers(settings: Settings, listeners: list[str], protocols: Mapping[str, str]) -> Iterator[str]:
    key = "controller.listener.names"
    roles, named = set(_list(settings.get("process.roles", ""))), _controller_names(settings)
    lacking = [name for name in named if name not in listeners]
    if roles == {"broker"}:
        if not named:
            yield f"{key} is not set: a broker in KRaft mode needs it to find its controllers"
        if len(lacking) < len(named):
            there = ", ".join(name for name in named if name in listeners)
            yield f"{key} has {there}, which is in listeners: this file is of a broker without a controller"
        yield from (
            f"{key} has {name}, which {_MAP} does not have" for name in lacking if name.upper() not in protocols
        )
    elif "controller" in roles:
        if not named:
            yield f"{key} is not set: a controller needs a listener"
        yield from (f"{key} has {name}, which is not in listeners" for name in lacking)
        others = [name for name in listeners if name not in named]
        if roles == {"controller"} and others:
            yield f"listeners has {', '.join(others)}, which {key} does not have: this file is of a controller alone"
        inter = settings.get(_INTER, "").upper()
        if roles == {"controller"} and inter and inter in named:
            yield f"{_INTER} is {inter}, which is in {key}: controllers do not replicate over it"


def _between_brokers(settings: Settings, protocols: Mapping[str, str]) -> tuple[str, str]:
    """The listener over which brokers replicate, and its protocol; "" for one that is none."""
    if _INTER in settings:
        name = settings[_INTER].upper()
        return name, protocols.get(name, "")
    protocol = settings.get(_PROTOCOL, "PLAINTEXT")
    return protocol, protocol if protocol in _PROTOCOLS else ""


def _of_broker(
    settings: Settings, inter: str, listeners: list[_Endpoint], advertised: list[_Endpoint]
) -> Iterator[str]:
    names, shown = [listener.name for listener in listeners], [endpoint.name for endpoint in advertised]
    if inter not in shown:
        how = _INTER if _INTER in settings else f"{_PROTOCOL} ({'set' if _PROTOCOL in settings else 'by default'})"
        yield f"{how} is {inter}: brokers advertise no such listener, only {', '.join(shown) or 'none'}"
    if beyond := [name for name in shown if name not in names]:
        yield f"{_ADVERTISED} has {', '.join(beyond)}, which is not in listeners"
    plane = settings.get("control.plane.listener.name", "").upper()
    if plane and "process.roles" not in settings:
        if plane not in shown:
            yield f"control.plane.listener.name is {plane}, which brokers do not advertise"
        if plane == inter:
            yield f"control.plane.listener.name is {plane}, over which brokers replicate: it must be another"


def _mechanism(settings: Settings, inter: str, protocol: str) -> Iterator[str]:
    if not protocol.startswith("SASL_"):
        return
    mechanism = settings.get(_MECHANISM, _GSSAPI)
    own = f"listener.name.{inter.lower()}.{_ENABLED}"
    key = own if own in settings else _ENABLED
    enabled = _list(settings.get(key, _GSSAPI))
    if mechanism not in enabled:
        yield (
            f"{_MECHANISM} is {mechanism}{'' if _MECHANISM in settings else ' by default'}, "
            f"but {inter} enables {', '.join(enabled) or 'none'} ({key}{'' if key in settings else ' by default'})"
        )


def _is_broker(settings: Settings, listeners: list[_Endpoint]) -> bool:
    """Whether it is a broker's; one without roles is of ZooKeeper mode, or does not tell that it is a controller's."""
    if roles := _list(settings.get("process.roles", "")):
        return "broker" in roles
    named = _controller_names(settings)
    return any(listener.name not in named for listener in listeners)


def _controller_names(settings: Settings) -> list[str]:
    """As Kafka compares them with names in upper case: not turned into such."""
    return _list(settings.get("controller.listener.names", ""))


def _endpoint_name(part: str) -> str:
    return part.partition("://")[0].strip().upper()


def _list(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _decides(name: str) -> bool:
    return name in NEEDED or (name.startswith("listener.name.") and name.endswith(f".{_ENABLED}"))


def _is_elsewhere(value: str) -> bool:
    return bool(_ELSEWHERE.search(value)) or (len(value) - len(value.rstrip("\\"))) % 2 == 1
