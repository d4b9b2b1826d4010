"""What is fetched: one question put to one environment, asked once however many checks need the answer."""

import json
import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from runbook.model.block import FactRequest

_DURATION = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ms|s|m|h|d)")
REFERENCES = ("params.", "link.", "env.name")  # with which a value under `with:` begins that stands for another
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


class FactQuestion(Struct, frozen=True):
    """A question: equal asks are one fetch.

    Attributes:
        environment: whom.
        connection: the kind of connection.
        probe: what.
        given: the probe's parameters, as canonical JSON, so that asks can be compared.
        window: how far to look back; empty if not said.
        looks: the time between two looks; empty for one look.
    """

    environment: str
    connection: str
    probe: str
    given: str = "{}"
    window: str = ""
    looks: str = ""

    def parameters(self) -> dict[str, Any]:
        """What the probe is given."""
        given: dict[str, Any] = json.loads(self.given)
        return given | ({"window": self.window} if self.window else {})

    def __str__(self) -> str:
        more = "" if self.given == "{}" else f" {self.given}"
        return f"{self.probe}{more}"


def ask(environment: str, connection: str, request: FactRequest, values: Mapping[str, Any]) -> FactQuestion:
    """The question that a fact of a check puts to an environment, with what `params.x` and `link.x` stand for."""
    given = json.dumps(in_force(request.with_, {**values, "env.name": environment}), sort_keys=True)
    return FactQuestion(environment, connection, request.probe, given, request.window or "", request.looks or "")


def in_force(given: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Replace `params.x` and `link.x` by their values, which are named so."""
    return {
        name: values[value] if isinstance(value, str) and value.startswith(REFERENCES) else value
        for name, value in given.items()
    }


def seconds(duration: str) -> float:
    """Read a duration such as 500ms, 10s, 5m, 24h or 7d.

    Raises:
        ValueError: it is not written so.
    """
    written = _DURATION.fullmatch(duration)
    if written is None:
        raise ValueError(f"{duration!r} is no duration: write 500ms, 10s, 5m, 24h or 7d")
    return float(written[1]) * _UNITS[written[2]]
