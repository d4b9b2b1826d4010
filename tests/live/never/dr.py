"""Checks of dr.md that no system shows to pass, or to fail, each with the reason."""

NEVER_PASS: dict[str, str] = {}
NEVER_FAIL = {"the-plan-is-known": "what nobody has signed off, or no longer, is unknown: it may be so all the same"}
