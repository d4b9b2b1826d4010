from types import SimpleNamespace
from typing import Any

from runbook.connections.kafka.answers import TopicPartition
from runbook.connections.kafka.offset_requests import GroupCommits, fetch_commits
from runbook.model.errors import CannotLook
from runbook.model.quantity import PartitionNumber


class Coordinator:
    """Tells the same of every group: a commit, a partition without one, and one that is not told."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def ask(self, node: int, label: str, request: Any) -> Any:
        """Answer."""
        del node, label
        self.asked.append(len(request.groups))
        partitions = [
            SimpleNamespace(partition_index=number, committed_offset=offset, error_code=error)
            for number, offset, error in ((0, 7, 0), (1, -1, 0), (2, -1, 29))
        ]
        topics = [SimpleNamespace(name="orders", partitions=partitions)]
        return SimpleNamespace(
            groups=[SimpleNamespace(group_id=one.group_id, error_code=0, topics=topics) for one in request.groups]
        )


def told(count: int) -> tuple[Coordinator, dict[str, GroupCommits | CannotLook]]:
    coordinator: Any = Coordinator()
    return coordinator, fetch_commits(coordinator, 1, "broker 1", [f"g{number}" for number in range(count)], {})


def test_many_groups_are_asked_for_some_at_a_time():
    coordinator, found = told(250)
    assert coordinator.asked == [100, 100, 50]
    assert len(found) == 250


def test_what_a_group_has_committed_what_it_has_not_and_what_is_not_told_are_three_things():
    _, found = told(1)
    one = found["g0"]
    assert isinstance(one, GroupCommits)
    assert one.offsets == {TopicPartition("orders", PartitionNumber(0)): 7}
    assert ["group g0 on orders-2" in str(why) for why in one.refused] == [True]


def test_groups_share_what_is_equal():
    _, found = told(200)
    spots = [spot for one in found.values() if isinstance(one, GroupCommits) for spot in one.offsets]
    assert (len(spots), len({*map(id, spots)})) == (200, 1)
