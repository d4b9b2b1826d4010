from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from runbook.model.fact import tabulate
from runbook.views.data_centre_spread import VIEW, compute
from support.placed_brokers import FOUR, SITES, brokers, partition


def spread(replicas: Any, racks: dict[int, str | None] | None = None, **state: Any) -> dict[str, Any]:
    observed = compute(
        partition=partition(replicas, **state), broker=brokers(FOUR if racks is None else racks), sites=SITES
    )
    return next(tabulate("data_centre_spread", VIEW.columns, observed).rows())


def test_four_copies_over_two_places_of_which_three_are_needed_cross() -> None:
    row = spread([1, 2, 3, 4])
    assert row["data_centres"] == ["east", "west"]
    assert (row["most"], row["fewest"], row["crosses"]) == (2, 2, True)


def test_two_of_three_may_be_two_of_one_place() -> None:
    row = spread([1, 2, 3], needs=2)
    assert (row["most"], row["fewest"], row["crosses"]) == (2, 1, False)


def test_a_place_without_a_copy_has_none() -> None:
    row = spread([1, 3], needs=2)
    assert (row["data_centres"], row["fewest"]) == (["east"], 0)


def test_in_sync_is_counted_apart() -> None:
    row = spread([1, 2, 3, 4], isr=[1, 3])
    assert (row["data_centres"], row["in_sync_data_centres"]) == (["east", "west"], ["east"])


def test_nobody_in_sync_is_nowhere() -> None:
    assert spread([1, 2], isr=[])["in_sync_data_centres"] == []


def test_what_is_not_known_is_none() -> None:
    assert spread(None)["data_centres"] is None
    assert spread([1, 2], needs=None)["crosses"] is None
    row = spread([1, 2], racks={1: "east-1", 2: None, 3: "east-2"})
    assert (row["data_centres"], row["most"], row["crosses"]) == (None, None, None)
    assert spread([1, 3], racks={1: "east-1", 2: None, 3: "east-2"})["fewest"] is None
    assert spread([1, 9])["data_centres"] is None


@given(
    st.lists(st.sampled_from("abc"), min_size=1, max_size=6),
    st.integers(1, 6),
)
def test_crossing_means_that_no_place_alone_can_acknowledge(places: list[str], needs: int) -> None:
    racks: dict[int, str | None] = dict(enumerate(places))
    observed = compute(partition=partition([*racks], needs=needs), broker=brokers(racks))
    row = next(tabulate("data_centre_spread", VIEW.columns, observed).rows())
    assert row["crosses"] is all(places.count(place) < needs for place in places)
