"""The one way to start another program: an argument vector, never a shell, and no code of the folder one is in.

Python that is told `-m` looks for modules in the current folder first, so that a `typing.py` which anybody put there
would run as whoever stands there. A Python of ours is started without (`-P`), and so is any that a child starts in its
turn, as Spark's Java and the kernels of notebooks do: `PYTHONSAFEPATH` says it to them.
"""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import CompletedProcess, Popen
from typing import IO, Final, NoReturn

PIPE: Final = subprocess.PIPE
DEVNULL: Final = subprocess.DEVNULL
STDOUT: Final = subprocess.STDOUT
TookTooLong = subprocess.TimeoutExpired

SAFE_PATH: Final = {"PYTHONSAFEPATH": "1"}
"""What keeps a Python, however it is started, from loading modules of the folder it is in."""

Stream = int | IO[bytes] | None
"""As `subprocess` takes it; None: that of this process."""


def python_module(module: str, *arguments: str) -> list[str]:
    """The command that runs a module by this interpreter."""
    return [sys.executable, "-P", "-m", module, *arguments]


def python_file(file: Path, *arguments: str) -> list[str]:
    """The command that runs a file by this interpreter; the file imports nothing but the standard library."""
    return [sys.executable, "-I", str(file), *arguments]


def for_children(variables: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a child: this one's, with these variables over it, and no modules of the current folder."""
    return os.environ | dict(variables or {}) | SAFE_PATH


def start(
    command: Sequence[str],
    *,
    stdin: Stream = DEVNULL,
    stdout: Stream = DEVNULL,
    stderr: Stream = DEVNULL,
    folder: Path | None = None,
    own_session: bool = False,
) -> Popen[bytes]:
    """Start a program, and do not wait for it.

    Args:
        command: the argument vector.
        stdin: what it reads, as `subprocess` takes it.
        stdout: where its output goes.
        stderr: where its errors go.
        folder: where it runs; None: in this folder.
        own_session: whether a Ctrl-C at our terminal is none of its business.

    Raises:
        OSError: it can't be started.
    """
    return Popen(  # noqa: S603 - an argument vector, no shell
        command,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        cwd=folder,
        env=for_children(),
        start_new_session=own_session,
    )


def finish(
    command: Sequence[str],
    *,
    given: bytes | None = None,
    patience: float | None = None,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> CompletedProcess[bytes]:
    """Run a program until it ends; give its exit status and what it printed.

    Args:
        command: the argument vector.
        given: its standard input.
        patience: seconds it may take; None: as long as it likes.
        folder: where it runs; None: in this folder.
        environment: all of its variables; None: those for children of ours. A program of the user's gets `os.environ`.

    Raises:
        OSError: it can't be started.
        TookTooLong: it took longer, and was killed.
    """
    return subprocess.run(  # noqa: S603 - an argument vector, no shell
        command,
        input=given or b"",
        capture_output=True,
        timeout=patience,
        cwd=folder,
        env=for_children() if environment is None else environment,
        check=False,
    )


def finish_text(
    command: Sequence[str],
    *,
    patience: float | None = None,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> CompletedProcess[str]:
    """Run a program as `finish` does; what it printed is given as text."""
    done = finish(command, patience=patience, folder=folder, environment=environment)
    out, err = (printed.decode(errors="replace") for printed in (done.stdout, done.stderr))
    return CompletedProcess(done.args, done.returncode, out, err)


def become(command: Sequence[str]) -> NoReturn:
    """Go on as another program, under the same process id.

    Raises:
        OSError: it can't be started.
    """
    os.execve(command[0], list(command), for_children())  # noqa: S606 - no shell is wanted
