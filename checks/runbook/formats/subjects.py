"""Names of a Schema Registry's subjects: `:.context:name`, or the name alone in the default context."""

_OPEN, _CLOSE = ":.", ":"


def context_of(subject: str) -> str:
    """The context a subject is in; empty for the default one."""
    return _parts(subject)[0]


def name_in_context(subject: str) -> str:
    """A subject's name without its context."""
    return _parts(subject)[1]


def _parts(subject: str) -> tuple[str, str]:
    if not subject.startswith(_OPEN):
        return "", subject
    context, colon, name = subject.removeprefix(_OPEN).partition(_CLOSE)
    return (context, name) if colon else ("", subject)
