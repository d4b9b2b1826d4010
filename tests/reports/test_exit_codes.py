import re
from pathlib import Path

from runbook.model.exit_code import ExitCode

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "exit-codes.md"


def test_every_exit_code_is_documented_and_no_other() -> None:
    rows = re.findall(r"^\| `(\d+)` \| ([A-Z]+)", PAGE.read_text(encoding="utf-8"), re.MULTILINE)

    assert rows == [(str(code.value), code.name) for code in ExitCode]
