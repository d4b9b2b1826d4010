"""Old names of blocks: whose they are, and that what names a block by one is about that block."""

import datetime as dt
from pathlib import Path

import pytest
from msgspec import structs

from runbook.model.block import Cause, Diagnostic, Procedure
from runbook.model.errors import Invalid
from runbook.parse.extending import read_whole
from runbook.parse.inventory import parse_inventory
from runbook.parse.old_names import (
    inventory_of_today,
    old_names,
    present_name,
    references,
    referring,
    with_first_names,
)
from runbook.parse.runbook import Runbook, parse_runbook
from support.built_in import all_built_in
from support.small_runbooks import FRONT, check_text

CHECK = "facts: {topic: {probe: kafka_topic}}\nexpect: {each: topic, that: topic.partitions > 0}\n"
PROCEDURE = """```yaml {.procedure}
id: move
title: Move it
before: [old]
steps:
  - {do: Look., verify: [ha/every-broker-answers, {check: old, at: source}]}
```
"""


def book(*blocks: str, name: str = "small") -> Runbook:
    return parse_runbook(FRONT + "".join(blocks), name, f"{name}.md")


def renamed(was: str = "[older, old]") -> Runbook:
    return book(check_text(f"{CHECK}was: {was}\n", "new"))


def test_an_old_name_means_the_block_that_had_it() -> None:
    names = old_names([renamed("[older, other/old]")])
    assert names == {"small/older": "small/new", "other/old": "small/new"}


def test_a_name_that_a_block_has_now_is_no_old_one() -> None:
    assert old_names([book(check_text(f"{CHECK}was: [old]\n", "new"), check_text(CHECK, "old"))]) == {}


def test_a_word_is_an_old_name_whole_or_by_its_id_where_that_is_one_blocks() -> None:
    names = {"a/old": "a/new", "b/twice": "b/one", "c/twice": "c/two"}
    asked = ("a/old", "old", "twice", "b/twice", "a/new", "a/*")
    assert [present_name(word, names) for word in asked] == ["a/new", "a/new", "twice", "b/one", "a/new", "a/*"]


def test_the_digest_is_that_of_the_first_name() -> None:
    first, second, third = book(check_text(CHECK, "older")), renamed("[older]"), renamed("[older, old]")
    assert len({placed.digest() for one in (first, second, third) for placed in one.placed()}) == 1
    assert next(renamed("[old]").placed()).digest() != next(first.placed()).digest()


def test_waivers_and_parameters_of_an_inventory_are_of_the_check_as_it_is_called_now() -> None:
    text = """environments:
  prod:
    params:
      small/old: {spare: 2, most: 3}
      small/new: {most: 4}
    waivers: [{check: small/old, owner: ann, reason: moves to new disks, expires: 2026-12-31}]
  dr: {}
mirrors: [{from: prod, to: dr, params: {small/old: {spare: 5}}}]
"""
    inventory = parse_inventory(text, "environments.yaml", dt.date(2026, 12, 1))
    today = inventory_of_today(inventory, {"small/old": "small/new"})
    environment = today.targets["prod"].environment
    assert environment.params == {"small/new": {"spare": 2, "most": 4}}
    assert [waiver.check for waiver in environment.waivers] == ["small/new"]
    assert today.mirrors[0].params == {"small/new": {"spare": 5}}
    assert today.document.key(("mirrors", 0, "params", "small/new", "spare")).line == 8


def test_every_name_that_a_block_holds_is_found_and_replaced() -> None:
    seen = set()
    for placed in (placed for one in all_built_in() for placed in one.placed()):
        marked = referring(placed.block, "x/{}".format)
        assert references(marked) == [f"x/{name}" for name in references(placed.block)]
        assert referring(marked, lambda name: name.removeprefix("x/")) == placed.block
        seen |= {type(placed.block)} if references(placed.block) else set()
    assert seen == {Cause, Diagnostic, Procedure}


def test_a_procedure_by_first_names_is_the_same_through_renamings() -> None:
    before = book(check_text(CHECK, "old"), PROCEDURE)
    after = book(check_text(f"{CHECK}was: [old]\n", "new"), PROCEDURE.replace("old", "new"))
    (was,), (now,) = before.procedures(), after.procedures()
    assert was != now
    assert with_first_names(now, "small", [after]) == with_first_names(was, "small", [before]) == was


def test_a_runbook_of_ones_own_names_blocks_as_they_are_called_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gc.md").write_text(FRONT + check_text(f"{CHECK}was: [long-pauses]\n", "pauses"), "utf-8")
    monkeypatch.setattr("runbook.parse.extending.builtin_runbooks", lambda: tmp_path)
    own = tmp_path / "own.md"
    text = PROCEDURE.replace("ha/every-broker-answers", "gc/long-pauses")
    own.write_text(FRONT + check_text(f"{CHECK}was: [old]\n", "new") + text, "utf-8")
    assert references(read_whole(own).procedures()[0]) == ["gc/pauses", "new", "new"]


def test_an_amendment_may_name_its_block_by_an_old_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gc.md").write_text(FRONT + check_text(f"{CHECK}was: [long-pauses]\n", "pauses"), "utf-8")
    monkeypatch.setattr("runbook.parse.extending.builtin_runbooks", lambda: tmp_path)
    (tmp_path / "own").mkdir()
    own = tmp_path / "own" / "gc.md"
    head = FRONT.replace("version: 1.0.0\n", "version: 1.0.0\nextends: gc\n", 1)
    amendment = "```yaml {.amend}\nid: long-pauses\nremedy: Ask us.\n```\n"
    own.write_text(head + amendment, "utf-8")
    (placed,) = read_whole(own).placed()
    assert (placed.name, placed.block) == ("gc/pauses", structs.replace(placed.base.block, remedy="Ask us."))  # type: ignore[union-attr, type-var]
    own.write_text(head + amendment + amendment.replace("long-pauses", "pauses"), "utf-8")
    with pytest.raises(Invalid, match="pauses is amended twice"):
        read_whole(own)
