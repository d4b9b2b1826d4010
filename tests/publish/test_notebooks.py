"""Outputs in notebooks are what their code prints, today."""

import contextlib
import io
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_the_outputs_shown_are_those_of_the_code(file: Path) -> None:
    scope: dict[str, object] = {}
    cells = [cell for cell in nbformat.read(file, as_version=4).cells if cell.cell_type == "code"]
    assert cells
    for cell in cells:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(cell.source, file.name, "exec"), scope)
        assert printed.getvalue() == "".join(output["text"] for output in cell.outputs)
