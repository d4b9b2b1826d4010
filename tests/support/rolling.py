"""All brokers restarted one after another, through the gates of ha.md."""

from collections.abc import Callable, Sequence

from kafka_lab import LabState
from kafka_lab.brokers import start
from kafka_lab.processes import terminate
from kafka_lab.state import LabBroker
from support.careful_walker import Hand, Walked, does_nothing
from support.operators import Operator, completed

IN_ORDER = 60.0  # seconds for a broker to hand over its leaders and end


class Roll:
    """All brokers restarted with other settings, one walk of rolling-restart for each."""

    def __init__(
        self,
        operator: Operator,
        lab: LabState,
        edit: Callable[[LabBroker], None] = lambda _: None,
        order: Sequence[LabBroker] = (),
    ) -> None:
        """Nothing is restarted yet.

        Args:
            operator: who walks.
            lab: whose brokers.
            edit: what is changed of a broker that is down.
            order: the brokers, one after the other; without it as they are numbered.
        """
        self._order = order or lab.brokers
        self._operator = operator
        self._lab = lab
        self._edit = edit

    def __call__(self, _: Sequence[str]) -> None:
        """Walk through it; who was interrupted starts first what they had stopped."""
        for broker in self._order:
            if broker.condition == "stopped":
                self._starts(broker)(())
        for broker in self._order:
            record = Walked(self._operator.folder, "ha#rolling-restart", self._lab.name).by(
                [
                    does_nothing,
                    self._stops(broker),
                    self._starts(broker),
                    does_nothing,
                    self._operator.types(),
                    does_nothing,
                ]
            )
            assert completed(record), record.entries[-3:]

    def _stops(self, broker: LabBroker) -> Hand:
        def stops(_: Sequence[str]) -> None:
            terminate(broker.process, patience=IN_ORDER)

        return stops

    def _starts(self, broker: LabBroker) -> Hand:
        def starts(_: Sequence[str]) -> None:
            self._edit(broker)
            start(self._lab, broker)

        return starts
