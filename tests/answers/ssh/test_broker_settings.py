import pytest

from runbook.answers.ssh.broker_settings import PATTERN, is_read
from runbook.formats.kafka_settings import judged
from runbook.formats.kafka_settings.broker_rules import BROKER_RULES
from runbook.formats.kafka_settings.facts import settings
from runbook.safety.secret import is_secret

DEFINED = {name: of for release in judged("broker") for name, of in settings("broker", release).items()}
NUMBERS = ("BOOLEAN", "INT", "SHORT", "LONG", "DOUBLE")
SELDOM = {  # Kafka may refuse them, and they are not looked at
    *("internal.metadata.delete.delay.millis", "kafka.metrics.polling.interval.secs", "auto.include.jmx.reporter"),
    *("password.encoder.iterations", "password.encoder.key.length", "sasl.oauthbearer.assertion.claim.jti.include"),
    *("ssl.allow.dn.changes", "ssl.allow.san.changes"),
}


def test_every_number_and_switch_of_kafka_is_read_and_what_decides_with_others():
    wanted = {name for name, of in DEFINED.items() if of.type in NUMBERS and not is_secret(name)}
    wanted |= {name for name, of in DEFINED.items() if of.required}
    wanted |= {name for rule in BROKER_RULES for name in rule.settings}
    assert {name for name in wanted if not is_read(name)} - SELDOM == set()


@pytest.mark.parametrize(
    "name", sorted(name for name, of in DEFINED.items() if of.type == "PASSWORD" or is_secret(name))
)
def test_no_credential_is_read(name: str):
    assert not is_read(name)
    assert not is_read(f"listener.name.clients.plain.{name}")


@pytest.mark.parametrize("name", ["aws.access.key.id", "username", "password", "user_admin", "metrics.influx.apikey"])
def test_nor_what_plugins_and_logins_on_further_lines_are_given(name: str):
    assert not is_read(name)


def test_it_fits_the_record_of_a_host():
    assert len(PATTERN) < 1900  # runbook-ro cuts what it notes at 2,000
