"""How a block binds the inputs of views: what is of another kind, or of the other end of a link, is refused."""

import pytest

from runbook.judge.compiled import compile_check
from runbook.model.errors import Invalid, Problem
from runbook.parse.extending import extended
from runbook.parse.runbook import parse_runbook
from support.small_runbooks import FRONT, check_text, compiled

pytestmark = pytest.mark.usefixtures("fakes")

TOPICS = "src: {probe: kafka_topic, at: source}, dst: {probe: kafka_topic, at: target}"
ENDS = f"facts: {{{TOPICS}, flow: {{probe: mirror_connector, at: target}}}}\n"


def mistakes(views: str, facts: str = ENDS, over: str = "link") -> list[Problem]:
    """What is wrong with a check that has these views."""
    each = facts.split("{", 1)[1].partition(":")[0]
    with pytest.raises(Invalid) as caught:
        compiled(f"over: {over}\n{facts}views: {{{views}}}\nexpect: {{each: {each}, that: 'true'}}")
    return caught.value.problems


def mirrored(of: str) -> str:
    return f"pair: {{view: mirrored_topic, of: {of}}}"


TWO = mirrored("{source: src, target: dst}")


def told(problems: list[Problem]) -> list[tuple[str, str]]:
    return [(problem.message.removesuffix(" in small/any"), problem.remedy) for problem in problems]


def test_the_ends_of_a_link_may_not_be_swapped() -> None:
    assert told(mistakes(mirrored("{source: dst, target: src}"))) == [
        (
            '"dst" is of the target, and the input source of mirrored_topic takes what is of the source',
            "write source: src",
        ),
        (
            '"src" is of the source, and the input target of mirrored_topic takes what is of the target',
            "write target: dst",
        ),
    ]


def test_the_order_in_which_inputs_stand_says_nothing() -> None:
    expect = "expect: {each: pair, that: pair.present}"
    one, other = (
        compiled(f"over: link\n{ENDS}views: {{{mirrored(of)}}}\n{expect}")
        for of in ("{source: src, target: dst}", "{target: dst, source: src}")
    )
    assert one.placed.digest() == other.placed.digest()


def test_a_fact_of_another_kind_is_refused_with_what_would_fit() -> None:
    assert told(mistakes(mirrored("{source: src, target: flow}"))) == [
        (
            '"flow" is of mirror_connector, and the input target of mirrored_topic takes kafka_topic',
            "write target: dst",
        )
    ]
    nothing = mirrored("{source: src, target: flow}")
    [problem] = mistakes(nothing, ENDS.replace("dst: {probe: kafka_topic", "dst: {probe: kafka_acl"))
    assert problem.remedy == "write target: and the name of a fact of kafka_topic of the target of a link"


def test_a_view_over_one_end_is_of_that_end_and_one_over_both_of_none() -> None:
    flow = "flows: {view: mirror_flow, of: {connector: flow}}, "
    both = f"{flow}{mirrored('{source: src, target: dst}')}, "
    for name, said in (("flows", "is of mirror_flow"), ("pair", "is of mirrored_topic")):
        [problem] = mistakes(f"{both}again: {{view: mirrored_topic, of: {{source: src, target: {name}}}}}")
        assert said in problem.message
    overdue = (
        "facts: {src: {probe: kafka_partition_offset, at: source}, dst: {probe: kafka_partition_offset, at: target},"
        " topic: {probe: kafka_topic, at: target}, aged: {probe: kafka_record_of_age, at: source}}\n"
    )
    age = "age: {view: mirror_age, of: {source: src, target: dst, topic: topic}}, "
    late = "late: {view: mirror_overdue, of: {age: age, target: src, aged: aged}}"
    [problem] = mistakes(age + late, overdue)
    assert '"src" is of the source' in problem.message


def test_without_a_link_nothing_is_of_an_end() -> None:
    facts = "facts: {src: {probe: kafka_topic}, dst: {probe: kafka_topic}}\n"
    assert [problem.message.partition(",")[0] for problem in mistakes(TWO, facts, "environment")] == [
        '"src" is of no one end of a link',
        '"dst" is of no one end of a link',
    ]


def test_an_input_that_is_left_out_is_told_with_what_fits_it() -> None:
    assert told(mistakes(mirrored("{source: src}"))) == [('mirrored_topic lacks its input "target"', "add target: dst")]


def test_a_built_in_view_takes_facts_of_ones_own_by_their_columns() -> None:
    facts = "facts: {row: {probe: fake_row}, broker: {probe: kafka_broker}}\n"
    [problem] = mistakes(
        "spread: {view: topic_move, of: {topic: row, moved: row}}", facts.replace("broker:", "other:"), "environment"
    )
    assert problem.message.startswith('"row" lacks the columns topic, and the input moved of topic_move reads them')


def test_inputs_in_a_list_as_older_runbooks_have_them_are_told_where_they_stand_with_the_way_on() -> None:
    body = f"over: link\n{ENDS}views: {{{mirrored('[src, dst]')}}}\nexpect: {{each: pair, that: pair.present}}"
    with pytest.raises(Invalid) as caught:
        parse_runbook(FRONT + check_text(body), "small", "ours/small.md")
    [problem] = caught.value.problems
    lines = (FRONT + check_text(body)).splitlines()
    assert lines[problem.place.line - 1][problem.place.column - 1 :].startswith("[src, dst]")
    assert problem.remedy == "each input of the view has a name: runbook upgrade ours/small.md rewrites the list"


def test_a_block_that_binds_by_name_is_ready() -> None:
    [placed] = parse_runbook(
        FRONT + check_text(f"over: link\n{ENDS}views: {{{TWO}}}\nexpect: {{each: pair, that: pair.present}}"),
        "s",
        "s.md",
    ).checks()
    assert compile_check(placed).subject == "pair"


def test_a_list_in_an_amendment_is_told_in_the_file_that_amends() -> None:
    front = FRONT.replace("version: 1.0.0", "extends: dr\nversion: 1.0.0", 1)
    amendment = "```yaml {.amend}\nid: topics-have-their-mirror\nviews: {pair: {of: [src, dst]}}\n```\n"
    [problem] = extended(parse_runbook(front + amendment, "dr", "ours/dr.md"))[1]
    assert problem.place.file == "ours/dr.md"
    assert problem.remedy.endswith("runbook upgrade ours/dr.md rewrites the list")
