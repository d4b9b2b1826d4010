"""The one place where any exception is caught: around code of probes, views and client libraries."""

from collections.abc import Callable
from typing import TypeVar

from runbook.model.errors import CannotLook, Misconfigured, Mistake, RunbookError
from runbook.plugins import debugging

T = TypeVar("T")


def attempt(call: Callable[[], T]) -> T | CannotLook:
    """Call, and give back what came of it: the value, or the reason there is none.

    The reason is a `Mistake` where something was raised that is no error of ours. Interrupts and exits pass through.
    """
    try:
        return call()
    except CannotLook as error:
        if error.__cause__ is not None:
            debugging.say(f"{type(error).__name__}: {error} <- {error.__cause__!r}")
        return lacking(error.__cause__) or error
    except RunbookError as error:
        return CannotLook(str(error))
    except MemoryError:
        return CannotLook("it needed more memory than it was given")
    except Exception as error:  # noqa: BLE001 - foreign code may raise anything; all of it means "could not look"
        debugging.exception(error)
        return lacking(error) or Mistake(_sentence(error))


def lacking(error: BaseException | None) -> Misconfigured | None:
    """Say what installs what could not be imported; None where it was something else, or no extra of ours brings it."""
    if not isinstance(error, ModuleNotFoundError):
        return None
    from runbook.plugins.extras import missing  # noqa: PLC0415 - reads what is installed

    reason = missing(error.name or "")
    return Misconfigured(reason) if reason else None


def _sentence(error: Exception) -> str:
    """What to tell of an error that is none of ours: its type says most."""
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__


def last_resort(call: Callable[[], int], report: Callable[[Exception], int]) -> int:
    """Call, and turn an exception that nothing else expected into an exit code."""
    try:
        return call()
    except Exception as error:  # noqa: BLE001 - at the very end, a sentence serves a person better than a traceback
        return report(error)
