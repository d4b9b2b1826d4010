"""The recorded agents were not asked for the log cleaner: it is added beside what they answered."""

from support.metrics_played import Played

_CLEANER = "kafka.log:type=LogCleaner,name="


def told(**numbers: int) -> Played:
    """Agents of brokers that answer with these numbers, by the names of the gauges."""
    played = Played("jolokia")
    for answers in played.recording["answers"].values():
        if not any("BytesInPerSec" in asked[0] for asked, _ in answers):
            continue  # an application's agent
        for name, value in numbers.items():
            asked = [f"{_CLEANER}{name.replace('_', '-')}", ["Value"], ""]
            answers.append([asked, {"status": 200, "value": {"Value": value}}])
    return played


def test_dead_threads_and_the_delay_are_told_of_each_broker() -> None:
    row = told(DeadThreadCount=1, max_compaction_delay_secs=7).row("broker_log_cleaner", broker=1)
    assert row == {"broker": 1, "dead_threads": 1, "compaction_delay": 7}


def test_what_an_agent_does_not_have_is_not_known() -> None:
    row = told(DeadThreadCount=0).row("broker_log_cleaner", broker=1)
    assert (row["dead_threads"], row["compaction_delay"]) == (0, None)
