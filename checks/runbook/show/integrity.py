"""What `runbook verify` writes: the built-in runbooks with their digests, and what of the code is not as shipped."""

from collections import Counter

import msgspec
from msgspec import Struct

from runbook import __version__
from runbook.model.errors import Invalid
from runbook.model.exit_code import ExitCode
from runbook.parse.runbook import read_runbook
from runbook.plugins.content import builtin_runbooks
from runbook.plugins.shipped import File, State, shipped_files
from runbook.safety.sanitize import sanitize, sanitize_json

_RUNBOOKS = "content/runbooks/"


class ShippedRunbook(Struct, frozen=True):
    """A built-in runbook: its digest is the one that results carry; its version is empty if it can't be read."""

    name: str
    version: str
    digest: str
    state: State


class Integrity(Struct, frozen=True):
    """What was found; `code` has the files that are not as shipped, `files` how many there are."""

    tool_version: str
    runbooks: list[ShippedRunbook]
    files: int
    code: list[File]


def integrity() -> Integrity:
    """Look at every file of the package."""
    files = shipped_files(runbooks=builtin_runbooks())
    code = [file for file in files if not _is_runbook(file)]
    return Integrity(
        __version__,
        [_runbook(file) for file in files if _is_runbook(file)],
        len(code),
        [file for file in code if file.state != "as shipped"],
    )


def _is_runbook(file: File) -> bool:
    return file.name.startswith(_RUNBOOKS) and file.name.endswith(".md")


def _runbook(file: File) -> ShippedRunbook:
    path = builtin_runbooks() / file.name.removeprefix(_RUNBOOKS)
    version = digest = ""
    if path.exists():
        try:
            read = read_runbook(path)
            version, digest = read.front.version, read.digest
        except Invalid:
            digest = file.digest
    return ShippedRunbook(path.stem, version, digest, file.state)


def exit_code(found: Integrity) -> ExitCode:
    """The exit code: one file that is not as shipped fails; nothing to compare with is unknown."""
    states = {runbook.state for runbook in found.runbooks} | {file.state for file in found.code}
    if states & {"changed", "added", "missing"}:
        return ExitCode.FAILED
    return ExitCode.UNKNOWN if "not known" in states else ExitCode.COMPLIANT


def written(found: Integrity, format_: str) -> str:
    """What was found, in one of the formats."""
    if format_ == "json":
        return sanitize_json(msgspec.to_builtins(found) | {"exit_code": exit_code(found)})
    width = max((len(runbook.name) for runbook in found.runbooks), default=0)
    lines = [
        f"runbook {found.tool_version}",
        *(
            f"  {runbook.name:{width}}  {runbook.version or '?':8}  {runbook.digest[:16]:16}  {runbook.state}"
            for runbook in found.runbooks
        ),
    ]
    if exit_code(found) is ExitCode.UNKNOWN:
        lines.append("  this is no installed wheel: nothing says how these files were shipped")
        return "\n".join(map(sanitize, lines))
    counted = Counter(file.state for file in found.code)
    lines.append(f"  code: {found.files - len(found.code)} of {found.files} files as shipped")
    lines += [f"    {state}: {file.name}" for state in counted for file in found.code if file.state == state]
    return "\n".join(map(sanitize, lines))
