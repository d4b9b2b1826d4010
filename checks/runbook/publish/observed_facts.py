"""What a block looks at and expects, in words."""

from typing import Any

from msgspec import Struct

from runbook.model.block import Cause, Check, Effect, Expectation, FactRequest, ViewRequest
from runbook.model.errors import UsageError
from runbook.model.probe import Probe
from runbook.model.view import View
from runbook.plugins.catalog import catalog


class FactInput(Struct, frozen=True):
    """One fact of a check.

    Attributes:
        name: what the expression calls it.
        source: name of the probe or view.
        page: the reference page that describes the source, probes or views; empty if none does.
        help: what a row is, in the words of its declaration.
        asked: what it is asked of, or computed from.
        details: how it is asked: parameters, side of a link, window.
        rights: the least rights it needs.
    """

    name: str
    source: str
    page: str
    help: str
    asked: str
    details: tuple[str, ...]
    rights: tuple[str, ...]


def looks(block: Check | Cause | Effect) -> list[FactInput]:
    """Every fact of a block: first those that are fetched, then those computed from them."""
    return [
        *(_fetched(name, request) for name, request in block.facts.items()),
        *(_computed(name, request) for name, request in block.views.items()),
    ]


def load_probe(name: str) -> Probe | None:
    """The declaration of a probe; None if it is a user's own and not known here."""
    module = _load("probes", name)
    return module.PROBE if module else None


def load_view(name: str) -> View | None:
    """The declaration of a view; None if it is a user's own and not known here."""
    module = _load("views", name)
    return module.VIEW if module else None


def _load(room: str, name: str) -> Any:
    try:
        return catalog(room).load(name)
    except UsageError:
        return None


def _fetched(name: str, request: FactRequest) -> FactInput:
    probe = load_probe(request.probe)
    details = [f"{key}: {_plain(value)}" for key, value in request.with_.items()]
    if request.at:
        details.append(f"on the {request.at}'s side of the link")
    if request.window:
        details.append(f"over the last {request.window}")
    if request.looks:
        details.append(f"looked at twice, {request.looks} apart")
    if probe is None:
        return FactInput(name, request.probe, "", "A probe of your own.", "", tuple(details), ())
    asked = f"asked of {' or '.join(probe.connections)}"
    return FactInput(name, request.probe, "probes", probe.help, asked, tuple(details), probe.rights)


def _computed(name: str, request: ViewRequest) -> FactInput:
    view = load_view(request.view)
    details = tuple(f"{key}: {_plain(value)}" for key, value in request.with_.items())
    asked = "computed from " + " and ".join(
        fact if fact == word else f"{fact} as {word}" for word, fact in request.of.items()
    )
    if view is None:
        return FactInput(name, request.view, "", "A view of your own.", asked, details, ())
    return FactInput(name, request.view, "views", view.help, asked, details, ())


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(_plain(item) for item in value)
    return str(value)


def expectation(expect: Expectation) -> str:
    """Say what is expected, up to the expression."""
    about = expect.each or expect.all or expect.same or expect.window or ""
    only = f", where {expect.where}" if expect.where else ""
    joined = "".join(f", beside {fact} of the same {_on(on)}" for fact, on in expect.join.items())
    if expect.same:
        columns = " and ".join(expect.value) or "every column"
        return f"Rows of {about} that agree in {' and '.join(expect.by) or 'nothing'} agree in {columns}{only}."
    if expect.all:
        return f"Of all rows of {about} together{only}{joined}, this is true:"
    if expect.window:
        return f"For each row of {about}, before and after{only}{joined}, this is true:"
    return f"For each row of {about}{only}{joined}, this is true:"


def _on(on: str | dict[str, str]) -> str:
    if isinstance(on, str):
        return on
    return " and ".join(f"{ours} = {theirs}" for ours, theirs in on.items())
