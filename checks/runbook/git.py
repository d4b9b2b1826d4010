"""Git, asked about a folder of somebody else's: nothing that stands in its repository is run, and nothing is fetched.

A repository's own configuration can name commands for a dozen occasions. Those that reading may meet are turned off
here; what git calls a transport is refused by the environment, which a repository can't overrule.
"""

import shutil
from pathlib import Path
from typing import Final

from runbook.safety.child_process import TookTooLong, finish, for_children

_HARMLESS: Final = (
    "safe.bareRepository=explicit",  # a repository hidden in a folder is not taken for this folder's
    "core.fsmonitor=false",  # a hook for every look at the index
    "core.hooksPath=/dev/null",
    "core.sshCommand=false",
    "core.gitProxy=",
    "core.askPass=",
    "credential.helper=",
    "log.showSignature=false",  # would run gpg.program for every commit
    "gpg.program=false",
    "gpg.ssh.program=false",
    "gpg.x509.program=false",
    "diff.external=",
    "protocol.allow=never",
)
_ENVIRONMENT: Final = {
    "GIT_ALLOW_PROTOCOL": "none",  # no transport at all: objects that a partial clone lacks are not fetched
    "GIT_NO_LAZY_FETCH": "1",  # the same, since git 2.45
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
}


class NoAnswer(Exception):  # noqa: N818 - reads as what happened
    """Git can't tell; the message says why."""


def ask(folder: Path, *arguments: str, patience: float, given: bytes = b"") -> bytes:
    """What a git command prints about the repository that a folder is in.

    Args:
        folder: where it is asked.
        arguments: a command that reads, and shows no file by way of a filter or a diff: `cat-file`, not `show`.
        patience: seconds it may take.
        given: its standard input.

    Raises:
        NoAnswer: there is no git, it failed, or it took too long.
    """
    program = shutil.which("git")
    if program is None:
        raise NoAnswer("git is not installed here")
    settings = [word for setting in _HARMLESS for word in ("-c", setting)]
    command = [program, "-C", str(folder), "--no-pager", *settings, *arguments]
    try:
        done = finish(command, given=given, patience=patience, environment=for_children(_ENVIRONMENT))
    except (OSError, TookTooLong) as error:
        raise NoAnswer(f"git did not answer ({type(error).__name__})") from error
    if done.returncode:
        first = done.stderr.decode(errors="replace").strip().partition("\n")[0]
        raise NoAnswer(f"git says: {first.removeprefix('fatal: ')}")
    return done.stdout
