import time

import pytest

from runbook.formats.mirror_maker.given import GivenSettings, as_written, listed, number, switch, text


def test_a_list_is_parted_at_commas_with_the_space_around_them():
    given = as_written({"topics": " orders.* ,\tpayments ", "groups": ""})
    assert listed(given, "topics") == ("orders.*", "payments")
    assert listed(given, "groups", (".*",)) == ()
    assert listed(given, "others", (".*",)) == (".*",)


def test_only_true_and_false_are_switches():
    values = ["true", " FALSE ", "yes", ""]
    meant = [switch(as_written({"enabled": value}), "enabled", default=True) for value in values]
    assert meant == [True, False, None, None]


@pytest.mark.parametrize(("value", "meant"), [("3", 3), (" -1 ", -1), ("3.0", None), ("", None), ("many", None)])
def test_only_whole_numbers_are_numbers(value: str, meant: int | None):
    assert number(as_written({"tasks.max": value}), "tasks.max", 1) == meant


def test_what_stands_elsewhere_is_not_known_by_any_type():
    given = as_written({"a": None})
    assert [text(given, "a"), number(given, "a", 1), switch(given, "a", default=True), listed(given, "a")] == [None] * 4
    assert [text(given, "b", "x"), number(given, "b", 1), switch(given, "b", default=True)] == ["x", 1, True]


def test_a_line_of_blanks_takes_no_time():
    begin = time.process_time()
    assert listed({"topics": GivenSettings("a" + " " * 200_000 + "b", "topics")}, "topics") == (
        "a" + " " * 200_000 + "b",
    )
    assert time.process_time() - begin < 1
