"""How long loading took, in reports for people."""

from typing import Any

import pytest

from runbook.reports import ReportOptions, markdown
from runbook.reports.console import report
from support.small_runbooks import empty_run


@pytest.mark.parametrize(
    ("loading_ms", "said"), [(700, "1.7 s of 10 s"), (12_300, "1.7 s of 10 s; loading took 12.3 s")]
)
@pytest.mark.parametrize("write", [report, markdown.report])
def test_how_long_was_asked_is_told_and_how_long_loading_took_where_one_wonders(
    write: Any, loading_ms: int, said: str
) -> None:
    run = empty_run("prod", took_ms=1_700 + loading_ms, loading_ms=loading_ms)
    assert [line for line in write(run, ReportOptions()).splitlines() if line.rstrip(".").endswith(said)]
