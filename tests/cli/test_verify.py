from collections.abc import Callable
from typing import Any


def test_a_checkout_has_nothing_to_be_compared_with(command: Callable[..., Any]):
    ended = command("verify")
    assert ended.code == 3
    assert "not known" in ended.out
    assert "nothing says how these files were shipped" in ended.out


def test_a_format_that_is_none_is_told(command: Callable[..., Any]):
    ended = command("verify", "--format", "xml")
    assert ended.code == 2
    assert "known: console, json" in ended.err
