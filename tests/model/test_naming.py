"""What may have been meant is told by few names, and by the command that lists all."""

import pytest

from runbook.model.naming import MOST, meant

FEW = ["dev", "staging"]
MANY = [f"check-{number}" for number in range(MOST)] + ["rolling-restart"]


def test_few_names_are_all_told() -> None:
    assert meant("stagin", FEW, "x") == "did you mean staging? known: dev, staging"
    assert meant("zzz", FEW, "x") == "known: dev, staging"


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("rolling-restrt", "did you mean rolling-restart? runbook list ha names all 21"),
        ("Roll", "did you mean rolling-restart? runbook list ha names all 21"),
        ("k-1", "did you mean check-1 or check-10 or check-11? runbook list ha names all 21"),
        ("zzz", "runbook list ha names all 21"),
        ("", "runbook list ha names all 21"),
    ],
)
def test_many_names_are_not(word: str, told: str) -> None:
    assert meant(word, MANY, "runbook list ha") == told
