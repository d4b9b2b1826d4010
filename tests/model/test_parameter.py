from typing import Any

import pytest

from runbook.model.parameter import Parameter, with_defaults


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        ("int", [0, 5], [1.5, "1", True, None, [1]]),
        ("float", [1, 0.5], ["1", True]),
        ("string", [""], [1, None]),
        ("bool", [True], [1, "true"]),
        ("list[string]", [[], ["a"]], ["a", [1]]),
    ],
)
def test_values_must_be_of_the_declared_type(kind: Any, right: list[Any], wrong: list[Any]) -> None:
    parameter = Parameter(type=kind)
    assert [parameter.fault(value) for value in right] == ["" for _ in right]
    assert all(parameter.fault(value) == f"{value!r} is not of type {kind}" for value in wrong)


def test_bounds_are_inclusive_and_named() -> None:
    parameter = Parameter(type="int", min=1, max=3)
    assert [bool(parameter.fault(value)) for value in range(5)] == [True, False, False, False, True]
    assert parameter.fault(0) == "0 is below the least allowed value, 1"
    assert parameter.fault(4) == "4 is above the greatest allowed value, 3"


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("string", "a b", "a b"),
        ("int", "8193", 8193),
        ("float", "0.5", 0.5),
        ("bool", "true", True),
        ("list[string]", "a, b", ["a", "b"]),
    ],
)
def test_a_text_is_read_as_its_type(kind: Any, text: str, value: Any) -> None:
    assert Parameter(kind).read(text) == value


@pytest.mark.parametrize(("kind", "text"), [("int", "many"), ("float", "much"), ("bool", "maybe"), ("int", "7")])
def test_what_is_no_value_is_refused(kind: Any, text: str) -> None:
    with pytest.raises(ValueError, match=r"maybe|invalid literal|could not convert|below"):
        Parameter(kind, min=8 if kind == "int" else None).read(text)


def test_only_what_has_no_default_is_required() -> None:
    assert Parameter("string", "").is_required
    assert not Parameter("string", "x").is_required
    assert not Parameter("bool", default=False).is_required
    assert not Parameter("list[string]", []).is_required


def test_code_gets_each_default_where_nothing_else_is_said() -> None:
    declared = {"suffix": Parameter(type="string", default=".org"), "least": Parameter(type="int")}
    assert with_defaults(declared, {}) == {"suffix": ".org"}
    assert with_defaults(declared, {"suffix": ".com", "least": 2}) == {"suffix": ".com", "least": 2}
