"""What is kept of a connector's configuration: how it handles errors, what it reads, and which credentials it bares."""

import re
from collections.abc import Mapping

from runbook.safety.redaction import Redaction
from runbook.safety.secret import HIDDEN, is_plain, is_secret

Configuration = Mapping[str, str]

_REFERENCE = re.compile(r"\$\{[^}:]+:[^}]*\}")  # ${provider:path:key}, which the worker's config.providers follow
_SHAPES = Redaction(())


def text(given: Configuration, name: str, default: str = "") -> str | None:
    """A setting's value; None where it is a reference, which only the worker follows."""
    value = given.get(name)
    if value is None:
        return default
    return None if "${" in value else value.strip()


def topics(given: Configuration) -> tuple[str, ...] | None:
    """The topics that a sink reads by name; None if it reads by pattern."""
    named = text(given, "topics")
    if named is None or given.get("topics.regex"):
        return None
    return tuple(name for name in (part.strip() for part in named.split(",")) if name)


def group(given: Configuration, name: str) -> str | None:
    """The consumer group of a sink: Connect's own name for it, unless the connector says another."""
    return text(given, "consumer.override.group.id", f"connect-{name}")


def plain_secrets(given: Configuration) -> tuple[str, ...]:
    """The names of settings that hold a credential as plain text, in order; their values go nowhere."""
    return tuple(sorted(name for name, value in given.items() if _is_plain_secret(name, value)))


def shown(given: Configuration) -> dict[str, str | None]:
    """A configuration that may be looked at: None for a reference, hidden for a credential."""
    bare = plain_secrets(given)
    return {name: HIDDEN if name in bare else text(given, name) for name in given}


def harmless(given: Configuration) -> dict[str, str]:
    """A configuration as it was written, with credentials hidden."""
    bare = plain_secrets(given)
    return {name: HIDDEN if name in bare else value for name, value in given.items()}


def without_secrets(given: Configuration) -> Redaction:
    """What takes this configuration's own credentials out of a text."""
    return Redaction(given[name] for name in plain_secrets(given))


def _is_plain_secret(name: str, value: str) -> bool:
    left = _REFERENCE.sub("", value).strip()
    if not left:
        return False
    if is_secret(name) and left == value.strip():
        return is_plain(name, left) or "${" in left  # which names no provider, so that no worker follows it
    return _SHAPES.found_in(value)
