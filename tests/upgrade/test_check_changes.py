"""What an upgrade changes is told by checks, and what it does to parameters, waivers and amendments of one's own."""

import datetime as dt
from pathlib import Path

import pytest
from msgspec import structs

from runbook.model.parameter import Parameter
from runbook.parse.inventory import Inventory, parse_inventory
from runbook.parse.runbook import read_runbook
from runbook.upgrade.accepted import Accepted, AcceptedCheck, AcceptedRunbook
from runbook.upgrade.check_changes import CheckChange, Touched, changes, touched

SPARE = {"spare": Parameter("int", 1, min=0)}
WAS = AcceptedCheck("Topics survive", "high", "aaa", SPARE)


def accepted(**checks: AcceptedCheck) -> Accepted:
    """Of a runbook `ha` with these checks; "_" in their names is "-"."""
    return Accepted(
        "1.0.0", {"ha": AcceptedRunbook("1.0.0", {name.replace("_", "-"): check for name, check in checks.items()})}
    )


def change(now: AcceptedCheck | None, name: str = "survive") -> CheckChange:
    [found] = changes(accepted(survive=WAS), accepted(**({name: now} if now else {})))
    return found


def test_nothing_is_told_where_nothing_changed() -> None:
    assert changes(accepted(survive=WAS), accepted(survive=WAS)) == []
    reworded = structs.replace(WAS, title="Topics outlive a broker")
    assert changes(accepted(survive=WAS), accepted(survive=reworded)) == []


def test_a_check_with_an_old_name_is_renamed_also_where_it_is_judged_otherwise() -> None:
    now = accepted(live=structs.replace(WAS, digest="bbb"), alike=WAS)
    [alike, found] = changes(accepted(survive=WAS), now, {"ha/survive": "ha/live"})
    assert (found.check, found.kind, found.now, found.judged) == ("ha/survive", "renamed", "ha/live", True)
    assert (alike.check, alike.kind) == ("ha/alike", "new")


@pytest.mark.parametrize(
    ("now", "what", "judged"),
    [
        (structs.replace(WAS, severity="low"), "severity high is low now", False),
        (structs.replace(WAS, digest="bbb"), "it is judged otherwise", True),
        (structs.replace(WAS, params={}), "parameter spare is gone", False),
        (
            structs.replace(WAS, params=SPARE | {"most": Parameter("list[string]", ["a"])}),
            "parameter most is new, by default [a]",
            False,
        ),
        (
            structs.replace(WAS, params={"spare": Parameter("int", 2, min=0)}),
            "parameter spare is 2 by default, and was 1",
            False,
        ),
        (structs.replace(WAS, params={"spare": Parameter("int", min=0)}), "is nothing by default, and was 1", False),
        (
            structs.replace(WAS, params={"spare": Parameter("int", 1, min=1)}),
            "parameter spare takes other values",
            False,
        ),
    ],
)
def test_each_difference_of_a_check_is_told(now: AcceptedCheck, what: str, judged: bool) -> None:  # noqa: FBT001 - a table
    found = change(now)
    assert (found.check, found.kind, found.judged) == ("ha/survive", "changed", judged)
    assert found.what[0].endswith(what)
    assert len(found.what) == 1


def test_new_gone_and_renamed_checks_are_told_apart() -> None:
    assert change(None).kind == "gone"
    renamed = change(WAS, "outlive")
    assert (renamed.kind, renamed.check, renamed.now) == ("renamed", "ha/survive", "ha/outlive")
    other = structs.replace(WAS, digest="bbb")
    found = changes(accepted(survive=WAS), accepted(outlive=other))
    assert [(change.kind, change.check) for change in found] == [("new", "ha/outlive"), ("gone", "ha/survive")]


def inventory(environment: str, mirrors: str = "[]") -> Inventory:
    text = f"environments: {{prod: {environment}, other: {{}}}}\nmirrors: {mirrors}\n"
    return parse_inventory(text, "environments.yaml", dt.date(2026, 11, 24))


def own(given: Inventory, was: Accepted, now: Accepted) -> list[Touched]:
    return touched(changes(was, now), now, given, [])


