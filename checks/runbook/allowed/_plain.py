"""Logins that would pass in plain text: which addresses are another machine's, and are not asked over TLS."""

import ipaddress
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

_LOGIN: Final = ("password", "token")
_NO_ADDRESS: Final = ("username", "password", "token", "ca", "certificate", "key")
_BARE: Final = re.compile(r"[\w.-]+:[0-9]{1,5}(/\S*)?")  # host:port, which is asked by http where there is no `ca`


def is_this_machine(host: str) -> bool:
    """Whether an address or a name can only be this machine: by what it is, not by how it begins."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def plain_host(address: str) -> str:
    """The host of an address that is asked over plain HTTP, if it is another machine; else ""."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return ""
    return host if parts.scheme == "http" and not is_this_machine(host) else ""


def remarks(settings: Mapping[str, Any]) -> Iterator[str]:
    """What is worth a word about a connection over HTTP: a login that anybody on the way can read."""
    if any(settings.get(name) for name in _LOGIN):
        bare = "https://" if settings.get("ca") else "http://"
        texts = {
            f"{bare}{text}" if _BARE.fullmatch(text) else text
            for name, value in settings.items()
            if name not in _NO_ADDRESS
            for text in _texts(value)
        }
        for host in sorted({plain_host(text) for text in texts} - {""}):
            yield f"its login goes to {host} over plain http, where anybody on the way can read it: ask by https"


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)
