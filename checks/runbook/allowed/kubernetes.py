"""Kubernetes: where a token may go, and who lets a kubeconfig's program run."""

from collections.abc import Iterator, Mapping
from typing import Any

from runbook.allowed._plain import plain_host
from runbook.parse.allowed import Refusal


def refused(settings: Mapping[str, Any]) -> Iterator[Refusal]:
    """A token in plain text to another machine. What the connection does not know, it refuses by itself."""
    if host := plain_host(str(settings.get("server", ""))):
        message = f"{host} is another machine, and the token would go there over plain http"
        yield Refusal(("server",), message, "write https://HOST:PORT; plain http is for this machine only")


def consents(settings: Mapping[str, Any]) -> Iterator[str]:
    """What would be run: whoever wrote the kubeconfig may have written the inventory too."""
    if settings.get("exec"):
        yield "exec: true of kubernetes lets the kubeconfig name a program that is run for credentials"
