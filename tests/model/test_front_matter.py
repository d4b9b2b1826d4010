import msgspec
import pytest

from runbook.model.front_matter import FrontMatter

CHANGE = {"version": "1.0.0", "date": "2026-01-31", "note": "First version."}


def test_a_head_needs_a_title_a_version_and_what_changed() -> None:
    head = msgspec.convert({"title": "What we expect", "version": "1.0.0", "changes": [CHANGE]}, FrontMatter)
    assert (head.changes[0].note, head.extends) == ("First version.", "")


@pytest.mark.parametrize("wrong", [{"version": "1.0"}, {"changes": []}, {"changes": [CHANGE | {"date": "31.1.2026"}]}])
def test_versions_are_whole_and_days_can_be_sorted(wrong: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"title": "What we expect", "version": "1.0.0", "changes": [CHANGE]} | wrong, FrontMatter)
