import pytest

from runbook.model.errors import Misconfigured
from runbook.parse.allowed import COMMANDS_ALLOWED, refusals, require_allowed


def test_a_kind_without_rules_may_be_told_anything() -> None:
    assert list(refusals("jolokia", {"x": 1})) == []
    require_allowed("jolokia", {"x": 1})


def test_what_a_connection_builds_on_is_looked_at_too() -> None:
    settings = {"kafka": {"bootstrap.servers": "b:1", "group.id": "theirs"}}
    require_allowed("records", settings)
    with pytest.raises(Misconfigured, match="no consumer group is joined"):
        require_allowed("records", settings, ("kafka",))


def test_consent_is_the_persons_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(COMMANDS_ALLOWED, raising=False)
    with pytest.raises(Misconfigured, match=f"set {COMMANDS_ALLOWED}=1 if you trust"):
        require_allowed("kubernetes", {"exec": True})
    require_allowed("kubernetes", {"exec": False})
    monkeypatch.setenv(COMMANDS_ALLOWED, "1")
    require_allowed("kubernetes", {"exec": True})
