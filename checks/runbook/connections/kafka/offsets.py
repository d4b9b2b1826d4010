"""Offsets of many partitions and groups: each leader and coordinator is asked once, all at the same time."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import TypeVar

from msgspec import Struct

from runbook.answers.kafka import AnyGroup, Broker, ConsumerGroup, Partition, TopicPartition
from runbook.answers.kafka.offsets import READ_UNCOMMITTED, OffsetAndTimestamp
from runbook.connections.kafka.offset_requests import GroupCommits, fetch_commits, list_offsets
from runbook.connections.kafka.python_client import KafkaPythonClient
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap
from runbook.model.quantity import Offset

T = TypeVar("T")
A = TypeVar("A")
Places = tuple[dict[TopicPartition, OffsetAndTimestamp], list[Gap]]


class Commits(Struct, frozen=True):
    """What groups have committed.

    Attributes:
        offsets: group → partition → the offset to be read next.
        lags: share group → each of its partitions → its lag; see `GroupCommits`.
        gaps: one for each group or partition that is not told.
    """

    offsets: dict[str, dict[TopicPartition, Offset]]
    lags: dict[str, dict[TopicPartition, int | None]]
    gaps: list[Gap]


def offsets_at(
    client: KafkaPythonClient,
    pool: Executor,
    brokers: Mapping[int, Broker],
    partitions: Mapping[TopicPartition, Partition],
    times: Mapping[TopicPartition, int],
    isolation: int = READ_UNCOMMITTED,
) -> Places:
    """Ask the leaders of partitions for a place in each; see `list_offsets`.

    Args:
        client: who asks.
        pool: its threads.
        brokers: by number.
        partitions: all that are asked about, with their leaders, or more.
        times: partition → which place.
        isolation: READ_COMMITTED or READ_UNCOMMITTED.

    Returns:
        What was told, and a gap for each leader that does not tell and each partition without a leader.
    """

    def ask(
        node: int, label: str, partitions: Sequence[TopicPartition]
    ) -> Mapping[TopicPartition, OffsetAndTimestamp | CannotLook]:
        return list_offsets(client, node, label, {partition: times[partition] for partition in partitions}, isolation)

    return of_each_leader(pool, brokers, {place: partitions[place] for place in times}, ask, "offsets")


def of_each_leader(
    pool: Executor,
    brokers: Mapping[int, Broker],
    partitions: Mapping[TopicPartition, Partition],
    ask: Callable[[int, str, Sequence[TopicPartition]], Mapping[TopicPartition, A | CannotLook]],
    what: str,
) -> tuple[dict[TopicPartition, A], list[Gap]]:
    """Ask the leaders of partitions about their own, all at the same time.

    Args:
        pool: its threads.
        brokers: by number.
        partitions: all that are asked about, with their leaders.
        ask: gets a leader's number and label, and its partitions.
        what: is asked for, as sentences call it.

    Returns:
        What was told, and a gap for each leader that does not tell and each partition without a leader.
    """
    led: dict[int, list[TopicPartition]] = {}
    gaps = []
    for topic_partition, partition in partitions.items():
        if partition.leader < 0:
            gaps.append(
                Gap(
                    f"{topic_partition.topic}-{topic_partition.partition} has no leader",
                    {"topic": topic_partition.topic},
                )
            )
        else:
            led.setdefault(partition.leader, []).append(topic_partition)
    found: dict[TopicPartition, A] = {}
    for node, topic_partitions, answer in _each(pool, led, brokers, ask):
        if isinstance(answer, CannotLook):
            said = f"{what} of {len(topic_partitions)} partitions are not known: {answer}"
            gaps.append(Gap.of(answer, {"broker": node}, said))
            continue
        for topic_partition in topic_partitions:
            told = answer.get(topic_partition)
            if told is None:
                told = CannotLook(f"{topic_partition[0]}-{topic_partition[1]} was left out of the answer")
            if isinstance(told, CannotLook):
                gaps.append(Gap.of(told, {"topic": topic_partition[0]}))
            else:
                found[topic_partition] = told
    return found, gaps


def commits_of(
    client: KafkaPythonClient, pool: Executor, groups: Iterable[ConsumerGroup | AnyGroup], brokers: Mapping[int, Broker]
) -> Commits:
    """Ask the coordinator of each group what the group has committed; partitions without a commit are left out."""
    led: dict[bool, dict[int, list[str]]] = {False: {}, True: {}}
    commits = Commits({}, {}, [])
    for group in groups:
        if group.coordinator < 0:
            commits.gaps.append(Gap(f"the coordinator of group {group.name} is not known", {"group": group.name}))
        else:
            led[group.type == "share"].setdefault(group.coordinator, []).append(group.name)
    same: dict[TopicPartition, TopicPartition] = {}
    asked = _each(pool, led[False], brokers, lambda node, label, names: fetch_commits(client, node, label, names, same))
    _note(commits, asked)
    if led[True]:
        from runbook.connections.kafka.share_offsets import fetch_share_offsets

        _note(commits, _each(pool, led[True], brokers, partial(fetch_share_offsets, client)))
    return commits


def _note(
    commits: Commits, asked: Iterable[tuple[int, Sequence[str], Mapping[str, GroupCommits | CannotLook] | CannotLook]]
) -> None:
    """Add what coordinators told of their groups, or why they did not."""
    gaps = commits.gaps
    for node, names, answer in asked:
        if isinstance(answer, CannotLook):
            of = f"group {names[0]}" if len(names) == 1 else f"{len(names)} groups"
            gaps.append(Gap.of(answer, {"broker": node}, f"commits of {of} are not known: {answer}"))
            continue
        for name in names:
            told = answer.get(name) or CannotLook(f"group {name} was left out of the answer")
            if isinstance(told, CannotLook):
                gaps.append(Gap.of(told, {"group": name}))
                continue
            gaps += [Gap.of(reason, {"group": name}) for reason in told.refused]
            commits.offsets[name] = told.offsets
            if told.lags:
                commits.lags[name] = told.lags


def _each(
    pool: Executor,
    led: Mapping[int, Sequence[T]],
    brokers: Mapping[int, Broker],
    ask: Callable[[int, str, Sequence[T]], Mapping[T, A]],
) -> list[tuple[int, Sequence[T], Mapping[T, A] | CannotLook]]:
    """Ask each broker about its own, at the same time; one that does not answer costs its answer only."""

    def one(node: int) -> Mapping[T, A] | CannotLook:
        try:
            return ask(node, brokers[node].label if node in brokers else f"broker {node}", led[node])
        except CannotLook as error:
            return error

    return [(node, led[node], answer) for node, answer in zip(led, pool.map(one, led), strict=True)]