SET = inventory("{params: {ha/survive: {spare: 2}}}")
ALL = inventory("{params: {'ha/*': {spare: 2}}}")
WAIVED = inventory("{waivers: [{check: ha/survive, owner: us, reason: ten letters, expires: '2026-12-01'}]}")
WAIVED_OTHERWISE = inventory("{waivers: [{check: ha/survve, owner: us, reason: ten letters, expires: '2026-12-01'}]}")
LINK = inventory("{}", "[{from: prod, to: other, params: {ha/survive: {spare: 2}}}]")
OTHERWISE = structs.replace(WAS, digest="bbb")
STRICT = structs.replace(WAS, params={"spare": Parameter("int", 3, min=3)})


@pytest.mark.parametrize(
    ("given", "now", "where", "says", "broken"),
    [
        (SET, accepted(), "params of prod", "no such check any more: take it out", True),
        (ALL, accepted(), "params of prod", "no such check any more: take it out", True),
        (inventory("{params: {ha/survive: {}}}"), accepted(), "params of prod", "no such check any more", True),
        (WAIVED, accepted(), "waiver of prod until 2026-12-01", "no such check any more: take it out", True),
        (WAIVED_OTHERWISE, accepted(survive=WAS), "waiver of prod", "no such check: did you mean ha/survive?", True),
        (LINK, accepted(), "params of the mirror prod", "no such check any more", True),
        (SET, accepted(outlive=WAS), "params of prod", "write ha/outlive, as it is called now", True),
        (WAIVED, accepted(outlive=WAS), "waiver of prod", "write ha/outlive, as it is called now", True),
        (SET, accepted(survive=structs.replace(WAS, params={})), "params of prod", "no parameter spare any more", True),
        (ALL, accepted(survive=structs.replace(WAS, params={})), "params of prod", "no parameter spare any more", True),
        (SET, accepted(survive=STRICT), "params of prod", "spare: 2 is below the least allowed value, 3", True),
        (SET, accepted(survive=OTHERWISE), "params of prod", "spare is 2 there, and it is judged otherwise", False),
        (
            SET,
            accepted(survive=structs.replace(WAS, params={"spare": Parameter("int", 2, min=0)})),
            "params of prod",
            "spare is 2 there, and parameter spare is 2 by default, and was 1",
            False,
        ),
        (WAIVED, accepted(survive=OTHERWISE), "waiver of prod", "is what was excused still what fails?", False),
    ],
)
def test_what_is_ones_own_is_told_what_a_change_does_to_it(
    given: Inventory,
    now: Accepted,
    where: str,
    says: str,
    broken: bool,  # noqa: FBT001
) -> None:
    effects = own(given, accepted(survive=WAS), now)
    assert effects[0].where.startswith(where)
    assert says in effects[0].says
    assert effects[0].broken is broken


@pytest.mark.parametrize("given", [SET, ALL, WAIVED, LINK])
def test_what_no_change_touches_is_not_told(given: Inventory) -> None:
    beside = accepted(survive=WAS, beside=structs.replace(WAS, params={}))
    assert own(given, beside, accepted(survive=WAS, beside=structs.replace(OTHERWISE, severity="low", params={}))) == []
    assert own(given, accepted(survive=WAS), accepted(survive=structs.replace(WAS, severity="low"))) == []
    assert own(given, Accepted("1", {}), Accepted("2", {})) == []  # of a runbook that this project does not want


def test_what_is_broken_is_told_without_any_change_too() -> None:
    assert own(SET, accepted(beside=WAS), accepted(beside=WAS))[0].broken


def test_amendments_of_checks_that_changed_are_told(tmp_path: Path) -> None:
    file = tmp_path / "ha.md"
    file.write_text(
        "---\ntitle: Ours\nextends: ha\nversion: 0.1.0\n"
        'changes: [{version: 0.1.0, date: "2026-11-24", note: Ours}]\n---\n'
        "```yaml {.amend}\nid: survive\nseverity: medium\n```\n",
        "utf-8",
    )
    for now, says, broken in (
        (accepted(survive=OTHERWISE), "it is judged otherwise: is the amendment still meant so?", False),
        (accepted(), "there is no such check any more: take it out", True),
        (accepted(outlive=WAS), "write ha/outlive, as it is called now", True),
    ):
        [effect] = touched(changes(accepted(survive=WAS), now), now, None, [read_runbook(file)])
        assert (effect.where, effect.says.endswith(says), effect.broken) == (f"{file}, line 8", True, broken)
    assert touched([], accepted(survive=WAS), None, [read_runbook(file)]) == []
