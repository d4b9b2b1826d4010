"""Runbooks whose views bind their inputs by place, rewritten to names; all else of them stays as it stands."""

from pathlib import Path

import pytest

from runbook.model.errors import UsageError
from runbook.parse.runbook import parse_runbook
from runbook.plugins.content import builtin_runbooks
from runbook.upgrade import named_inputs
from runbook.upgrade.named_inputs import Rewritten, rewrite_file, with_named_inputs
from support.small_runbooks import FRONT

BY_PLACE = """\
Prose of `of: [src, dst]`.

```yaml {.check}
id: topics-are-there   # ours
title: Topics are there
severity: high
over: link
facts: {src: {probe: kafka_topic, at: source}, dst: {probe: kafka_topic, at: target}}
views:
  pair: {view: mirrored_topic, of: [src, "dst"], with: {prefix: link.prefix}}  # both ends
  long:
    of:   # as the view has it
      - src  # from here
      # a word between
      - dst
    view: mirrored_topic
  flat:
    view: mirrored_topic
    of:
    - src
    - dst
    with: {}
expect: {each: pair, that: pair.present}
```

```yaml
views: {no: {view: mirrored_topic, of: [no, block]}}
```
"""
BY_NAME = (
    BY_PLACE.replace('of: [src, "dst"]', 'of: {source: src, target: "dst"}')
    .replace("      - src  #", "      source: src  #")
    .replace("      - dst", "      target: dst")
    .replace("    - src\n    - dst", "      source: src\n      target: dst")
)


def rewritten(text: str) -> Rewritten:
    return with_named_inputs(FRONT + text, "ours.md")


def test_lists_become_mappings_and_nothing_else_changes() -> None:
    made = rewritten(BY_PLACE)
    assert made.text == FRONT + BY_NAME
    assert made.problems == []
    assert [(one.place.line, one.of) for one in made.renamed] == [
        (line, {"source": "src", "target": "dst"}) for line in (16, 19, 26)
    ]
    parse_runbook(made.text, "ours", "ours.md")


def test_what_has_names_already_stays() -> None:
    assert rewritten(BY_NAME) == Rewritten(FRONT + BY_NAME, [], [])


def test_line_ends_and_the_mark_of_the_order_of_bytes_stay(tmp_path: Path) -> None:
    file = tmp_path / "ours.md"
    file.write_bytes(b"\xef\xbb\xbf" + (FRONT + BY_PLACE).replace("\n", "\r\n").encode())
    assert len(rewrite_file(file, "ours.md").renamed) == 3
    assert file.read_bytes() == b"\xef\xbb\xbf" + (FRONT + BY_NAME).replace("\n", "\r\n").encode()


@pytest.mark.parametrize("before", ["   ", "> "])
def test_a_block_in_a_list_or_a_quotation_is_rewritten_where_it_stands(before: str) -> None:
    first = "1. one\n\n" if before == "   " else ""

    def moved(text: str) -> str:
        return first + "".join(f"{before}{line}" for line in text.splitlines(keepends=True))

    assert rewritten(moved(BY_PLACE)).text == FRONT + moved(BY_NAME)


def test_an_amendment_has_the_view_of_the_built_in_block() -> None:
    front = FRONT.replace("version: 1.0.0", "extends: dr\nversion: 1.0.0", 1)
    amendment = "```yaml {.amend}\nid: topics-have-their-mirror\nviews: {pair: {of: [dst, src]}}\n```\n"
    made = with_named_inputs(front + amendment, "dr.md")
    assert made.text == front + amendment.replace("[dst, src]", "{source: dst, target: src}")


@pytest.mark.parametrize(
    ("of", "view", "said"),
    [
        ("[src]", "mirrored_topic", "mirrored_topic takes 2 facts, not 1: source, target"),
        ("[src, dst]", "mirored_topic", "no view named mirored_topic: did you mean"),
        ("\n  - src\n  -\n    dst", "mirrored_topic", "this list can't be rewritten"),
    ],
)
def test_what_only_a_person_can_bind_stays_and_is_told(of: str, view: str, said: str) -> None:
    block = f"```yaml {{.check}}\nviews:\n pair:\n  view: {view}\n  of: {of}\n```\n"
    made = rewritten(block)
    assert (made.text, made.renamed) == (FRONT + block, [])
    [problem] = made.problems
    assert problem.message.startswith(said)
    assert problem.place.line == 11 if of.startswith("[") else 12


def test_what_is_no_yaml_stays() -> None:
    block = "```yaml {.check}\nviews: {pair: {of: [src, dst]}\n```\n"
    assert rewritten(block) == Rewritten(FRONT + block, [], [])


def test_a_file_that_can_not_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "ours.md"
    file.write_text(FRONT + BY_PLACE)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(named_inputs, "write_named", refuse)
    with pytest.raises(UsageError, match=r"ours.md can't be written: Permission denied"):
        rewrite_file(file, "ours.md")


def test_the_built_in_runbooks_bind_by_name() -> None:
    for file in builtin_runbooks().glob("*.md"):
        text = file.read_text("utf-8")
        assert with_named_inputs(text, file.name) == Rewritten(text, [], []), file.name
