"""Who does each step again: as the tool died after it, or as a broker was killed in the middle of it."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread

from kafka_lab import LabState, zookeeper
from kafka_lab.admin import metadata, preferred_leaders
from kafka_lab.errors import LabError
from kafka_lab.processes import condition, terminate
from kafka_lab.recovery import has_majority, revive
from kafka_lab.state import LabBroker
from kafka_lab.zookeeper_words import NOT_SERVING, mode
from runbook.procedure.walk_record import Record
from support.careful_walker import Hand, Walked, does_nothing
from support.until import until

_INTO_THE_STEP = 2.0  # seconds: one of Kafka's tools has begun to ask by then
_BACK_WITHIN = 240.0  # seconds, as labs wait for a broker that was lost
_IN_SYNC_WITHIN = 60.0  # seconds
_FEW = 5  # looks at a closed gate, until it is mended by its remedy
_LEADERS = "ha/leaders-are-the-preferred-ones"


class _Whole:
    """Who leaves no step out.

    Attributes:
        refused: steps whose commands refused the second time, with their last words.
        steps: those left out, which are none.
        noticed: no step was left out.
        unnoticed: the same.
    """

    way = ""

    def __init__(self) -> None:
        """Nothing was walked yet."""
        self.refused: dict[int, str] = {}
        self.steps: Sequence[int] = ()
        self.noticed: dict[int, str] = {}
        self.unnoticed: list[int] = []

    def lines(self, procedure: str) -> list[str]:
        """What the end of a run tells of it."""
        return [f"{procedure} step {step}, done again: refused: {by}" for step, by in self.refused.items()]

    def _again(self, number: int, hand: Hand, commands: Sequence[str]) -> None:
        """Do a step a second time; it may refuse to do again what it has done."""
        try:
            hand(commands)
        except AssertionError as error:
            self.refused[number] = _words(error)


class Repeating(_Whole):
    """Who does each step twice, as the tool dies after it and does not know that it was done.

    A command may refuse to do again what it has done; then nothing was done twice, and the person goes on.

    Attributes:
        shut: gates that a step has shut behind itself.
    """

    way = "each step twice, the tool killed in between"

    def __init__(self) -> None:
        """Nothing was walked yet."""
        super().__init__()
        self.shut: list[str] = []

    def lines(self, procedure: str) -> list[str]:
        """What the end of a run tells of it."""
        shut = f"{procedure}, each step twice: shut behind a step: {', '.join(self.shut) or 'no gate'}"
        return [shut, *super().lines(procedure)]

    def walks(self, walked: Walked, hands: Sequence[Hand]) -> Record:
        """Walk to the end; gives the record."""

        def twice(number: int, hand: Hand) -> Hand:
            def acts(commands: Sequence[str]) -> None:
                hand(commands)
                self.shut += walked.dies()
                self._again(number, hand, commands)

            return acts

        return walked.by([twice(number, hand) for number, hand in enumerate(hands, 1)])


class Interrupted(_Whole):
    """Who does each step while a broker is killed in the middle of it, brings that back, and does the step again.

    It is another broker at each step, so that the active controller is among them. Where ZooKeeper does not serve, or
    nobody leads there as the controller, none comes back, and no other is killed until the first is.

    Attributes:
        failed: steps that did not come to their end the first time, with their last words.
    """

    way = "a broker killed in the middle of each step"

    def __init__(self, lab: LabState) -> None:
        """The brokers of this lab are killed."""
        super().__init__()
        self._lab = lab
        self._away: LabBroker | None = None  # killed, and not back yet
        self._returned: set[int] = set()  # brought back; without a quorum such a one ends after a minute
        self.failed: dict[int, str] = {}

    def lines(self, procedure: str) -> list[str]:
        """What the end of a run tells of it."""
        failed = [f"{procedure} step {step}, a broker killed: failed: {by}" for step, by in self.failed.items()]
        return [*failed, *super().lines(procedure)]

    def walks(self, walked: Walked, hands: Sequence[Hand]) -> Record:
        """Walk to the end; gives the record."""

        def interrupted(number: int, hand: Hand) -> Hand:
            def acts(commands: Sequence[str]) -> None:
                with self._killed(number):
                    try:
                        hand(commands)
                    except Exception as error:  # noqa: BLE001  # whatever it was: it has to go the second time
                        self.failed[number] = _words(error)
                if number in self.failed:
                    hand(commands)
                elif hand is not does_nothing:
                    self._again(number, hand, commands)

            return acts

        def at_a_closed_gate(looks: int) -> None:
            if looks == _FEW and _LEADERS in walked.output[walked.output.rindex("\ngate ") :]:
                preferred_leaders(self._lab)  # the remedy of that check

        return walked.by([interrupted(number, hand) for number, hand in enumerate(hands, 1)], at_a_closed_gate)

    @contextmanager
    def _killed(self, number: int) -> Iterator[None]:
        """Kill a broker some time into a step, or when it is done; it is back afterwards."""
        was_away = self._away is not None
        if self._away is not None:
            yield
        else:
            revive(self._lab, self._returned)
            alive = [broker for broker in self._lab.brokers if broker.condition == "alive"]
            self._away = victim = alive[number % len(alive)]
            done = Event()

            def kills() -> None:
                done.wait(_INTO_THE_STEP)
                terminate(victim.process, patience=0)

            thread = Thread(target=kills)
            thread.start()
            try:
                yield
            finally:
                done.set()
                thread.join()
        if not _zookeeper_serves(self._lab):
            return
        if self._comes_back(self._away):
            self._returned.add(self._away.number)
            self._away = None
        else:
            assert zookeeper.PART in self._lab.parts, f"broker {self._away.number} does not come back"
            assert not was_away, f"broker {self._away.number} does not come back, though a step was done since"

    def _comes_back(self, broker: LabBroker) -> bool:
        """Start it, and wait until it is in sync; False if it is not back in time."""
        if not until(lambda: self._is_back(broker), _BACK_WITHIN):
            return False
        until(lambda: self._is_in_sync(broker), _IN_SYNC_WITHIN)  # what is moved under a throttle takes longer
        return True

    def _is_in_sync(self, broker: LabBroker) -> bool:
        """Whether it is in sync wherever it is a replica and somebody leads, without which no other may be lost."""
        try:
            topics = metadata(self._lab, broker.address).topics.values()
        except LabError:
            return False
        return all(
            broker.number in one.isrs
            for topic in topics
            for one in topic.partitions.values()
            if broker.number in one.replicas and one.leader >= 0
        )

    def _is_back(self, broker: LabBroker) -> bool:
        """Whether a broker knows itself as one of the cluster; without a majority of controllers none can.

        It is started again if it has ended: in ZooKeeper mode it does as long as the session of the one that was killed
        lives, whose node stands in its place.
        """
        revive(self._lab, {broker.number})
        try:
            return not has_majority(self._lab) or broker.number in metadata(self._lab, broker.address).brokers
        except LabError:
            time.sleep(1)
            return False


def _zookeeper_serves(lab: LabState) -> bool:
    """Whether a broker can start, which takes ZooKeeper where there is any: of one that was retired nothing runs."""
    servers = zookeeper.servers_of(lab) if zookeeper.PART in lab.parts else []
    modes = [mode(server) for server in servers if condition(server.process) == "alive"]
    return not modes or any(one not in ("", NOT_SERVING) for one in modes)


def _words(error: Exception) -> str:
    return " ".join(str(error).split())[-160:]
