"""A file that extends a built-in runbook is that runbook: what is merged, where it stands, and what is refused."""

from pathlib import Path

import pytest

from runbook.model.block import Check
from runbook.model.errors import Invalid
from runbook.parse.extending import read_whole
from runbook.parse.runbook import LocatedBlock, Prose, Runbook, read_runbook
from runbook.plugins.content import builtin_runbooks

HEAD = """---
title: Ours
extends: ha
version: 0.2.0
changes:
  - {version: 0.2.0, date: "2026-11-24", note: Two spare replicas}
  - {version: 0.1.0, date: "2026-11-23", note: Ours at all}
alerts: [OurPager]
---

# Ours

Call us first.

"""
SPARE = """```yaml {.amend}
id: topic-survives-one-broker
params: {spare: {default: 2}}
remedy: Ask us.
audit: null
```
"""
OWN = """```yaml {.check}
id: payments-are-there
title: The topics of payments are there
severity: high
facts: {topic: {probe: kafka_topic}}
expect: {all: topic, that: 'topic.name.exists(name, name == "payments")'}
```
"""
BUILT_IN = read_runbook(builtin_runbooks() / "ha.md", origin="built-in")


def ours(folder: Path, *blocks: str, head: str = HEAD, name: str = "ha.md") -> Runbook:
    (folder / name).write_text(head + "\n".join(blocks), "utf-8")
    return read_whole(folder / name)


def refused(folder: Path, *blocks: str, head: str = HEAD, name: str = "ha.md") -> list[str]:
    with pytest.raises(Invalid) as invalid:
        ours(folder, *blocks, head=head, name=name)
    return [f"{problem.place.line}: {problem.message}; {problem.remedy}" for problem in invalid.value.problems]


def block(book: Runbook, identifier: str) -> LocatedBlock:
    [placed] = [placed for placed in book.placed() if placed.block.id == identifier]
    return placed


def check(book: Runbook, identifier: str) -> Check:
    found = block(book, identifier).block
    assert isinstance(found, Check)
    return found


@pytest.mark.parametrize(
    ("line", "says"), [("severity: low", ("low", "")), ("consequence: thin-margin", ("medium", "thin-margin"))]
)
def test_a_severity_of_ones_own_takes_the_place_of_the_built_in_answer(
    tmp_path: Path, line: str, says: tuple[str, str]
) -> None:
    was = check(BUILT_IN, "topic-survives-one-broker")
    assert (was.severity, was.consequence) == ("high", "next-failure")
    now = check(ours(tmp_path, SPARE.replace("remedy: Ask us.", line)), "topic-survives-one-broker")
    assert (now.severity, now.consequence) == says


def test_mappings_are_merged_values_replaced_and_null_takes_away(tmp_path: Path) -> None:
    was, now = (check(book, "topic-survives-one-broker") for book in (BUILT_IN, ours(tmp_path, SPARE)))
    assert (was.params["spare"].default, now.params["spare"].default) == (1, 2)
    assert now.params["spare"].help == was.params["spare"].help  # what is not said stays
    assert (bool(was.params["spare"].source), now.params["spare"].source) == (True, "")  # it spoke of another default
    assert (now.remedy, now.audit) == ("Ask us.", "")
    assert was.audit
    assert (now.expect, now.facts, now.title) == (was.expect, was.facts, was.title)


def test_nothing_else_is_changed(tmp_path: Path) -> None:
    book = ours(tmp_path, OWN, SPARE)
    others = {
        placed.block.id: placed.digest()
        for placed in BUILT_IN.placed()
        if placed.block.id != "topic-survives-one-broker"
    }
    assert {placed.block.id: placed.digest() for placed in book.placed() if placed.block.id in others} == others
    assert [check.block.id for check in book.checks()] == [
        "payments-are-there",
        *(check.block.id for check in BUILT_IN.checks()),
    ]


def test_digests_tell_an_amended_check_and_an_amended_runbook(tmp_path: Path) -> None:
    name = "topic-survives-one-broker"
    book = ours(tmp_path, SPARE)
    assert block(book, name).digest() != block(BUILT_IN, name).digest()
    assert book.digest not in (BUILT_IN.digest, ours(tmp_path, SPARE.replace("Ask us", "Ask them")).digest)
    worded = ours(tmp_path, SPARE.replace("params: {spare: {default: 2}}\n", ""))
    assert block(worded, name).digest() == block(BUILT_IN, name).digest()


