"""What `--watch` refuses before anything is asked."""

from typing import Any

import pytest


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--watch", "--every", "0.1s"], "--every 0.1s: each look asks every system: 1s at least, please"),
        (["--until-pass", "--every", "soon"], "--every "),
        (["--watch", "--from", "facts.json"], "a bundle never changes, so it is looked at once; leave --from out"),
        (["--looks", "2", "--from", "facts.json"], "a bundle never changes, so it is looked at once"),
        (["--looks", "2", "--until-pass"], "--watch looks again anyway; leave --looks out"),
        (["--looks", "3"], "3"),
    ],
)
def test_what_can_not_be_watched_is_refused(command: Any, arguments: list[str], said: str) -> None:
    ended = command("check", "ha", *arguments)
    assert (ended.code, said in ended.err) == (2, True)
