"""A bundle is judged by newer runbooks, whose checks may take other parameters or be gone."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from runbook.evidence.bundle import Bundle, save_bundle
from runbook.parse.inventory import Environment
from runbook.run.check_run import Options, start
from support.small_runbooks import FAKES, FRONT, check_text, fact, stored

pytestmark = pytest.mark.usefixtures("fakes")

CHECK = check_text(
    """
    params: {most: {type: int, default: 10, min: 1, max: 20}}
    facts: {row: {probe: fake_row}}
    expect: {each: row, that: row.size <= params.most}
    """,
    "small",
)


def judged(folder: Path, params: dict[str, dict[str, Any]], size: int = 15) -> Any:
    """The run of one check over a bundle whose inventory set these parameters."""
    file, book = folder / "bundle.json", folder / "small.md"
    book.write_text(FRONT + CHECK, "utf-8")
    bundle: Bundle = stored({("prod", "fake_row"): fact("fake_row", [{"name": "a", "size": size}])})
    environments = {"prod": Environment(params=params)}
    save_bundle(file, structs.replace(bundle, environments=environments, connections={"prod": {"fake": []}}))
    started = start(Options(runbooks=[str(book)], bundle=file, user_checks=[FAKES]))
    for _ in started.events():
        pass
    return started.run


def outcome(run: Any) -> str:
    return str(run.results[0].outcome)


def test_a_parameter_that_a_check_still_takes_is_in_force(tmp_path: Path) -> None:
    run = judged(tmp_path, {"small/small": {"most": 20}})
    assert (outcome(run), run.heads[0].notes) == ("pass", [])


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"small/gone": {"most": 20}}, "most of small/gone"),
        ({"small/small": {"least": 1}}, "least of small/small"),
        ({"small/small": {"most": 99}}, "most of small/small"),
        ({"small/*": {"least": 1}}, "least of small/*"),
    ],
)
def test_one_that_is_not_taken_any_more_is_left_out_and_said(
    tmp_path: Path, params: dict[str, dict[str, Any]], said: str
) -> None:
    run = judged(tmp_path, params)
    assert outcome(run) == "fail"  # by the default
    assert run.heads[0].notes == [f"the bundle sets {said}, which this version of the runbook does not take"]


def test_those_of_other_runbooks_are_nobody_s_concern(tmp_path: Path) -> None:
    assert judged(tmp_path, {"ha/gone": {"most": 20}}).heads[0].notes == []
