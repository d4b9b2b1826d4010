"""The groups, of consumers and of every kind, and what each has committed."""

from collections.abc import Iterable

from runbook.answers.kafka import AnyGroup, ConsumerGroup
from runbook.connections.kafka import any_group, cluster_requests
from runbook.connections.kafka.groups import describe_groups, hidden_groups, list_groups_of_all, lost_coordinators
from runbook.connections.kafka.offsets import Commits, commits_of
from runbook.connections.kafka.reader.topics import Topics
from runbook.model.fact import Gap


class Groups(Topics):
    """Groups, their members and their commits."""

    def groups(self) -> tuple[list[ConsumerGroup], list[Gap]]:
        """Return the consumer groups, described, and what keeps the list from being proved complete."""
        return self._memory.once("groups", self._groups)

    def _groups(self) -> tuple[list[ConsumerGroup], list[Gap]]:
        python = self._python_or_none()
        if python is None:
            listed, gaps = list_groups_of_all(self._confluent)
        else:
            answers, silent = self.of_each_broker(lambda broker: cluster_requests.list_groups(python, broker))
            listed = [group for groups in answers.values() for group in groups]
            gaps = lost_coordinators(self.topics(), silent, complete=not self.topics_gaps())
        if not self.cluster().describes_all:
            gaps += hidden_groups(self._confluent)
        return describe_groups(self._confluent, listed), gaps

    def every_group(self) -> tuple[list[AnyGroup], list[Gap]]:
        """Return the groups of every kind in order of names, and what keeps the list from being proved complete."""
        return self._memory.once("groups of every kind", self._every_group)

    def _every_group(self) -> tuple[list[AnyGroup], list[Gap]]:
        from runbook.connections.kafka import other_groups

        python = self._python_or_raise()
        sizes = {topic: len(partitions) for topic, partitions in self.topics().items()}
        answers, silent = self.of_each_broker(
            lambda broker: other_groups.described(python, broker, any_group.list_groups(python, broker), sizes)
        )
        gaps = lost_coordinators(self.topics(), silent, complete=not self.topics_gaps())
        gaps += any_group.of_unknown_types(group for listed in answers.values() for group in listed)
        if not self.cluster().describes_all:
            gaps += hidden_groups(self._confluent)
        return any_group.described(self._confluent, [group for listed in answers.values() for group in listed]), gaps

    def readers(self) -> tuple[list[AnyGroup], list[Gap]]:
        """Return the groups of every kind that read topics, as `every_group` does: no Connect workers, for example."""
        groups, gaps = self.every_group()
        return [group for group in groups if group.type != "classic" or group.protocol in ("consumer", "")], gaps

    def commits(self) -> Commits:
        """Return what each group that reads topics has committed, by partition, and what is not known of that."""

        def ask() -> Commits:
            groups, gaps = self.readers()
            found = self.commits_now(groups)
            return Commits(found.offsets, found.lags, [*gaps, *found.gaps])

        return self._memory.once("commits", ask)

    def commits_now(self, groups: Iterable[ConsumerGroup | AnyGroup]) -> Commits:
        """Ask what these groups have committed, now: unlike `commits`, this is asked each time; see `commits_of`."""
        return commits_of(self._python_or_raise(), self._pool, groups, self._by_id())
