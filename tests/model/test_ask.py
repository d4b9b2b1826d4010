import pytest

from runbook.model.ask import FactQuestion, ask, in_force, seconds
from runbook.model.block import FactRequest
from runbook.model.link import Mirror


@pytest.mark.parametrize(("text", "value"), [("500ms", 0.5), ("10s", 10), ("5m", 300), ("24h", 86400), ("7d", 604800)])
def test_durations_are_read(text: str, value: float) -> None:
    assert seconds(text) == value


@pytest.mark.parametrize("text", ["", "s", "5", "5md", "-5s", "infs", "nans", "1e3s", "5 s", "5S", "5s\n"])
def test_what_is_no_duration_says_how_to_write_one(text: str) -> None:
    with pytest.raises(ValueError, match="is no duration: write 500ms, 10s"):
        seconds(text)


def test_equal_questions_are_one_however_they_are_written() -> None:
    one = ask("prod", "kafka", FactRequest("p", {"a": 1, "b": [2]}), {})
    other = ask("prod", "kafka", FactRequest("p", {"b": [2], "a": 1}), {})
    assert len({one, other}) == 1


@pytest.mark.parametrize(
    "other",
    [
        ask("test", "kafka", FactRequest("p"), {}),
        ask("prod", "kafka", FactRequest("p", {"a": 1}), {}),
        ask("prod", "kafka", FactRequest("p", window="1h"), {}),
        ask("prod", "kafka", FactRequest("p", looks="1s"), {}),
    ],
)
def test_different_questions_are_different(other: FactQuestion) -> None:
    assert other != ask("prod", "kafka", FactRequest("p"), {})


def test_a_parameter_of_the_check_stands_for_its_value() -> None:
    assert in_force({"a": "params.x", "b": "x", "c": 1}, {"params.x": 5}) == {"a": 5, "b": "x", "c": 1}


def test_the_probe_is_told_how_far_to_look_back() -> None:
    asked = ask("prod", "kafka", FactRequest("p", {"a": "params.x"}, window="24h"), {"params.x": 5})
    assert asked.parameters() == {"a": 5, "window": "24h"}


def test_a_question_is_called_by_its_probe_and_what_it_is_given() -> None:
    assert str(FactQuestion("prod", "kafka", "p")) == "p"
    assert str(FactQuestion("prod", "kafka", "p", '{"a": 1}')) == 'p {"a": 1}'


def test_a_question_may_name_whom_it_is_put_to_and_the_ends_of_the_link() -> None:
    request = FactRequest("p", {"a": "env.name", "b": "link.source", "c": "link.target", "d": ["env.name"]})
    asked = ask("us", "kafka", request, Mirror("eu", "us").constants())
    assert asked.parameters() == {"a": "us", "b": "eu", "c": "us", "d": ["env.name"]}
