"""In which format something is written, and whereto, is asked for in one word."""

import json
from pathlib import Path
from typing import Any

import pytest

HEALTHY = str(Path(__file__).parents[1] / "cases" / "ha" / "healthy.json")


def test_a_format_may_be_asked_for_as_of_kubectl(command: Any, here: Path) -> None:
    done = command("check", "ha#brokers-agree", "--from", HEALTHY, "-o", "json")
    assert (done.code, done.err) == (0, "")
    assert [result["check"] for result in json.loads(done.out)["results"]] == ["ha/brokers-agree"]
    assert list(here.iterdir()) == []
    assert json.loads(command("list", "ha", "-o", "json").out)[0]["kind"]


def test_o_still_names_a_file(command: Any, here: Path) -> None:
    done = command("check", "ha#brokers-agree", "--from", HEALTHY, "-f", "json", "-o", "report.json")
    assert (done.code, done.out) == (0, "")
    assert json.loads((here / "report.json").read_text("utf-8"))["exit_code"] == 0


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("out.json", "{"),
        ("out.MD", "#"),
        ("out.markdown", "#"),
        ("out.xml", "<?xml"),
        ("out.sarif", "{"),
        ("out.txt", "High availability"),
        ("out.log", "High availability"),
        ("out", "High availability"),
    ],
)
def test_the_ending_of_a_file_says_the_format(command: Any, here: Path, name: str, begins: str) -> None:
    assert command("check", "ha#brokers-agree", "--from", HEALTHY, "-o", name).code == 0
    assert (here / name).read_text("utf-8").startswith(begins)
    assert command("check", "ha#brokers-agree", "--from", HEALTHY, "-f", "console", "-o", name).code == 0
    assert (here / name).read_text("utf-8").startswith("High availability")


def test_an_ending_that_no_report_has_is_told_before_anything_is_asked(command: Any, here: Path) -> None:
    done = command("check", "ha#brokers-agree", "--from", HEALTHY, "-o", "out.html")
    assert (done.code, list(here.iterdir())) == (2, [])
    assert "-o out.html: no report is html; known: console, github, json, junit, lines, markdown, sarif." in done.err
    assert command("check", "ha#brokers-agree", "--from", HEALTHY, "-f", "console", "-o", "out.html").code == 0


def test_two_formats_are_refused_before_anything_is_asked(command: Any, here: Path) -> None:
    done = command("check", "ha", "--from", HEALTHY, "-f", "junit", "-o", "json")
    assert done.code == 2
    assert "--format junit and -o json: which?" in done.err
    assert "-o report.json" in done.err
    assert list(here.iterdir()) == []


def test_what_is_piped_is_as_wide_as_columns_says(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    widths = {}
    for columns in ("140", "", "no number", "0"):
        monkeypatch.setenv("COLUMNS", columns)
        out = command("check", "ha", "--full", "--from", HEALTHY).out
        widths[columns] = max(map(len, out.splitlines()))
    assert 100 < widths["140"] <= 140
    assert 70 < widths[""] <= 80
    assert widths[""] == widths["no number"] == widths["0"]


def test_a_format_of_other_tools_is_no_file(command: Any, here: Path) -> None:
    done = command("check", "ha#brokers-agree", "--from", HEALTHY, "-o", "yaml")
    assert done.code == 2
    known = "console, github, json, junit, lines, markdown, sarif"
    assert f"-o yaml: no such format; known: {known}. Into a file: -o report.txt" in done.err
    assert command("check", "ha#brokers-agree", "--from", HEALTHY, "-o", "jsn").err.startswith(
        "-o jsn: did you mean -o json? Into a file: -o jsn.txt"
    )
    assert command("check", "ha#brokers-agree", "--from", HEALTHY, "-o", "md").err.startswith(
        "-o md: did you mean -o markdown? Into a file: -o md.txt"
    )
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("folder", [".", "..", "/", "kept", "kept/", ""])
def test_a_folder_in_place_of_a_file_is_told_as_one(command: Any, here: Path, folder: str) -> None:
    (here / "kept").mkdir()
    given = ["check", "ha#brokers-agree", "--from", HEALTHY]
    written = command(*given, "--out", folder)
    assert (
        f"the report could not be written to {folder.rstrip('/') or '/' if folder else '.'}: Is a directory"
        in written.err
    )
    assert "1 pass" in written.out  # what was found out is not lost
    assert "Is a directory" in command(*given, "--save", folder).err
    for done in (written, command("incident", "--env", "prod", "--out", folder)):
        assert done.code != 5
        assert "internal error" not in done.err