def test_its_head_tells_of_both(tmp_path: Path) -> None:
    book = ours(tmp_path, OWN)
    assert (book.name, book.front.title) == ("ha", "Ours")
    assert book.front.version == f"{BUILT_IN.front.version}+0.2.0"
    assert [change.version for change in book.front.changes[:3]] == [
        "+0.2.0",
        "+0.1.0",
        BUILT_IN.front.changes[0].version,
    ]
    assert book.front.summary == BUILT_IN.front.summary
    assert book.front.alerts == ["OurPager", *BUILT_IN.front.alerts]


def test_own_words_come_first_and_each_title_once(tmp_path: Path) -> None:
    prose = [part.text for part in ours(tmp_path, OWN, SPARE).parts if isinstance(part, Prose)]
    assert prose[0].strip() == "Call us first."
    assert not any(text.startswith(("# Ours", f"# {BUILT_IN.front.title}")) for text in prose)
    assert f"## {BUILT_IN.front.title}: the built-in runbook {BUILT_IN.front.version}" in prose


def test_every_value_is_found_where_it_was_written(tmp_path: Path) -> None:
    placed = block(ours(tmp_path, SPARE), "topic-survives-one-broker")
    assert placed.amended is not None
    assert placed.amended.fields() == ["params.spare.default", "remedy", "audit"]
    assert placed.document.place(("params", "spare", "default")).file.startswith(str(tmp_path))
    assert placed.document.place(("params", "spare", "help")).file.endswith("runbooks/ha.md")
    assert placed.document.place(("params", "spare", "help")).file == BUILT_IN.path


WRONG = {
    "an unknown runbook": (
        HEAD.replace("extends: ha", "extends: haa"),
        (),
        "3: no built-in runbook haa; did you mean ha?",
    ),
    "an unknown block": (
        HEAD,
        (SPARE.replace("topic-survives-one-broker", "topic-survives"),),
        "16: ha has no topic-survives to amend; did you mean topic-survives-one-broker?",
    ),
    "an unknown field": (
        HEAD,
        (SPARE.replace("remedy", "remdy"),),
        'unknown field "remdy" in check; did you mean remedy?',
    ),
    "a value that may not be": (HEAD, (SPARE.replace("2}", "2, min: many}"),), "params.spare.min"),
    "what a block can't do without": (HEAD, (SPARE.replace("audit: null", "title: null"),), 'check lacks "title"'),
    "a parameter that there is not": (
        HEAD,
        (SPARE.replace("{spare:", "{spar:"),),
        "17: topic-survives-one-broker has no parameter spar; did you mean spare?",
    ),
    "one block twice": (HEAD, (SPARE, SPARE), "topic-survives-one-broker is amended twice; the first time in line 16"),
    "no change": (
        HEAD,
        ("```yaml {.amend}\nid: every-broker-answers\n```\n",),
        "nothing of every-broker-answers is amended",
    ),
    "no id": (HEAD, ("```yaml {.amend}\nremedy: Ask.\n```\n",), 'amend lacks "id"'),
    "a built-in id": (
        HEAD,
        (OWN.replace("payments-are-there", "every-broker-answers"),),
        "16: ha has every-broker-answers already; give it another id; or, to change the built-in one, write",
    ),
    "an amendment of nothing": (
        HEAD.replace("extends: ha\n", ""),
        (SPARE,),
        "there is nothing to amend; write extends:",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_refused_and_where(tmp_path: Path, case: str) -> None:
    head, blocks, said = WRONG[case]
    assert any(said in one for one in refused(tmp_path, *blocks, head=head)), refused(tmp_path, *blocks, head=head)


def test_it_has_the_name_of_what_it_extends(tmp_path: Path) -> None:
    [said] = refused(tmp_path, OWN, name="payments.md")
    assert "extends ha, and is not called so; call the file ha.md" in said


def test_all_mistakes_come_at_once(tmp_path: Path) -> None:
    wrong = (
        SPARE.replace("topic-survives", "topics-survive"),
        OWN.replace("payments-are-there", "every-broker-answers"),
    )
    assert len(refused(tmp_path, *wrong, name="payments.md")) == 3
