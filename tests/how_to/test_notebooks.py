"""Every notebook runs from top to bottom: alone, without a network, with the same outputs each time."""

import json
import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from support.documented import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
WITHOUT_NETWORK = """
import socket
def refuse(*_, **__):
    raise OSError("a notebook asks no network")
socket.getaddrinfo = socket.create_connection = socket.socket.connect = refuse
"""


def run(file: Path, data: Path) -> list[Any]:
    """Execute a notebook, each cell within 120 s; give its outputs."""
    notebook = nbformat.read(file, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(WITHOUT_NETWORK))
    os.environ["RUNBOOK_SITE_DATA"] = str(data)
    try:
        NotebookClient(
            notebook, timeout=800, startup_timeout=800, resources={"metadata": {"path": str(file.parent)}}
        ).execute()
    finally:
        del os.environ["RUNBOOK_SITE_DATA"]
    outputs = [cell.outputs for cell in notebook.cells[1:] if cell.cell_type == "code"]
    return [{"text": output.get("text"), "data": output.get("data")} for cell in outputs for output in cell]


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_notebook_runs_without_network_and_always_says_the_same(file: Path, tmp_path: Path) -> None:
    first = run(file, tmp_path)
    assert first
    assert run(file, tmp_path) == first
    assert str(Path.home()) not in json.dumps(first)


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_outputs_are_made_by_the_build_and_not_kept(file: Path) -> None:
    cells = nbformat.read(file, as_version=4).cells
    assert not [cell for cell in cells if cell.get("outputs") or cell.get("execution_count")]


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_what_is_drawn_is_told_in_words(file: Path) -> None:
    cells = nbformat.read(file, as_version=4).cells
    for cell in cells:
        if "Figure(" in cell.source:
            assert "Drawing(figure, " in cell.source.splitlines()[-1]
