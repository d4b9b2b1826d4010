"""The listeners that values of Bitnami's chart declare."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from runbook.formats.bitnami.release import BY, COMPONENTS, brokers_or_all, settings_of
from runbook.formats.chart_values import Open, Values, small_number
from runbook.formats.nested import list_of, part_of
from runbook.formats.statements import ListenerStated, NotStated, setting_text


class _Own(NamedTuple):
    """What the chart itself gives a listener."""

    name: str
    port: int


_OWN: Final = {
    "client": _Own("CLIENT", 9092),
    "interbroker": _Own("INTERNAL", 9094),
    "external": _Own("EXTERNAL", 9095),
    "controller": _Own("CONTROLLER", 9093),
}
_PROTOCOL: Final = "SASL_PLAINTEXT"
_INSIDE: Final = "internal"


def listeners(values: Values) -> Iterator[ListenerStated | NotStated]:
    """The listeners; the reason where one is not known."""
    if problem := _elsewhere(values):
        yield NotStated(problem)
        return
    try:
        outside = values.flag("externalAccess", "enabled", default=False)
    except NotStated as reason:
        yield reason
        outside = False
    own = [(("listeners", key), values.given("listeners", key)) for key in _OWN if outside or key != "external"]
    more = list_of(part_of(values.said, "listeners"), "extraListeners")
    for path, given in (*own, *((("listeners", "extraListeners", at), one) for at, one in enumerate(more))):
        try:
            yield _listener(values, path, given if isinstance(given, Mapping) else {})
        except NotStated as reason:
            yield reason


def _elsewhere(values: Values) -> str:
    """What takes the place of the chart's listeners; empty for nothing."""
    keys = [(*part, key) for part in ((), *((part,) for part in COMPONENTS)) for key in ("config", "existingConfigmap")]
    given = [".".join(path) for path in keys if values.given(*path)]
    named = ("overrideListeners", "securityProtocolMap")
    given += [f"listeners.{key}" for key in named if values.given("listeners", key)]
    settings = Open().known(lambda: settings_of(values)) or {}
    given += [key for key in ("listeners", "listener.security.protocol.map") if key in settings]
    return f"{given[0]} takes the place of the chart's listeners, and is not read here" if given else ""


def _listener(values: Values, path: tuple[Any, ...], given: Mapping[str, Any]) -> ListenerStated:
    own = _OWN.get(path[-1], _Own("", 0))
    said = given.get("protocol") or values.unless_layered(_PROTOCOL, *map(str, path), "protocol")
    protocol = setting_text(said).upper()
    tls = protocol.endswith("SSL")
    kind = _type(values, path[-1])
    return ListenerStated(
        by=BY,
        resource=values.name,
        source=values.source,
        places={
            "": values.place(*path),
            "tls": values.place(*path, "protocol"),
            "authentication": values.place(*path, "protocol"),
        },
        kafka=values.name,
        listener=str(given.get("name") or own.name).upper(),
        port=small_number(given.get("containerPort")) or own.port,
        type=kind,
        outside=kind != _INSIDE,
        tls=tls,
        authentication="sasl" if protocol.startswith("SASL") else _certificate(values, given) if tls else "",
    )


def _type(values: Values, key: Any) -> str:
    """The type of Service that leads to it from outside; clients' own may be open, too. What is not known is inside."""
    if key == "external":
        part = brokers_or_all(values)[-1]
        kind = Open().known(lambda: values.text("externalAccess", part, "service", "type"))
        return (kind or "LoadBalancer").lower()
    kind = Open().known(lambda: values.text("service", "type")) if key == "client" else None
    return _INSIDE if kind in (None, "", "ClusterIP") else kind.lower()


def _certificate(values: Values, given: Mapping[str, Any]) -> str:
    """Whether clients need a certificate; what a listener says of it counts only beside another one with SASL."""
    protocols = [setting_text(values.given("listeners", key, "protocol") or _PROTOCOL).upper() for key in _OWN]
    own = given.get("sslClientAuth") if any(each.startswith("SASL") for each in protocols) else None
    return "tls" if (own or values.text("tls", "sslClientAuth", default="required")) == "required" else ""
