"""A bundle: the facts of a run and what judging needs besides them, in one JSON file, free of secrets."""

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from runbook.engine.ask import Ask
from runbook.engine.errors import Place, UsageError
from runbook.engine.fact import Fact
from runbook.engine.inventory import Environment, Inventory, Target
from runbook.engine.link import Mirror
from runbook.engine.store import write_atomically
from runbook.engine.yaml_document import Document

FORMAT = "runbook-bundle-1"


class Kept(Struct, frozen=True):
    """One question and its answers."""

    ask: Ask
    facts: dict[str, Fact]


class Bundle(Struct):
    """What was collected, when, from whom.

    Attributes:
        format: FORMAT.
        tool_version: of the package that collected it.
        run: the run's id.
        started_at: RFC 3339 UTC; what expressions see as `now`.
        environments: as the inventory has them, without how they are reached.
        connections: environment -> the kinds of connection it had -> the names of their settings; older bundles have a
            list of the kinds.
        mirrors: links among them.
        kept: the facts.
        selected: the environments the run was about; others are ends of their links. Empty: all of them.
    """

    format: str
    tool_version: str
    run: str
    started_at: str
    environments: dict[str, Environment]
    connections: dict[str, dict[str, list[str]] | list[str]]
    mirrors: list[Mirror]
    kept: list[Kept]
    selected: list[str] = []


def save_bundle(file: Path, bundle: Bundle) -> None:
    """Write a bundle; it appears whole or not at all.

    Raises:
        UsageError: it can't be written.
    """
    try:
        write_atomically(file, msgspec.json.encode(bundle, order="deterministic"))
    except OSError as error:
        raise UsageError(f"the bundle could not be written to {file}: {error.strerror}") from error


def load_bundle(file: Path) -> Bundle:
    """Read a bundle.

    Raises:
        UsageError: it can't be read, or is no bundle of a version known here.
    """
    try:
        bundle = msgspec.json.decode(file.read_bytes(), type=Bundle)
    except OSError as error:
        raise UsageError(f"the bundle {file} can't be read: {error.strerror}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} is no bundle, or not a whole one: {error}; make one with --save") from error
    if bundle.format != FORMAT:
        raise UsageError(f"{file} has the format {bundle.format}; this version reads {FORMAT}")
    return bundle


def _settings(kinds: dict[str, list[str]] | list[str]) -> dict[str, dict[str, Any]]:
    """Which settings there were, without what they were: some probes ask only where there is a certain one."""
    named = kinds if isinstance(kinds, dict) else dict.fromkeys(kinds, ())
    return {kind: dict.fromkeys(names) for kind, names in named.items()}


def inventory_of(bundle: Bundle, file: str) -> Inventory:
    """The inventory a bundle stands for."""
    targets = {
        name: Target(name, environment, _settings(bundle.connections.get(name, [])))
        for name, environment in bundle.environments.items()
    }
    mirrors = [mirror for mirror in bundle.mirrors if mirror.from_ in targets and mirror.to in targets]
    return Inventory(file, Document(None, Place(file), {}, {}), targets, mirrors)
