"""The inventory's settings for Prometheus.

A server: `url`, `selector` (labels and values that the brokers' series have), `dialect`, `max_age` (seconds), and how
brokers are told apart: `brokers` (instance -> node id) or `broker_label` (a label whose value ends in the node id);
`application_selector` for applications, which are named by `application_label`.
Pages: `scrape` (node id -> address), `applications` (name -> address), `dialect`.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from runbook.connections._http import address, check_names
from runbook.formats.metrics.dialect import DIALECTS
from runbook.model.errors import Misconfigured, did_you_mean

MAX_AGE: Final = 180
"""Seconds: three of Prometheus' default scrape intervals, 1 min."""

_SERVER = ("url", "selector", "brokers", "broker_label", "application_selector", "application_label", "max_age")
_PAGES = ("scrape", "applications")
_LABEL = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")


class ServerSettings(Struct, frozen=True):
    """How a server is asked; see above. Without a selector, nothing of the kind is asked."""

    url: str
    dialect: str
    selector: dict[str, str]
    brokers: dict[str, int]
    broker_label: str
    applications: dict[str, str] | None
    application_label: str
    max_age: int


class PagesSettings(Struct, frozen=True):
    """Which pages are read. `applications` is None where nothing is said of them."""

    dialect: str
    brokers: dict[int, str]
    applications: dict[str, str] | None


def read_settings(settings: Mapping[str, Any]) -> ServerSettings | PagesSettings:
    """Read them.

    Raises:
        Misconfigured: they can't be used; the message says which, and what to write instead.
    """
    check_names(settings, ("dialect", *_SERVER, *_PAGES), "prometheus")
    dialect = str(settings.get("dialect", "plain"))
    if dialect not in DIALECTS:
        raise Misconfigured(f'prometheus knows no dialect "{dialect}": {did_you_mean(dialect, list(DIALECTS))}')
    ours, theirs = (_SERVER, _PAGES) if "url" in settings else (_PAGES, _SERVER)
    if mixed := [name for name in theirs if name in settings]:
        raise Misconfigured(f"prometheus has `{ours[0]}`, so `{mixed[0]}` means nothing there: remove one of them")
    if ours == _SERVER:
        return _server(settings, dialect)
    if not isinstance(settings.get("scrape"), Mapping) and "applications" not in settings:
        raise Misconfigured(
            "prometheus needs `url`, as in http://prometheus:9090, or `scrape`, as in {1: http://broker1:9404/metrics}"
        )
    pages = {_number(key, "scrape"): url for key, url in _addresses(settings, "scrape").items()}
    applications = _addresses(settings, "applications") if "applications" in settings else None
    return PagesSettings(dialect, pages, applications)


def _server(settings: Mapping[str, Any], dialect: str) -> ServerSettings:
    if not settings.get("selector"):
        raise Misconfigured("prometheus needs a `selector` of the brokers' series, as in {job: kafka}")
    max_age = settings.get("max_age", MAX_AGE)
    if not isinstance(max_age, int) or not 1 <= max_age <= 3600:  # noqa: PLR2004 - an hour, as is said
        raise Misconfigured(f"max_age of prometheus is seconds, 1 to 3600, not {max_age!r}")
    applications = settings.get("application_selector")
    return ServerSettings(
        url=address(settings["url"], "/", settings, "url").rstrip("/"),
        dialect=dialect,
        selector=_selector(settings, "selector"),
        brokers={key: _number(value, "brokers") for key, value in _mapping(settings, "brokers").items()},
        broker_label=str(settings.get("broker_label", "")),
        applications=None if applications is None else _selector(settings, "application_selector"),
        application_label=str(settings.get("application_label", "job")),
        max_age=max_age,
    )


def _addresses(settings: Mapping[str, Any], name: str) -> dict[str, str]:
    found = _mapping(settings, name)
    return {key: address(url, "/metrics", settings, f"{name}.{key}") for key, url in found.items()}


def _mapping(settings: Mapping[str, Any], name: str) -> dict[str, Any]:
    given = settings.get(name, {})
    if not isinstance(given, Mapping):
        raise Misconfigured(f"{name} of prometheus must be a mapping, as in {{1: …}}, not {given!r}")
    return {str(key): value for key, value in given.items()}


def _selector(settings: Mapping[str, Any], name: str) -> dict[str, str]:
    found = {key: str(value) for key, value in _mapping(settings, name).items()}
    for label in found:
        if not _LABEL.fullmatch(label):
            raise Misconfigured(f"{name} of prometheus has {label!r}, which is no label: write {{job: kafka}}")
    return found


def _number(text: Any, setting: str) -> int:
    if not str(text).isdecimal():
        raise Misconfigured(f"{setting} of prometheus names brokers by node id, a number, not {text!r}")
    return int(str(text))
