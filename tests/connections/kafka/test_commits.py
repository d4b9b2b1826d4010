from types import SimpleNamespace
from typing import Any

from runbook.answers.kafka import TopicPartition
from runbook.connections.kafka.offset_requests import GroupCommits, fetch_commits
from runbook.model.errors import CannotLook
from runbook.model.quantity import PartitionNumber


class Coordinator:
    """Tells the same of every group: a commit, a partition without one, and one that is not told.

    One that is old is asked for one group at a time, by a version of the request that has no list of them.
    """

    def __init__(self, *, old: bool = False) -> None:
        self.asked: list[int] = []
        self._old = old

    def knows(self, _: Any, version: int) -> bool:
        """Whether this version of the request is known."""
        return version <= (7 if self._old else 10)

    def ask(self, node: int, label: str, request: Any) -> Any:
        """Answer."""
        del node, label
        self.asked.append(1 if self._old else len(request.groups))
        partitions = [
            SimpleNamespace(partition_index=number, committed_offset=offset, error_code=error)
            for number, offset, error in ((0, 7, 0), (1, -1, 0), (2, -1, 29))
        ]
        topics = [SimpleNamespace(name="orders", partitions=partitions)]
        if self._old:
            assert (request.groups, request.topics, request.group_id[0]) == ([], None, "g")
            return SimpleNamespace(error_code=30 if request.group_id == "g1" else 0, topics=topics)
        return SimpleNamespace(
            groups=[SimpleNamespace(group_id=group.group_id, error_code=0, topics=topics) for group in request.groups]
        )


def commits_of_groups(count: int) -> tuple[Coordinator, dict[str, GroupCommits | CannotLook]]:
    coordinator: Any = Coordinator()
    return coordinator, fetch_commits(coordinator, 1, "broker 1", [f"g{number}" for number in range(count)], {})


def test_many_groups_are_asked_for_some_at_a_time():
    coordinator, found = commits_of_groups(250)
    assert coordinator.asked == [100, 100, 50]
    assert len(found) == 250


def test_an_old_coordinator_is_asked_for_one_group_at_a_time():
    coordinator: Any = Coordinator(old=True)
    found = fetch_commits(coordinator, 1, "broker 1", ["g0", "g1"], {})
    assert coordinator.asked == [1, 1]
    first = found["g0"]
    assert isinstance(first, GroupCommits)
    assert first.offsets == {TopicPartition("orders", PartitionNumber(0)): 7}
    assert "group g1 does not let us look: it needs Describe on the group" in str(found["g1"])


def test_what_a_group_has_committed_what_it_has_not_and_what_is_not_told_are_three_things():
    _, found = commits_of_groups(1)
    commits = found["g0"]
    assert isinstance(commits, GroupCommits)
    assert commits.offsets == {TopicPartition("orders", PartitionNumber(0)): 7}
    assert ["group g0 on orders-2" in str(why) for why in commits.refused] == [True]


def test_groups_share_what_is_equal():
    _, found = commits_of_groups(200)
    topic_partitions = [
        topic_partition
        for commits in found.values()
        if isinstance(commits, GroupCommits)
        for topic_partition in commits.offsets
    ]
    assert (len(topic_partitions), len({*map(id, topic_partitions)})) == (200, 1)
