"""What helps to find a mistake in the tool itself: said only where `runbook --debug` or RUNBOOK_DEBUG=1 asks for it."""

import os
import sys
from collections.abc import Callable

VARIABLE = "RUNBOOK_DEBUG"
_OLDER = "RUNBOOK_TRACE"
HINT = "(runbook --debug shows where)"
"""Ends a sentence about an exception that nobody expected."""


class _Listener:
    """Who hears what is said: standard error, until somebody else is named."""

    def __init__(self) -> None:
        self.hear: Callable[[str], object] = lambda text: sys.stderr.write(f"{text}\n")


_listener = _Listener()


def wanted() -> bool:
    """Whether somebody asked for it. Processes that are started inherit the answer."""
    return any(os.environ.get(name, "") not in ("", "0") for name in (VARIABLE, _OLDER))


def want() -> None:
    """Ask for it, in this process and in those it starts."""
    os.environ[VARIABLE] = "1"


def send_to(out: Callable[[str], None]) -> None:
    """Give what is said to this function instead of standard error."""
    _listener.hear = out


def say(text: str, of: str = "") -> None:
    """Say something, if it is wanted; `of` names whose words these are, before each line."""
    if wanted():
        _listener.hear("\n".join(f"[{of}] {line}" for line in text.splitlines()) if of else text)


def exception(error: BaseException) -> None:
    """Tell where an exception came from, if that is wanted."""
    if wanted():
        import traceback  # noqa: PLC0415 - of no use to a run that nobody debugs

        say("".join(traceback.format_exception(error)).rstrip())


def overhear() -> None:
    """Say what libraries log, if that is wanted; to be called once whoever passes it on can hide secrets.

    Not what they print by themselves: threads print at once, and a secret that another's words cut in two can't be
    found and hidden.
    """
    if not wanted():
        return
    import logging  # noqa: PLC0415 - as above

    class Heard(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            say(self.format(record))

    handler = Heard()
    handler.setFormatter(logging.Formatter("%(relativeCreated)d ms %(name)s %(levelname)s %(message)s"))
    logging.basicConfig(level=logging.DEBUG, handlers=[handler], force=True)
