"""The one place where any exception is caught: around code of probes, views and client libraries."""

from collections.abc import Callable
from typing import TypeVar

from runbook.engine.errors import CannotLook, RunbookError

T = TypeVar("T")


def attempt(call: Callable[[], T]) -> T | CannotLook:
    """Call, and give back what came of it: the value, or the reason there is none.

    Interrupts and exits pass through.
    """
    try:
        return call()
    except CannotLook as error:
        return error
    except Exception as error:  # noqa: BLE001 - foreign code may raise anything; all of it means "could not look"
        return CannotLook(_sentence(error))


def _sentence(error: Exception) -> str:
    """What to tell of an error: ours are sentences; of others the type says most."""
    if isinstance(error, RunbookError):
        return str(error)
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__


def last_resort(call: Callable[[], int], report: Callable[[Exception], int]) -> int:
    """Call, and turn an exception that nothing else expected into an exit code."""
    try:
        return call()
    except Exception as error:  # noqa: BLE001 - at the very end, a sentence serves a person better than a traceback
        return report(error)
