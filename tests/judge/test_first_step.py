import pytest

from runbook.judge.first_step import Wording, first_step, procedures_named, said, whole, with_code


@pytest.mark.parametrize(
    ("remedy", "first"),
    [
        ("", ""),
        ("Start *broker* `2`.\nThen wait.\n\nOr not.", "Start broker 2. Then wait."),
        ("1. Start it\n2. Wait", "Start it"),
        ("See [the list](https://example.org) first", "See the list first"),
        ("```sh\nkafka-topics.sh \\\n  --list\n```", "kafka-topics.sh --list"),
        (
            "Set it, then\nwait:\n\n```sh\n# at night\nset --this \\\n  --so\nthen that\n```",
            "Set it, then wait: set --this --so then that",
        ),
        ("1. Set it:\n\n       set --this\n2. Wait:\n\n       wait --for it", "Set it: set --this"),
        ("Set it:\n\nAs it was.\n\n    set --this\n\nEffort: minutes.", "Set it: As it was. set --this"),
        ("Set it.\n\n    set --this\n\nThen wait:\n\n    wait", "Set it. set --this Then wait: wait"),
        ("Set it:\n\n```sh\n# nothing yet\n```", "Set it:"),
        ("Keep <b>calm</b>", "Keep <b>calm</b>"),
    ],
)
def test_the_first_step_of_a_remedy_is_its_first_paragraph_without_markup_and_the_commands_that_follow(
    remedy: str, first: str
) -> None:
    assert said(first_step(remedy)) == first


def test_code_is_told_from_the_words_of_a_first_step() -> None:
    assert first_step("Set `a=b`, by\n`set --this`:\n\n```sh\nset \\\n  --so\nset --then\n```") == [
        Wording("Set "),
        Wording("a=b", "code"),
        Wording(", by"),
        Wording(" "),
        Wording("set --this", "code"),
        Wording(":"),
        Wording("set --so", "block"),
        Wording("set --then", "block"),
    ]
    assert first_step("    set --this") == [Wording("set --this", "block")]


def test_a_whole_remedy_has_its_paragraphs_and_items_with_their_code_as_it_stands() -> None:
    raised = "Raise it.\n\n```sh\n# at night\nset 'a  b' \\\n  --so\n```\n\n"
    remedy = f"{raised}Risk: `disks`.\n\n1. Wait\n2. See:\n\n       all:\n         it"
    assert whole(remedy) == [
        [Wording("Raise it."), Wording("# at night", "block"), Wording("set 'a  b' --so", "block")],
        [Wording("Risk: "), Wording("disks", "code"), Wording(".")],
        [Wording("1. "), Wording("Wait")],
        [Wording("2. "), Wording("See:"), Wording("all:", "block"), Wording("  it", "block")],
    ]
    assert whole("```sh\nset\n```\n<b>now</b>") == [
        [Wording("set", "block")],
        [Wording("<b>"), Wording("now"), Wording("</b>")],
    ]
    assert whole("<div>\n    now\n</div>") == [[Wording("<div>\n    now\n</div>")]]
    assert whole("") == []


def test_of_a_text_that_facts_have_filled_in_only_code_is_read() -> None:
    assert said(with_code("Ask *them* of __a__, then `set --a *`.")) == "Ask *them* of __a__, then set --a *."
    text = "Set it:\n```sh\nset \\\n  --so\n# as root\nset --then\n```\nThen ``a`b``, not `this"
    assert with_code(text) == [
        Wording("Set it:\n"),
        Wording("set --so", "block"),
        Wording("# as root", "block"),
        Wording("set --then", "block"),
        Wording("\nThen "),
        Wording("a`b", "code"),
        Wording(", not `this"),
    ]
    assert said(with_code(text)) == "Set it: set --so # as root set --then Then a`b, not `this"
    assert said(with_code("")) == ""


@pytest.mark.parametrize(
    ("remedy", "named"),
    [
        ("Start it.", []),
        ("Start it (procedure `bring-it-back`), or procedure `dr#fail-over`.", ["ha#bring-it-back", "dr#fail-over"]),
        ("Procedure `bring-it-back`; twice, procedure `bring-it-back`.", ["ha#bring-it-back"]),
        ("Go by the procedure\n`bring-it-back`.", ["ha#bring-it-back"]),
        ("Set `a-b`; no procedure is `a-b`, and procedure a-b is no code.", []),
        ("The procedure `runbook check ha` is a command.", []),
    ],
)
def test_a_procedure_is_named_by_code_behind_its_word(remedy: str, named: list[str]) -> None:
    assert procedures_named(first_step(remedy), "ha") == named
