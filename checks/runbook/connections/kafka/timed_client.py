"""kafka-python's client, which also times how brokers answer."""

from typing import cast

from runbook.answers.kafka import AnswerTimes
from runbook.connections.kafka import identity
from runbook.connections.kafka.answer_times import AnswerTimer
from runbook.connections.kafka.python_client import KafkaPythonClient
from runbook.recording.question import question


class TimedClient(KafkaPythonClient):
    """Connections to the brokers, and one more to each whose answers are timed."""

    @question("kafka-python answer times")
    def answer_times(self, node: int) -> AnswerTimes:
        """Time how a broker that was greeted answers small requests; see `answer_times`.

        Raises:
            CannotLook: its time is up.
        """
        broker, most = self._manager.cluster.broker_metadata(node), self.clock.left() / 2
        line = self._aside(node, broker.host, broker.port, "timed")
        seconds = self._patience(node)
        timer = AnswerTimer(
            self._net,
            lambda: self._open(line, seconds),
            lambda: self._send(line, identity.metadata_request(), seconds),
            brokers=len(self._manager.cluster.brokers()),
        )
        return cast("AnswerTimes", self._wait(timer.times(most), most + 2 * seconds, str(node)))
