import pytest
from kafka.errors import OffsetNotAvailableError

from kafka_lab import admin


def test_a_leader_that_was_just_elected_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admin, "_PAUSE", 0.0)
    answers = iter([OffsetNotAvailableError(), OffsetNotAvailableError(), 42])

    def ask() -> int:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    assert admin._once_it_can(ask) == 42


def test_who_never_tells_is_not_asked_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admin, "_PAUSE", 0.0)

    def ask() -> int:
        raise OffsetNotAvailableError

    with pytest.raises(OffsetNotAvailableError):
        admin._once_it_can(ask)
