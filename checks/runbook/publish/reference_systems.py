"""Reference pages of the systems that are asked: how each is reached, what is requested, which rights that needs."""

import inspect
import json
from collections.abc import Iterator

import msgspec

from runbook.model.probe import Probe
from runbook.plugins.catalog import catalog
from runbook.plugins.request import CANARY
from runbook.plugins.request import requests as all_requests
from runbook.publish.observed_facts import load_probe
from runbook.publish.page import Page, fragment, heading


def connections_page() -> Page:
    """Make the page of all connections: the setting that says where, and every request that may be made."""
    parts = ["# Connections", fragment("connections_head.html")]
    made = all_requests()
    for kind in catalog("connections").names():
        module = catalog("connections").load(kind)
        about = (inspect.getdoc(module) or "").partition("\n\n")[0]
        listed = sorted((request.request, request.probes) for request in made if request.connection == kind)
        own = set(getattr(module, "OF_ITS_OWN", ()))
        values = {"kind": kind, "own": own, "about": about, "address": getattr(module, "ADDRESS", ""), "listed": listed}
        parts += [f"## {heading(kind)} {{ #{kind} }}", fragment("connection.html", **values)]
    canary = sorted((request.request, request.parts["only"]) for request in made if request.connection == CANARY)
    parts += [f"## {heading(CANARY)} {{ #{CANARY} }}", fragment("canary.html", listed=canary)]
    return Page("reference/connections.md", "\n\n".join(parts) + "\n")


def requests_file() -> Page:
    """Make the list of all requests for programs, as `runbook requests --format json` prints it."""
    listed = json.dumps(msgspec.to_builtins(all_requests()), indent=2, ensure_ascii=False)
    return Page("reference/requests.json", listed + "\n")


def rights_page() -> Page:
    """Make the page of the least rights that all probes need, in one table."""
    needed: dict[str, tuple[set[str], list[str]]] = {}
    for name, probe in _probes():
        for right in probe.rights:
            kinds, names = needed.setdefault(right, (set(), []))
            kinds.update(probe.connections)
            names.append(name)
    rows = sorted((sorted(kinds), right, names) for right, (kinds, names) in needed.items())
    table = fragment("rights.html", needed=rows)
    return Page("reference/rights.md", f"# Rights\n\n{table}\n")


def _probes() -> Iterator[tuple[str, Probe]]:
    for name in catalog("probes").names():
        probe = load_probe(name)
        if probe:
            yield name, probe
