import pytest

from runbook.judge.first_step import Wording, first_step, said, with_code


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
            "Set it, then wait: set --this --so",
        ),
        ("1. Set it:\n\n       set --this\n2. Wait", "Set it: set --this"),
        ("Set it:\n\nAs it was.\n\n    set --this", "Set it:"),
        ("Set it.\n\n    set --this", "Set it."),
        ("Set it:\n\n```sh\n# nothing yet\n```", "Set it:"),
        ("Keep <b>calm</b>", "Keep <b>calm</b>"),
    ],
)
def test_the_first_step_of_a_remedy_is_its_first_paragraph_without_markup_and_the_command_it_leads_to(
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
    ]
    assert first_step("    set --this") == [Wording("set --this", "block")]


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
