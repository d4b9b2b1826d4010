"""What may have been meant is told by few names, and by the command that lists all."""

import pytest

from runbook.model.errors import MOST, did_you_mean

FEW = ["dev", "staging"]
MANY = [f"every-broker-has-number-{number}" for number in range(MOST)] + ["rolling-restart"]
ALL = "runbook list ha names all 21"


def test_few_names_are_all_told() -> None:
    assert did_you_mean("stagin", FEW, "x") == "did you mean staging? known: dev, staging"
    assert did_you_mean("zzz", FEW, "x") == "known: dev, staging"


def test_of_few_names_what_begins_or_holds_a_word_is_meant() -> None:
    assert did_you_mean("pay", ["ha", "payments"]) == "did you mean payments? known: ha, payments"
    assert did_you_mean("ment", ["ha", "payments"]) == "did you mean payments? known: ha, payments"


@pytest.mark.parametrize("word", ["prod-ue", "prod"])
def test_names_as_near_as_each_other_are_all_told_the_likely_one_first(word: str) -> None:
    names = ["dev", "prod-us", "prod-eu"]
    assert did_you_mean(word, names).startswith("did you mean prod-eu or prod-us? known: ")
    assert did_you_mean(word, names, likely="prod-us").startswith("did you mean prod-us or prod-eu? known: ")
    assert did_you_mean("prod-uss", names, likely="prod-eu").startswith("did you mean prod-us? known: ")


@pytest.mark.parametrize("word", ["hb", "hi", "xa"])
def test_of_two_letters_one_may_be_wrong(word: str) -> None:
    assert did_you_mean(word, ["gc", "ha", "topics"]) == "did you mean ha? known: gc, ha, topics"
    assert did_you_mean("xy", ["gc", "ha"]) == "known: gc, ha"


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("rolling-restrt", f"did you mean rolling-restart? {ALL}"),
        ("Roll", f"did you mean rolling-restart? {ALL}"),
        (
            "numb",
            f"did you mean {' or '.join(f'every-broker-has-number-{number}' for number in (0, 1, 10))}? {ALL}",
        ),
        ("every", f"did you mean {' or '.join(f'every-broker-has-number-{number}' for number in (0, 1, 10))}? {ALL}"),
        ("-1", ALL),
        ("zzz", ALL),
        ("", ALL),
    ],
)
def test_many_names_are_not(word: str, expected: str) -> None:
    assert did_you_mean(word, MANY, "runbook list ha") == expected


def test_many_names_that_no_command_lists_are_told_where_none_is_near() -> None:
    assert did_you_mean("rolling-restrt", MANY) == "did you mean rolling-restart?"
    assert did_you_mean("zzz", MANY) == "known: " + ", ".join(sorted(MANY))


def test_what_begins_so_is_meant_before_what_is_only_spelt_alike() -> None:
    names = ["topic-is-large", "topics-are-small", *MANY, "a-topic"]
    assert did_you_mean("topic", names).startswith("did you mean topic-is-large or topics-are-small?")


def test_nothing_is_told_where_nothing_may_stand() -> None:
    assert did_you_mean("zzz", []) == "nothing may stand here"


def test_capitals_make_no_other_name() -> None:
    assert did_you_mean("HA", ["ha", "gc"]) == "did you mean ha? known: gc, ha"
    assert did_you_mean("STAGING", MANY) == did_you_mean("staging", MANY)
    assert did_you_mean("Topic.Name", ["topic.name", "Topic.name"]).startswith("did you mean Topic.name or topic.name?")
