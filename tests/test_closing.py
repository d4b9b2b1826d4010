"""The end of a run says what was proved how, and where the time went, wherever the tests ran."""

import pytest

from support.beside import name_of
from support.closing import summary


def report(name: str, when: str, seconds: float, **noted: str) -> pytest.TestReport:
    return pytest.TestReport(
        name, ("", None, ""), {}, "passed", None, when, user_properties=[*noted.items()], duration=seconds
    )  # type: ignore[arg-type]


def test_tests_are_counted_by_what_they_prove_and_added_up_by_group():
    lines = summary(
        [
            report("a.py::one@lab", "setup", 60.0, group="lab", kind="live"),
            report("a.py::one@lab", "call", 2.0, group="lab", kind="live"),
            report("a.py::two@lab", "call", 1.0, group="lab", kind="live"),
            report("b.py::judged[x@y]", "call", 5.0, group="b.py", kind="kept"),
            report("b.py::skipped", "setup", 0.5, group="b.py"),
        ]
    )
    assert lines[0].startswith("2 tests live, 1 on kept evidence")
    assert lines[0].endswith(", 3 in all")
    assert [line.split() for line in lines if " s  " in line] == [
        ["62.0", "s", "a.py::one"],
        ["5.0", "s", "b.py::judged[x@y]"],
        ["1.0", "s", "a.py::two"],
        ["0.5", "s", "b.py::skipped"],
        ["63.0", "s", "lab"],
        ["5.5", "s", "b.py"],
    ]


def test_steps_that_were_left_out_are_told_once():
    reports = [
        report("a.py::one", when, 1.0, **{"left out": "ha#roll step 2: after step 2"}) for when in ("call", "teardown")
    ]
    assert summary(reports)[-2:] == [
        "steps of procedures that were left out, and what noticed it:",
        "  ha#roll step 2: after step 2",
    ]
    assert "left out" not in "".join(summary([report("a.py::one", "teardown", 1.0)]))


def test_a_group_is_told_from_a_value_with_the_same_sign():
    assert [name_of(name) for name in ("a::b@lab", "a::b[x@y]", "a::b[x@y]@lab", "a::b")] == [
        "a::b", "a::b[x@y]", "a::b[x@y]", "a::b",
    ]  # fmt: skip
