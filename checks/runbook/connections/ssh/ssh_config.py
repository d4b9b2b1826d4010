"""The user's own ssh_config, with what it includes and without what it would run."""

import re
from pathlib import Path
from typing import Any

from runbook.model.errors import Misconfigured
from runbook.model.probe import Deadline
from runbook.recording.question import question

_INCLUDE = re.compile(r"^\s*include\s*[=\s]\s*(.+?)\s*$", re.IGNORECASE)
_BLOCK = re.compile(r"^\s*(host|match)\s*[=\s]", re.IGNORECASE)
_RUNS = re.compile(r"^\s*match\b.*\bexec\b", re.IGNORECASE | re.MULTILINE)
_DEEPEST = 16  # as OpenSSH


def read_config(given: Any, clock: Deadline) -> Any:
    """Read ssh_config: the one that is named, or the user's own if there is one; None if there is none.

    Raises:
        Misconfigured: it can't be read, or wants a command run.
    """
    import paramiko

    file = Path(given or "~/.ssh/config").expanduser()
    text = _text(given, clock)
    if text is None:
        return None
    if _RUNS.search(text):
        raise Misconfigured(f"{file} has `Match exec`, which is a shell command and is not run: name another `config:`")
    try:
        return paramiko.SSHConfig.from_text(text)
    except paramiko.ssh_exception.ConfigParseError as error:
        raise Misconfigured(f"{file} can't be understood as ssh_config: {error}") from None


@question("ssh config")
def _text(given: Any, clock: Deadline) -> str | None:  # noqa: ARG001 - the clock is for who marks the question
    file = Path(given or "~/.ssh/config").expanduser()
    return None if given is None and not file.exists() else _with_includes(file)


def _with_includes(file: Path, depth: int = 0) -> str:
    """The text of an ssh_config with what it includes in place; paramiko would leave that out without a word."""
    if depth > _DEEPEST:
        raise Misconfigured(f"{file} of ssh_config includes itself, or more than {_DEEPEST} levels")
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Misconfigured(f"{file}, named as ssh_config, can't be read: {error}") from None
    block, whole = "Host *", []
    for line in lines:
        if _BLOCK.match(line):
            block = line
        included = _INCLUDE.match(line)
        if included is None:
            whole.append(line)
            continue
        for pattern in included[1].split():
            path = Path(pattern).expanduser()
            folder, name = (path.parent, path.name) if path.is_absolute() else (Path("~/.ssh").expanduser(), pattern)
            whole += [_with_includes(path, depth + 1) for path in sorted(folder.glob(name))]
        whole.append(block)  # what follows belongs to the block that it stands in, not to the last one included
    return "\n".join(whole) + "\n"
