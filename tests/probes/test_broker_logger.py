from support.metrics_played import Played


def test_each_logger_has_its_level():
    fact = Played("jolokia").observe("broker_logger")
    assert fact.complete
    assert Played("jolokia").row("broker_logger", broker=1, logger="root")["level"] == "INFO"
    assert set(fact.columns["level"]) <= {"OFF", "FATAL", "ERROR", "WARN", "INFO", "DEBUG", "TRACE", "ALL"}


def test_loggers_that_can_not_be_read_are_a_gap():
    played = Played("jolokia")
    played.change("kafka:type=kafka.Log4jController", {"status": 500, "error": "it broke"})
    fact = played.observe("broker_logger")
    assert len(fact) == 0
    assert len(fact.gaps) == 3
