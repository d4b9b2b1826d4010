"""Checks of error-handling that no system which is kept is seen to pass, or to fail, and why."""

from typing import Final

_OF_WALKS: Final = dict.fromkeys(
    ("a-letter-has-arrived", "the-application-may-write-its-letters", "what-was-replayed-is-deleted"),
    "gates of walks alone judge it: seen shut and open in tests/live/ecosystem/test_walked_errors.py",
)
NEVER_PASS: Final = _OF_WALKS
NEVER_FAIL: Final = _OF_WALKS
