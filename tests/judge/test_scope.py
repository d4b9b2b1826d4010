from pathlib import Path

import pytest

from runbook.model.errors import Invalid
from runbook.plugins.catalog import add_user_checks
from support.small_runbooks import FRONT, ROWS, check_text, compiled

pytestmark = pytest.mark.usefixtures("fakes")
EXPECT = "\nexpect: {each: row, that: row.ok}"
BOTH = "facts: {row: {probe: fake_row}, node: {probe: fake_node}, log: {probe: fake_log}}\n"


def message(body: str, **fields: str) -> str:
    with pytest.raises(Invalid) as caught:
        compiled(body, **fields)
    return str(caught.value)


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ("{row: {probe: fake_rwo}}", 'no probe "fake_rwo" in small/any\n    did you mean fake_row?'),
        ("{row: {probe: fake_row, with: {txt: a}}}", 'unknown parameter "txt" in small/any\n    did you mean text?'),
        ("{row: {probe: fake_row, with: {least: 10}}}", "10 is above the greatest allowed value, 9"),
        ("{row: {probe: fake_row, with: {least: a}}}", "'a' is not of type int"),
        ("{row: {probe: fake_row, with: {least: params.x}}}", 'unknown parameter "params.x"'),
        (
            "{row: {probe: fake_row, with: {text: link.topics}}}",
            '"link.topics" and over: environment do not go together',
        ),
        ("{row: {probe: fake_row, window: 1h}}", "fake_row has no memory to look back in"),
        ("{row: {probe: fake_row}, now: {probe: fake_node}}", '"now" is a name of the engine\'s own'),
        ("{row: {probe: fake_row}, before: {probe: fake_node}}", '"before" is a name of the engine\'s own'),
        ("{row: {probe: fake_row, at: source}}", '"row" and over: environment do not go together'),
    ],
)
def test_what_a_fact_asks_for_must_be_there(facts: str, said: str) -> None:
    assert said in message(f"facts: {facts}{EXPECT}")


@pytest.mark.parametrize("code", ["PROBES = 1", "import nowhere_at_all"])
def test_a_probe_that_can_not_be_used_is_said_with_what_its_file_lacks(code: str, tmp_path: Path) -> None:
    (tmp_path / "probes").mkdir()
    (tmp_path / "probes" / "fake_half.py").write_text(code, "utf-8")
    add_user_checks(tmp_path)
    said = message("facts: {row: {probe: fake_half}}" + EXPECT)
    assert 'probe "fake_half" can\'t be used: ' in said
    assert "its file must define PROBE" in said


def test_a_fact_may_be_asked_for_the_environment_that_is_asked() -> None:
    facts = "facts: {row: {probe: fake_row, with: {text: env.name}}}" + EXPECT
    assert compiled(facts).check.facts["row"].with_ == {"text": "env.name"}
    assert "env.name is of type string, least of type int" in message(facts.replace("text", "least"))


def test_a_parameter_of_the_check_must_be_of_the_type_the_probe_wants() -> None:
    body = "facts: {row: {probe: fake_row, with: {least: params.x}}}\nparams: {x: {type: string, default: a}}" + EXPECT
    assert "params.x is of type string, least of type int" in message(body)


@pytest.mark.parametrize(
    ("views", "said"),
    [
        ("{twice: {view: fake_dobule, of: {row: row}}}", 'no view "fake_dobule"'),
        ("{twice: {view: fake_double, of: {row: row, rows: row}}}", 'fake_double has no input "rows"'),
        ("{twice: {view: fake_double, of: {rows: row}}}", 'fake_double lacks its input "row"'),
        ("{twice: {view: fake_double, of: {row: rows}}}", 'no fact "rows" in small/any\n    did you mean row?'),
        ("{twice: {view: fake_double, of: {row: node}}}", '"node" is of fake_node, and the input row'),
        ("{twice: {view: fake_double, of: {row: row}, with: {times: 0}}}", "0 is below the least"),
        ("{row: {view: fake_double, of: {row: row}}}", '"row" is a fact and a view'),
        ("{env: {view: fake_double, of: {row: row}}}", '"env" is a name of the engine\'s own'),
    ],
)
def test_what_a_view_computes_from_must_be_there(views: str, said: str) -> None:
    assert said in message(f"{BOTH}views: {views}{EXPECT}")


def test_a_view_may_be_made_of_a_view_that_stands_before_it() -> None:
    views = "{twice: {view: fake_double, of: {row: row}}, four: {view: fake_double, of: {row: twice}}}"
    assert '"twice" is of fake_double, and the input row' in message(f"{BOTH}views: {views}{EXPECT}")
    views = "{four: {view: fake_double, of: {row: twice}}, twice: {view: fake_double, of: {row: row}}}"
    assert 'no fact "twice"' in message(f"{BOTH}views: {views}{EXPECT}")


@pytest.mark.parametrize(
    ("join", "said"),
    [
        ("{nodes: broker}", 'no fact "nodes"'),
        ("{node: rack}", 'can\'t join on "rack"'),
        ("{node: {brokr: broker}}", 'no column "brokr"'),
        ("{node: {broker: brokr}}", 'no column "brokr"'),
        ("{node: {name: broker}}", "name (string) can't be joined with broker (int)"),
        ("{node: {numbers: broker}}", "numbers (list[int]) can't be joined with broker (int)"),
        ("{log: broker}", 'several rows of "log" may match: it is also keyed by path'),
        ("{log: {broker: broker}}", "also keyed by path"),
    ],
)
def test_a_join_must_find_at_most_one_row(join: str, said: str) -> None:
    assert said in message(f"{BOTH}expect: {{each: row, join: {join}, that: row.ok}}")


