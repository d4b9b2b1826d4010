import pytest

from runbook.rules.quorum import Standing, majority


@pytest.mark.parametrize(("voters", "needed"), [(1, 1), (2, 2), (3, 2), (4, 3), (5, 3)])
def test_a_majority_is_more_than_half_of_all(voters: int, needed: int) -> None:
    assert majority(voters) == needed


def test_what_hangs_on_who_is_unsure_is_not_known() -> None:
    standing = Standing({1: 0, 2: 0, 3: None}, alive=frozenset({1, 2}), unsure=frozenset({3}))
    assert standing.without([], []) == (None, True)
    assert standing.without([1], []) == (None, None)
    assert standing.without([3], []) == (2, True)
    assert standing.without([1, 2], []) == (None, False)
    assert standing.without([3], [2]) == (None, None)
