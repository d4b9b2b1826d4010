"""What a cluster calls something stays one word of the command that somebody pastes."""

import subprocess

import pytest

from runbook.safety.shell_words import shell_word

HOSTILE = [
    "a b",
    "'; rm -rf /; '",
    "$(id)",
    "a`id`b",
    "line\nline",
    "\x1b[31mred",
    "back\\slash`",
    "übel",
    "",
    "-e",
    "\u202e",
]


@pytest.mark.parametrize("value", HOSTILE)
def test_a_shell_reads_back_what_there_was_and_runs_nothing(value: str) -> None:
    command = f"printf %s -- {shell_word(value)} | tail -c +3"
    assert "`" not in command
    read = subprocess.run(
        ["bash", "-c", command], capture_output=True, check=True, timeout=10, env={"LC_ALL": "C.UTF-8"}
    )
    assert read.stdout.decode("utf-8") == value


@pytest.mark.parametrize("value", ["orders", "kafka-1:9092,kafka-2:9092", "User:ada", "5", "/var/lib/kafka"])
def test_what_needs_no_quotes_has_none(value: str) -> None:
    assert shell_word(value) == value
