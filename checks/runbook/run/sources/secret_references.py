"""Follow references to credentials: an environment variable, a file, the keyring, or a command.

Only the process that needs a credential follows its reference, when it connects. No message holds a value.
"""

import os
import stat
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from runbook.model.errors import Misconfigured
from runbook.parse.allowed import TRUST, commands_allowed
from runbook.plugins.extras import install
from runbook.safety.redaction import Redaction
from runbook.safety.secret import ONE_OF_FORMS, is_reference, is_secret

PATIENCE: Final = 5.0
"""Seconds a command gets; a password manager that asks a person has nobody to ask here. Our judgement."""

_MOST = 1 << 16  # bytes of what a command prints; a key with its chain has a tenth of it. Our judgement


_followed: set[str] = set()


def resolve(settings: Mapping[str, Any]) -> tuple[dict[str, Any], Redaction]:
    """Replace references by what they refer to, however deep they stand.

    Returns:
        The settings as a client library wants them, and the redaction of every secret among them.

    Raises:
        Misconfigured: a reference can't be followed; the message never holds a value.
    """
    secrets: list[str] = []
    settings = {name: _resolved(name, value, secrets) for name, value in settings.items()}
    _followed.update(secrets)
    return settings, Redaction(secrets)


def redaction_here() -> Redaction | None:
    """The redaction of every secret that this process has followed a reference to; None if it has none."""
    return _redaction_of(frozenset(_followed)) if _followed else None


@cache
def _redaction_of(secrets: frozenset[str]) -> Redaction:
    return Redaction(secrets)


def _resolved(name: str, value: Any, secrets: list[str]) -> Any:
    """A value with its references followed; what is secret is noted."""
    if isinstance(value, Mapping):
        if not is_reference(value):
            return {inner: _resolved(str(inner), item, secrets) for inner, item in value.items()}
        value = _follow(name, value)
        secrets.append(value)
    elif isinstance(value, list):
        return [_resolved(name, item, secrets) for item in value]
    elif is_secret(name) and value is not None and not isinstance(value, bool):
        secrets.append(str(value))
    return value


def _follow(name: str, reference: Mapping[str, Any]) -> str:
    match dict(reference):
        case {"env": str(variable), **rest} if not rest:
            if variable not in os.environ:
                raise Misconfigured(f"{name} is to come from the environment variable {variable}, which is not set")
            return os.environ[variable]
        case {"file": str(file), **rest} if not rest:
            return _of_file(name, file)
        case {"keyring": str(service), "user": str(user), **rest} if not rest:
            return _of_keyring(name, service, user)
        case {"command": [str(), *_] as vector, **rest} if not rest and all(isinstance(word, str) for word in vector):
            return _of_command(name, vector)
    raise Misconfigured(f"{name} must be a value or {ONE_OF_FORMS}")


def _of_file(name: str, file: str) -> str:
    """The content of a file without the line end at its end; as ssh does, refuse our own file that others may open."""
    try:
        with Path(file).expanduser().open(encoding="utf-8") as opened:
            about = os.fstat(opened.fileno())
            if about.st_uid == os.geteuid() and stat.S_IMODE(about.st_mode) & 0o077:
                raise Misconfigured(
                    f"{name} is to come from the file {file}, which other users may open "
                    f"(mode {stat.S_IMODE(about.st_mode):04o}): chmod 600 it, or mount it with defaultMode 0400"
                )
            return opened.read().rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise Misconfigured(f"{name} is to come from the file {file}, which can't be read") from error


def _of_keyring(name: str, service: str, user: str) -> str:
    try:
        import keyring  # noqa: PLC0415 - optional, and its backends are slow to load
        from keyring.errors import KeyringError  # noqa: PLC0415
    except ImportError as error:
        raise Misconfigured(
            f"{name} is to come from the keyring, and its package is missing: {install('keyring')}"
        ) from error
    try:
        value = keyring.get_password(service, user)
    except KeyringError as error:
        # Only its kind: what a backend says may quote what it was given.
        raise Misconfigured(
            f"{name} is to come from the keyring, which does not open: {type(error).__name__}"
        ) from None
    if value is None:
        raise Misconfigured(f"{name} is to come from the keyring, which holds nothing for {user} of {service}")
    return str(value)


def _of_command(name: str, vector: list[str]) -> str:
    from runbook.safety.child_process import TookTooLong, finish  # noqa: PLC0415 - rarely needed

    program = vector[0]
    if not commands_allowed():
        raise Misconfigured(
            f"{name} is to come from the command {program}, and commands are run on request only: {TRUST}"
        )
    try:
        done = finish(vector, patience=PATIENCE, environment=os.environ)  # allowed by the person who runs this
    except TookTooLong:
        raise Misconfigured(
            f"{name} is to come from the command {program}, which did not end in {PATIENCE:g} s"
        ) from None
    except (OSError, ValueError) as error:
        raise Misconfigured(f"{name} is to come from the command {program}, which can't be started") from error
    if done.returncode:
        raise Misconfigured(f"{name} is to come from the command {program}, which ended with code {done.returncode}")
    if len(done.stdout) > _MOST:
        raise Misconfigured(f"{name} is to come from the command {program}, which printed more than {_MOST:,} bytes")
    try:
        value = done.stdout.decode().rstrip("\r\n")
    except UnicodeDecodeError:
        raise Misconfigured(f"{name} is to come from the command {program}, which printed no UTF-8") from None
    if not value:
        raise Misconfigured(f"{name} is to come from the command {program}, which printed nothing")
    return value
