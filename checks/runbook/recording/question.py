"""Marks the methods and functions whose answers are raw."""

from collections.abc import Callable, Collection
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar, cast, get_type_hints

from runbook.model.probe import Deadline
from runbook.model.tape import LIVE

P = ParamSpec("P")
T = TypeVar("T")


def question(name: str, *, of: str = "", without: Collection[str] = ()) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Mark a method of something with an attribute `clock`, or a function with a parameter `clock`: its answer is raw.

    Args:
        name: of the question; a recording is found by it, so that code can be renamed.
        of: attribute of what is asked, where several of its kind are: it belongs to the question.
        without: parameters that do not belong to the question, such as how long is waited.
    """

    def marked(ask: Callable[P, T]) -> Callable[P, T]:
        code = ask.__code__
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        left_out = {"self", "clock", *without}

        @wraps(ask)
        def asked(*args: P.args, **kwargs: P.kwargs) -> T:
            given = dict(zip(names, args, strict=False)) | kwargs
            tape = _clock(given).tape
            if tape is LIVE:
                return ask(*args, **kwargs)
            arguments = {key: value for key, value in given.items() if key not in left_out}
            if of:
                arguments[of] = getattr(given["self"], of)
            return tape.answer(name, arguments, lambda: ask(*args, **kwargs), _returned(ask))

        return asked

    return marked


def opened(clock: Deadline, name: str, make: Callable[[], T], instead: Callable[[], T]) -> T:
    """Make what connects to a system; in a replay, what never does.

    Args:
        clock: with the tape.
        name: of what is made.
        make: connects, or prepares to.
        instead: makes what has a clock, and nothing else that its questions need.

    Raises:
        CannotLook: as `make` does, or did.
    """
    made: list[T] = []
    clock.tape.answer(f"{name}.open", {}, lambda: made.append(make()), type(None))
    return made[0] if made else instead()


def _clock(given: dict[str, Any]) -> Deadline:
    return cast("Deadline", given["self"].clock if "self" in given else given["clock"])


@cache
def _returned(ask: Callable[..., Any]) -> Any:
    return get_type_hints(ask)["return"]