def test_a_join_on_an_entity_finds_the_columns_that_name_it() -> None:
    body = BOTH + "expect: {each: log, join: {node: broker}, that: log.size < node.limit}"
    assert compiled(body).joins == {"node": {"broker": "broker"}}


def test_a_key_of_both_joins_itself() -> None:
    body = BOTH + "expect: {each: log, join: {again: {broker: broker}}, that: log.size < again.size}"
    body = body.replace("{row:", "{again: {probe: fake_log}, row:")
    assert compiled(body).joins == {"again": {"broker": "broker", "path": "path"}}


def test_over_a_fleet_broker_1_of_one_environment_is_not_broker_1_of_another() -> None:
    body = BOTH + "expect: {each: log, join: {node: broker}, that: log.size < node.limit}"
    assert compiled(body, over="fleet").joins == {"node": {"broker": "broker", "environment": "environment"}}


def test_over_a_fleet_rows_say_whose_they_are() -> None:
    body = ROWS + "expect: {each: row, that: 'row.environment != \"\"'}"
    assert compiled(body, over="fleet").columns[0].name == "environment"
    assert "row.environment" in message(body)


def test_facts_of_a_link_say_at_which_end() -> None:
    body = "facts: {row: {probe: fake_row, at: source}}" + EXPECT
    assert compiled(body, over="link").check.over == "link"
    assert "do not go together" in message(ROWS + EXPECT.strip(), over="link")


def mistakes(body: str) -> list[tuple[str, str, str]]:
    """Of each mistake in a check: the text that stands at its place, the message, and the remedy."""
    lines = (FRONT + check_text(body)).splitlines()
    with pytest.raises(Invalid) as caught:
        compiled(body)
    return [
        (lines[problem.place.line - 1][problem.place.column - 1 :], problem.message, problem.remedy)
        for problem in caught.value.problems
    ]


def in_view(of: str) -> str:
    return f"{BOTH}views:\n  twice: {{view: fake_double, of: {of}}}{EXPECT}"


def in_join(join: str) -> str:
    return f"{BOTH}expect: {{each: row, that: row.ok, join: {join}}}"


KNOWN = "known: log, node, row"


@pytest.mark.parametrize(
    ("body", "at", "said", "remedy"),
    [
        (in_view("{row: row, rows: node}"), "node}}", 'fake_double has no input "rows"', "did you mean row?"),
        (in_view("{row: rows}"), "rows}}", 'no fact "rows"', f"did you mean row? {KNOWN}"),
        (in_view("{row: node}"), "node}}", '"node" is of fake_node', "write row: row"),
        (in_join("{nodes: broker}"), "broker}}", 'no fact "nodes"', f"did you mean node? {KNOWN}"),
        (
            in_join("{node: rack}"),
            "rack}}",
            'can\'t join on "rack": no column with no key',
            "say which: {node: {column of the row: column of node}}",
        ),
        (in_join("{log: log_dir}"), "log_dir}}", "no column with ['path']", "say which: {log: {"),
        (in_join("{node: {brokr: broker}}"), "broker}}}", 'no column "brokr"', "did you mean broker? known: at,"),
        (in_join("{node: {broker: brokr}}"), "brokr}}}", 'no column "brokr"', "did you mean broker? known: broker,"),
        (
            in_join("{node: {name: broker}}"),
            "broker}}}",
            "name (string) can't be joined with broker (int)",
            "join columns of the same scalar type",
        ),
    ],
)
def test_a_mistake_is_told_where_it_stands_and_with_what_to_write(body: str, at: str, said: str, remedy: str) -> None:
    [(place, message, hint)] = mistakes(body)
    assert place == at
    assert said in message
    assert message.endswith(" in small/any")
    assert hint.startswith(remedy)


def test_each_mistake_of_several_is_told() -> None:
    assert [mistake[0] for mistake in mistakes(in_join("{nodes: broker, nod: rack}"))] == [
        "broker, nod: rack}}",
        "rack}}",
    ]
    views = "views: {loss: {view: broker_loss, of: {partition: rows, broker: nodes}}}"
    assert [mistake[1] for mistake in mistakes(f"{BOTH}{views}{EXPECT}")] == [
        'no fact "rows" in small/any',
        'no fact "nodes" in small/any',
    ]
    joined = mistakes(in_join("{node: {brokr: broker, name: broker}}"))
    assert [mistake[1].partition(" in ")[0] for mistake in joined] == [
        'no column "brokr"',
        "name (string) can't be joined with broker (int)",
    ]


def test_lists_of_the_same_type_are_no_keys_to_join_by() -> None:
    [(_, message, _)] = mistakes("facts: {row: {probe: fake_row}, other: {probe: fake_row}}\n" + LISTS)
    assert "tags (list[string]) can't be joined with tags (list[string])" in message


LISTS = "expect: {each: row, join: {other: {tags: tags, name: name}}, that: row.ok}"


@pytest.mark.parametrize(
    ("that", "at", "line", "column"),
    [
        ("that: rwo.ok", "rwo.ok", "rwo.ok", 0),
        ("that: row.ok && rwo.ok", "rwo.ok", "row.ok && rwo.ok", 10),
        ("that: |\n    row.ok &&\n      rwo.ok &&\n    row.ok", "rwo.ok &&", "  rwo.ok &&", 2),
    ],
)
def test_a_mistake_in_an_expression_is_pointed_at(that: str, at: str, line: str, column: int) -> None:
    [(place, message, remedy)] = mistakes(f"{ROWS}expect:\n  each: row\n  {that}\n")
    assert place == at
    assert message == 'unknown name "rwo.ok" in the expect.that of small/any'
    shown, pointer = remedy.split("\n")
    assert shown == line
    assert pointer.startswith(f"{' ' * column}^ did you mean row.ok? ")
