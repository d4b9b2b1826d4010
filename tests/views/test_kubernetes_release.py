import pytest

from runbook.model.fact import Fact, tabulate
from runbook.views.kubernetes_release import VIEW, compute


@pytest.mark.parametrize(
    ("major", "minor", "expected"),
    [
        (1, 35, ("1.35", "2027-02-28T00:00:00.000Z", True, "")),
        (1, 20, ("1.20", "2026-06-28T00:00:00.000Z", True, "")),
        (
            1,
            36,
            (
                "1.36",
                "2027-02-28T00:00:00.000Z",
                None,
                "1.36 is newer than what this version of the runbook knows the end of",
            ),
        ),
        (
            2,
            0,
            (
                "2.0",
                "2027-02-28T00:00:00.000Z",
                None,
                "2.0 is newer than what this version of the runbook knows the end of",
            ),
        ),
    ],
)
def test_the_end_of_a_release(major: int, minor: int, expected: tuple[object, ...]):
    cluster = Fact("kubernetes_cluster", {"server": ["https://api"], "major": [major], "minor": [minor]})
    [row] = tabulate("x", VIEW.columns, compute(cluster=cluster)).rows()
    assert (row["release"], row["maintained_until"], row["ends_then"], row["gap"]) == expected
