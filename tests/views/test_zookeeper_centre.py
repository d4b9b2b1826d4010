from typing import Any

from runbook.model.fact import Fact, tabulate
from runbook.views.zookeeper_centre import VIEW, compute
from support.placed_brokers import FOUR, SITES, brokers


def rows(
    racks: list[str | None], groups: list[int | None] | None = None, silent: tuple[int, ...] = ()
) -> dict[str, dict[str, Any]]:
    numbers = list(range(1, len(racks) + 1))
    member = Fact(
        "zookeeper_member",
        {
            "member": [*numbers, *numbers, 50],  # two servers tell the same, and of an observer
            "role": ["participant"] * 2 * len(numbers) + ["observer"],
            "group": [*(groups or [0] * len(numbers)), *(groups or [0] * len(numbers)), 0],
            "weight": [1] * (2 * len(numbers) + 1),
        },
    )
    names = [f"zk-{number}" for number in numbers]
    config = Fact("zookeeper_config", {"server": names, "number": numbers})
    answers = [number not in silent for number in numbers]
    server = Fact("zookeeper_server", {"server": names, "rack": racks, "answers": answers})
    observed = compute(member=member, config=config, server=server, broker=brokers(FOUR), sites=SITES)
    return {row["data_centre"]: row for row in tabulate("zookeeper_centre", VIEW.columns, observed).rows()}


def survives(seen: dict[str, dict[str, Any]]) -> dict[str, bool | None]:
    return {name: row["survives"] for name, row in seen.items()}


def test_of_two_places_one_has_the_majority() -> None:
    seen = rows(["east-1", "west-1", "east-2"])
    assert survives(seen) == {"east": False, "west": True}
    assert {(row["layout"], row["voters"], row["needed"]) for row in seen.values()} == {("2", 3, 2)}


def test_a_server_in_a_third_place_makes_two_and_a_half() -> None:
    seen = rows(["east-1", "west-1", "north-1"])
    assert survives(seen) == {"east": True, "west": True, "north-1": True}
    assert seen["north-1"]["layout"] == "2.5"


def test_two_groups_outlive_neither_of_two_places_and_three_any_of_three() -> None:
    two = rows(["east-1"] * 3 + ["west-1"] * 3, [1, 1, 1, 2, 2, 2])
    assert survives(two) == {"east": False, "west": False}
    assert (two["east"]["hierarchical"], two["east"]["groups"], two["east"]["split_groups"]) == (True, [1], [])
    three = rows(["east-1"] * 3 + ["west-1"] * 3 + ["north-1"] * 3, [1, 1, 1, 2, 2, 2, 3, 3, 3])
    assert set(survives(three).values()) == {True}


def test_a_group_over_two_places_is_split() -> None:
    seen = rows(["east-1", "west-1", "east-1", "west-1"], [1, 1, 2, 2])
    assert seen["east"]["split_groups"] == [1, 2]


def test_a_server_that_nobody_placed_splits_no_group_and_clears_none() -> None:
    assert rows(["east-1", "west-1", None], [1, 2, 2])["west"]["split_groups"] is None
    assert rows(["east-1", "west-1", None], [1, 2, 3])["east"]["split_groups"] is None  # nobody knows where 3 is
    assert rows(["east-1", "west-1", None], [1, 1, 1])["east"]["split_groups"] == [1]


def test_groups_that_nobody_told_are_unknown_and_not_none() -> None:
    east = rows(["east-1", "west-1", "east-2"], [None, None, None])["east"]
    assert (east["hierarchical"], east["groups"], east["split_groups"]) == (None, None, None)


def test_a_silent_server_is_lost_already() -> None:
    assert survives(rows(["east-1", "west-1", "north-1"], silent=(3,))) == {
        "east": False,
        "west": False,
        "north-1": True,
    }


def test_a_server_that_nobody_placed_leaves_open_what_hangs_on_it() -> None:
    seen = rows(["east-1", "west-1", None])
    assert (seen["east"]["survives"], seen["east"]["left"], seen["east"]["unplaced"]) == (None, None, ["3"])
    assert rows(["east-1", "east-1", None])["east"]["survives"] is False


def test_groups_that_are_not_told_leave_everything_open() -> None:
    seen = rows(["east-1", "west-1", "north-1"], [None] * 3)
    assert set(survives(seen).values()) == {None}
    assert seen["east"]["hierarchical"] is None


def test_nobody_who_tells_is_a_gap() -> None:
    none: dict[str, list[Any]] = {"member": [], "role": [], "group": [], "weight": []}
    empty = Fact("zookeeper_config", {"server": [], "number": []})
    server = Fact("zookeeper_server", {"server": [], "rack": [], "answers": []})
    observed = compute(member=Fact("zookeeper_member", none), config=empty, server=server, broker=brokers(FOUR))
    assert [gap.reason for gap in observed.gaps] == ["no server reported who has a vote"]
