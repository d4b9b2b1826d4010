"""A bundle: the facts of a run and what judging needs besides them, in one JSON file, free of secrets."""

import re
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs
from msgspec.structs import replace

from runbook.evidence.named_file import write_named
from runbook.evidence.shared_cells import Cells
from runbook.evidence.store import PRIVATE
from runbook.model import moment
from runbook.model.ask import FactQuestion
from runbook.model.errors import FilePosition, UsageError
from runbook.model.fact import Fact
from runbook.model.link import Mirror
from runbook.model.old_gaps import typed
from runbook.parse.inventory import Environment, Inventory, Target
from runbook.parse.yaml_document import Document
from runbook.safety.sanitize import sanitize

FORMAT = "runbook-bundle-1"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


class Kept(Struct, frozen=True):
    """One question and its answers."""

    ask: FactQuestion
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
        typed_gaps: whether gaps were kept with their kinds; those of older bundles are told by their sentences, once.
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
    typed_gaps: bool = False

    @property
    def probes(self) -> frozenset[str]:
        """The probes whose facts it holds."""
        return frozenset(kept.ask.probe for kept in self.kept)


def save_bundle(file: Path, bundle: Bundle) -> None:
    """Write a bundle; it appears whole or not at all.

    Raises:
        UsageError: it can't be written.
    """
    try:
        write_named(file, msgspec.json.encode(bundle, order="deterministic"), mode=PRIVATE)
    except OSError as error:
        raise UsageError(f"the bundle could not be written to {file}: {error.strerror}") from error


def load_bundle(file: Path) -> Bundle:
    """Read a bundle.

    Raises:
        UsageError: it can't be read, or is no bundle of a version known here.
    """
    try:
        content = file.read_bytes()
    except OSError as error:
        remedy = "runbook check --save FILE writes one"
        raise UsageError(f"the bundle {file} can't be read: {error.strerror}; {remedy}") from error
    return read_bundle(content, str(file))


def read_bundle(content: bytes, file: str) -> Bundle:
    """Read a bundle out of its bytes; `file` is what messages call it.

    Raises:
        UsageError: it is no bundle of a version known here.
    """
    try:
        bundle = _decoded(content)
    except RecursionError as error:
        raise UsageError(f"{file} is no bundle: it is nested deeper than facts are") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{file} is no bundle, or not a whole one: {sanitize(str(error))}; make one with --save"
        ) from error
    if bundle.format != FORMAT:
        raise UsageError(f"{file} has the format {bundle.format!r}; this version reads {FORMAT}")
    if reason := _impossible(bundle):
        raise UsageError(f"{file} was not written by this program: {reason}")
    return bundle if bundle.typed_gaps else with_kinds(bundle)


def with_kinds(bundle: Bundle) -> Bundle:
    """A bundle from before gaps had kinds, with the kinds that their sentences tell of."""
    return replace(bundle, kept=[Kept(kept.ask, _with_kinds(kept)) for kept in bundle.kept])


def _with_kinds(kept: Kept) -> dict[str, Fact]:
    return {look: typed(fact, kept.ask.connection) for look, fact in kept.facts.items()}


class _UnreadFact(Fact, kw_only=True):
    columns: dict[str, msgspec.Raw]  # type: ignore[assignment]


class _UnreadKept(Struct):
    ask: FactQuestion
    facts: dict[str, _UnreadFact]


class _UnreadBundle(Bundle, kw_only=True):
    kept: list[_UnreadKept]  # type: ignore[assignment]


def _decoded(content: bytes) -> Bundle:
    """A bundle out of its bytes, column by column: at no time is there more than one whose cells share nothing."""
    cells = Cells()
    unread = msgspec.json.decode(content, type=_UnreadBundle)

    def fact(one: _UnreadFact) -> Fact:
        columns = {name: cells.column(written) for name, written in one.columns.items()}
        return Fact(**structs.asdict(one) | {"columns": columns})

    kept = [Kept(one.ask, {look: fact(seen) for look, seen in one.facts.items()}) for one in unread.kept]
    return Bundle(**structs.asdict(unread) | {"kept": kept})


def _impossible(bundle: Bundle) -> str:
    """Why no run of ours can be this one's: its names become places in a store. "" if one can."""
    names = [*bundle.environments, *bundle.selected, *(kept.ask.environment for kept in bundle.kept), bundle.run]
    if wrong := [name for name in names if not _NAME.fullmatch(name)]:
        return f"{wrong[0]!r} is no name of an environment or a run"
    try:
        moment.read(bundle.started_at)
    except ValueError:
        return f"{bundle.started_at!r} is no moment at which a run began"
    return ""


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
    return Inventory(file, Document(None, FilePosition(file), {}, {}), targets, mirrors)
