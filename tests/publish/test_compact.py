"""Pages lose space that means nothing, and no other."""

from pathlib import Path

import pytest

from runbook.publish.compact import compact, drop_unused


def test_blank_lines_and_indents_go() -> None:
    assert compact("<ul>\n\n\n      <li>\n  one </li>\n\n</ul>\n") == "<ul>\n<li>\none </li>\n</ul>\n"


@pytest.mark.parametrize("tag", ["pre", "script", "style", "textarea", "PRE"])
def test_space_that_means_something_stays(tag: str) -> None:
    kept = f"<{tag} class='x'>\n\n  def f():\n\n      pass\n</{tag}>"
    assert compact(f"<p>\n\n</p>{kept}<p>\n\n</p>{kept}") == f"<p>\n</p>{kept}<p>\n</p>{kept}"


def test_words_are_never_joined() -> None:
    assert compact("one\n\n\n two").split() == ["one", "two"]


def test_maps_and_stemmers_are_dropped_and_nothing_else(tmp_path: Path) -> None:
    for name in ("assets/javascripts/a.js", "assets/javascripts/a.js.map", "assets/javascripts/lunr/x.js", "own.map"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    drop_unused(tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*.*")) == ["a.js", "own.map"]
