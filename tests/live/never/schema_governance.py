"""Which checks of schema-governance are never seen to pass, or never to fail, on real systems, and why: none."""

from typing import Final

NEVER_PASS: Final[dict[str, str]] = {}
NEVER_FAIL: Final[dict[str, str]] = {}
