import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runbook.formats.metrics.exposition import read
from runbook.model.errors import Garbled

PAGE = """\
# HELP up Whether it is up.
# TYPE up gauge
up 1
\tspaced { a = "1" , } 2.5 1700000000000

nothing NaN
most{a="x\\\\y\\"z\\n",b="{},="} +Inf
small 1.5e-7
"""


def test_names_labels_and_values_are_read():
    wanted = {"up", "spaced", "most", "small", "nothing"}
    found = {sample.name: sample for sample in read(PAGE, wanted)}
    assert found.keys() == wanted
    assert found["up"].value == 1
    assert (found["spaced"].labels, found["spaced"].value) == ({"a": "1"}, 2.5)
    assert found["most"].labels == {"a": 'x\\y"z\n', "b": "{},="}
    assert found["most"].value == float("inf")
    assert found["small"].value == 1.5e-7
    assert found["nothing"].value != found["nothing"].value


def test_only_what_is_wanted_is_given():
    assert [sample.name for sample in read(PAGE, {"small"})] == ["small"]


@pytest.mark.parametrize(
    "line",
    ["up", "up one", "up 1_000", 'up{a="1} 1', "up{a=1} 1", "1up 1", "<html>", "up 1 now", "up{} 1 2 3", "\0\0\0"],
)
def test_a_line_of_another_format_refuses_the_whole_page(line: str):
    with pytest.raises(Garbled, match="line 2 is not of Prometheus' text format"):
        list(read(f"other 1\n{line}\n", {"other"}))


def test_a_page_that_ends_in_mid_line_is_refused():
    with pytest.raises(Garbled, match="middle of a line"):
        list(read("up 1\nup{a=", {"up"}))


def test_an_empty_page_is_refused():
    with pytest.raises(Garbled, match="answered with nothing"):
        list(read("", {"up"}))


@given(st.text())
def test_any_text_is_read_or_refused(text: str):
    try:
        for sample in read(text, {"up"}):
            assert sample.name == "up"
    except Garbled:
        pass


@given(st.dictionaries(st.from_regex("[a-z_]+", fullmatch=True), st.text()))
def test_labels_come_back_as_they_were(labels: dict[str, str]):
    def escaped(value: str) -> str:
        return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")

    inside = ",".join(f'{name}="{escaped(value)}"' for name, value in labels.items())
    [sample] = read(f"up{{{inside}}} 1\n", {"up"})
    assert sample.labels == labels


@pytest.mark.parametrize("line", ["up" + " " * 50_000, 'up{a="1"' + " " * 50_000, "up 1" + "\t" * 50_000 + "x y"])
def test_a_line_of_blanks_takes_no_time(line: str):
    begin = time.process_time()
    with pytest.raises(Garbled, match="line 1 is not of"):
        list(read(f"{line}\n", {"up"}))
    assert time.process_time() - begin < 1
