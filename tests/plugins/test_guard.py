import pytest

from runbook.model.errors import CannotLook, TimedOut, UsageError
from runbook.plugins.guard import attempt, last_resort


def raising(error: BaseException) -> None:
    raise error


def test_what_a_call_gives_is_given_back() -> None:
    assert attempt(lambda: 5) == 5


def test_our_own_errors_keep_their_kind() -> None:
    assert isinstance(attempt(lambda: raising(TimedOut("late"))), TimedOut)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (UsageError("no probe named x"), "no probe named x"),
        (KeyError("x"), "KeyError: 'x'"),
        (RuntimeError("first\nTraceback…"), "RuntimeError: first"),
        (MemoryError(), "it needed more memory than it was given"),
    ],
)
def test_any_exception_becomes_a_reason_of_one_line(error: Exception, said: str) -> None:
    found = attempt(lambda: raising(error))
    assert isinstance(found, CannotLook)
    assert str(found) == said


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)])
def test_interrupts_and_exits_pass(error: BaseException) -> None:
    with pytest.raises(type(error)):
        attempt(lambda: raising(error))


def test_at_the_very_end_an_exception_becomes_an_exit_code() -> None:
    def broken() -> int:
        raise ValueError

    assert last_resort(lambda: 0, lambda _: 5) == 0
    assert last_resort(broken, lambda error: 5 if isinstance(error, ValueError) else 0) == 5
