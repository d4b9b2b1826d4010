import pytest

from kafka_lab.configuration import _LOGGING
from runbook.formats.log4j import Logger, read_log4j
from runbook.model.errors import Garbled

# The forms that Kafka ships: log4j.properties up to 3.9, log4j2.yaml from 4.0 on; and Log4j 2's properties.
LOG4J1 = """\
log4j.rootLogger=INFO, stdout, kafkaAppender
log4j.appender.stdout=org.apache.log4j.ConsoleAppender
log4j.logger.kafka=INFO
log4j.logger.kafka.request.logger=WARN, requestAppender
log4j.additivity.kafka.request.logger=false
log4j.logger.state.change.logger=INFO, stateChangeAppender
"""
LOG4J2 = """\
Configuration:
  Properties:
    Property: [{name: "kafka.logs.dir", value: "."}]
  Appenders:
    Console: {name: STDOUT}
  Loggers:
    Root:
      level: INFO
      AppenderRef: [{ref: STDOUT}, {ref: KafkaAppender}]
    Logger:
      - {name: kafka, level: INFO}
      - name: kafka.request.logger
        level: WARN
        additivity: false
        AppenderRef: {ref: RequestAppender}
      - name: state.change.logger
        level: INFO
        AppenderRef: {ref: StateChangeAppender}
"""
PROPERTIES = """\
status = error
appender.file.type = RollingFile
rootLogger = INFO, STDOUT
rootLogger.appenderRef.k.ref = KafkaAppender
logger.kafka.name = kafka
logger.kafka.level = INFO
logger.r.name = kafka.request.logger
logger.r.level = WARN
logger.r.additivity = false
logger.r.appenderRef.x.ref = RequestAppender
logger.s.name = state.change.logger
logger.s.level = INFO
logger.s.appenderRef.x.ref = StateChangeAppender
"""
FILES = {"log4j.properties": LOG4J1, "log4j2.yaml": LOG4J2, "log4j2.properties": PROPERTIES}


@pytest.mark.parametrize("file", FILES)
def test_the_ways_to_write_a_configuration_say_the_same(file: str):
    loggers = {logger.name: logger for logger in read_log4j(FILES[file], f"/etc/kafka/{file}")}
    assert loggers.keys() == {"root", "kafka", "kafka.request.logger", "state.change.logger"}
    assert (loggers["root"].level, len(loggers["root"].appenders)) == ("INFO", 2)
    assert loggers["kafka"] == Logger("kafka", "INFO")
    request, change = loggers["kafka.request.logger"], loggers["state.change.logger"]
    assert (request.level, len(request.appenders), request.additive) == ("WARN", 1, False)
    assert (change.level, len(change.appenders), change.additive) == ("INFO", 1, True)


def test_what_the_labs_brokers_log_by_is_read():
    assert read_log4j(_LOGGING, "log4j2.properties") == [Logger("root", "info", ["file"])]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("log4j2.xml", "<Configuration/>"),
        ("log4j2.yaml", "Configuration: ["),
        ("log4j2.yaml", "Appenders: {}"),
        ("log4j2.yaml", "[]"),
        ("log4j.properties", "bootstrap.servers=a:1\n"),
        ("log4j.properties", ""),
    ],
)
def test_what_is_no_configuration_is_said_and_never_an_empty_one(path: str, text: str):
    with pytest.raises(Garbled, match=path):
        read_log4j(text, path)
