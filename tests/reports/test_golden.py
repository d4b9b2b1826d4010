"""Each format says of each case what its golden file holds; the file's name holds the exit code.

After a wanted change: `RUNBOOK_UPDATE_GOLDEN=1 pytest tests/reports/test_golden.py`, then read the difference.
"""

import os
from pathlib import Path
from typing import Any

import pytest

from runbook.model.exit_code import exit_code
from runbook.plugins.catalog import catalog

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("format_name", catalog("reports").names())
def test_a_report_says_what_its_golden_file_holds(case: Any, format_name: str, request: pytest.FixtureRequest) -> None:
    name = request.node.callspec.id.removesuffix(f"-{format_name}").removeprefix(f"{format_name}-")
    code = exit_code(case.run, case.options.fail_on).value
    file = GOLDEN / f"{name}.{code}.{format_name}.txt"
    written = catalog("reports").load(format_name).report(case.run, case.options)
    if os.environ.get("RUNBOOK_UPDATE_GOLDEN"):
        for old in GOLDEN.glob(f"{name}.*.{format_name}.txt"):
            old.unlink()
        file.write_text(written, encoding="utf-8", newline="")
    assert file.exists(), f"{file.name} is missing: set RUNBOOK_UPDATE_GOLDEN=1 and read what it writes"
    assert written == file.read_bytes().decode()
