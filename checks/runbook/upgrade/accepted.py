"""What a project took the built-in runbooks to be: a record beside its settings, to see what an upgrade changes."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct, structs

from runbook import __version__
from runbook.evidence.named_file import write_named
from runbook.model.block import Check
from runbook.model.errors import UsageError
from runbook.model.parameter import Parameter
from runbook.parse.runbook import LocatedBlock, read_runbook
from runbook.plugins.content import builtin_runbooks

RECORD: Final = "runbook.lock"
"""The file's name, beside runbook.yaml."""


class AcceptedCheck(Struct, frozen=True, omit_defaults=True):
    """A built-in check as it was.

    Attributes:
        title: as it was.
        severity: as it was.
        digest: of what decides its outcome, without its name, severity and parameters.
        params: its parameters, without what explains them.
    """

    title: str
    severity: str
    digest: str
    params: dict[str, Parameter] = {}


class AcceptedRunbook(Struct, frozen=True):
    """A built-in runbook as it was: its version, and its checks by their ids."""

    version: str
    checks: dict[str, AcceptedCheck]


class Accepted(Struct, frozen=True):
    """The built-in runbooks as a project took them, and the version of the tool that brought them."""

    tool: str
    runbooks: dict[str, AcceptedRunbook]

    def checks(self) -> dict[str, AcceptedCheck]:
        """All checks by their global names."""
        return {f"{name}/{id_}": check for name, book in self.runbooks.items() for id_, check in book.checks.items()}


def as_built_in(names: Iterable[str]) -> Accepted:
    """The built-in runbooks of these names as this version of the tool has them, whatever extends them."""
    return Accepted(__version__, {name: _runbook(name) for name in names})


@cache
def _runbook(name: str) -> AcceptedRunbook:
    book = read_runbook(builtin_runbooks() / f"{name}.md", origin="built-in")
    checks = {check.block.id: _check(check, check.block) for check in book.checks() if isinstance(check.block, Check)}
    return AcceptedRunbook(book.front.version, checks)


def _check(placed: LocatedBlock, block: Check) -> AcceptedCheck:
    judged = structs.replace(
        placed, block=structs.replace(block, id="any", was=[], severity="info", consequence="", params={})
    )
    params = {name: structs.replace(parameter, help="", source="") for name, parameter in block.params.items()}
    return AcceptedCheck(block.title, block.severity, judged.digest(), params)


def read_accepted(folder: Path) -> Accepted | None:
    """The record in the folder of a project; None if there is none.

    Raises:
        UsageError: it can't be read.
    """
    file = folder / RECORD
    try:
        return msgspec.json.decode(file.read_bytes(), type=Accepted)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise UsageError(f"{file} is no record of built-in runbooks: {error}; take it as Git has it") from error


def write_accepted(folder: Path, accepted: Accepted) -> Path:
    """Write the record into the folder of a project.

    Raises:
        UsageError: it can't be written.
    """
    file = folder / RECORD
    try:
        write_named(file, msgspec.json.format(msgspec.json.encode(accepted, order="deterministic"), indent=1) + b"\n")
    except OSError as error:
        raise UsageError(f"{file} can't be written: {error.strerror}") from error
    return file
