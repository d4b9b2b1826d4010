"""How far partitions reach, and their newest records."""

from collections.abc import Iterable, Mapping

from runbook.answers.kafka import Partition, ReadLimits, TopicPartition
from runbook.answers.kafka.offsets import EARLIEST, LATEST, NEWEST, READ_UNCOMMITTED
from runbook.connections.kafka.newest import newest_at_last
from runbook.connections.kafka.offset_requests import tells_newest
from runbook.connections.kafka.offsets import Places, offsets_at
from runbook.connections.kafka.reader.topics import Topics
from runbook.connections.kafka.records import Records, newest, spans
from runbook.model.fact import distinct


class Offsets(Topics):
    """Places in partitions, and records within bounds."""

    def offsets(self, names: Iterable[str], time: int) -> Places:
        """Return a place in each partition of these topics, as their leaders tell it, and what is not told.

        Args:
            names: topics that can be seen.
            time: ms since 1970, or one of the constants of `answers.kafka.offsets`.
        """
        chosen = sorted(names)

        def ask() -> Places:
            partitions = {
                TopicPartition(name, partition.number): partition
                for name in chosen
                for partition in self.topics()[name]
            }

            def at(times: Mapping[TopicPartition, int]) -> Places:
                return self.places(partitions, times)

            found = at(dict.fromkeys(partitions, time))
            return newest_at_last(found, lambda: self._filled(chosen), at, self.clock) if time == NEWEST else found

        return self._memory.once(f"offsets {time} {chosen}", ask)

    def places(
        self,
        partitions: Mapping[TopicPartition, Partition],
        times: Mapping[TopicPartition, int],
        isolation: int = READ_UNCOMMITTED,
    ) -> Places:
        """Ask for a place in each of some partitions, now: unlike `offsets`, this is asked each time; see `offsets_at`.

        Of NEWEST nothing is told before Kafka 3.0, and that is no gap: no broker has it.

        Args:
            partitions: those that there are, with their leaders.
            times: partition → ms since 1970, or one of the constants of `answers.kafka.offsets`.
            isolation: READ_COMMITTED makes LATEST the last stable offset.
        """
        if NEWEST in times.values() and not self.tells_newest():
            times = {partition: time for partition, time in times.items() if time != NEWEST}
        return offsets_at(self._python_or_raise(), self._pool, self._by_id(), partitions, times, isolation)

    def tells_newest(self) -> bool:
        """Whether the brokers' release tells the youngest record of a partition, as Kafka does from 3.0 on."""
        return tells_newest(self._python_or_raise())

    def _filled(self, names: list[str]) -> set[TopicPartition]:
        begins, ends = self.offsets(names, EARLIEST)[0], self.offsets(names, LATEST)[0]
        return {
            partition
            for partition, end in ends.items()
            if partition in begins and begins[partition].offset < end.offset
        }

    def records(self, names: Iterable[str], bounds: ReadLimits) -> Records:
        """Return records of topics that can be seen, as far as may_read and bounds allow, and what was not read."""
        asked = sorted(names)

        def ask() -> Records:
            chosen, refused = self.allowance.divide(asked)
            begins, ends = self.offsets(chosen, EARLIEST), self.offsets(chosen, LATEST)
            found_spans = spans({name: self.topics()[name] for name in chosen}, begins[0], ends[0])
            found, lacking = newest(self._python_or_raise(), self._pool, found_spans, self._by_id(), bounds)
            return found, distinct([*refused, *begins[1], *ends[1], *lacking])

        return self._memory.once(f"records {bounds} {asked}", ask)
