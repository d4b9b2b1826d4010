"""Old names of blocks in files of one's own give way to the present ones, and nothing else does."""

from pathlib import Path

import pytest

from runbook.upgrade.renamed_blocks import rewrite_names

NAMES = {"ha/no-lag": "ha/lag-is-small", "gc/long": "gc/pauses-are-short", "ha/moved": "gc/arrived"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("waivers: [{check: ha/no-lag}]", "waivers: [{check: ha/lag-is-small}]"),
        ("params: {'gc/long': {most: 1}}", "params: {'gc/pauses-are-short': {most: 1}}"),
        ("see `ha#no-lag`, ha.md", "see `ha#lag-is-small`, ha.md"),
        ("before: [ha/moved]", "before: [gc/arrived]"),
        ("ha/no-lag-at-all x/ha/no-lag ha/no-la no-lag long", "ha/no-lag-at-all x/ha/no-lag ha/no-la no-lag long"),
    ],
)
def test_whole_names_are_replaced(tmp_path: Path, before: str, after: str) -> None:
    file = tmp_path / "environments.yaml"
    file.write_text(f"# héllo\r\n{before}\r\n", "utf-8", newline="")
    told = rewrite_names([file], NAMES)
    assert file.read_bytes().decode() == f"# héllo\r\n{after}\r\n"
    assert [one.place.line for one in told] == [2] * (before != after)


def test_ids_alone_are_replaced_where_their_runbook_is_extended(tmp_path: Path) -> None:
    file = tmp_path / "ha.md"
    text = "---\nextends: ha\n---\n```yaml {.amend}\nid: no-lag\n```\nbefore: [no-lag, long]\n"
    file.write_text(text, "utf-8")
    assert [f"{one.was} {one.now}" for one in rewrite_names([file], NAMES)] == ["no-lag lag-is-small"] * 2
    assert file.read_text("utf-8") == text.replace("no-lag", "lag-is-small")
    assert rewrite_names([file], NAMES) == []
