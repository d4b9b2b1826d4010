"""The word for how a broker fails is that of the fault: on real brokers with logins, one fault of each kind."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from kafka_lab import LabState, parts, rights, security
from kafka_lab.rights import Right
from live.secure.test_rights import observe
from runbook.answers.kafka.failures import failure
from runbook.connections.kafka import connect
from runbook.model.errors import CannotLook
from runbook.model.probe import Deadline
from runbook.run.sources.secret_references import resolve
from support.evidence.labs import Labs
from support.kafka_libraries import LIBRDKAFKA_ALONE
from support.security.guarded import as_it_is

# Thorough, as brokers are restarted with other settings.
pytestmark = [pytest.mark.live, pytest.mark.thorough]
LIBRARIES: dict[str, dict[str, str]] = {"both libraries": {}, "librdkafka alone": LIBRDKAFKA_ALONE}
PATIENCE = 60.0
NOWHERE = "224.0.0.1"  # of groups that many listen to: no stream ever leads there
ONLOOKER = "onlooker"


@pytest.fixture
def lab(running: Labs) -> Iterator[LabState]:
    """A lab with encryption, logins and rights, as it was made afterwards."""
    made = as_it_is(running.of("secure"))
    try:
        yield made
    finally:
        security.restore(made)


def settings(lab: LabState, **other: str) -> dict[str, object]:
    """How the reader comes in, at broker 1 to begin with; with others in place of some."""
    first = security.address(lab, lab.brokers[0], "CLIENTS")
    changed = {"bootstrap.servers": first} | {name.replace("_", "."): value for name, value in other.items()}
    return resolve(parts.connections(lab)["kafka"] | changed)[0]


def words(lab: LabState, **other: str) -> dict[str, list[str]]:
    """By the libraries that ask, the word for each broker."""
    return {
        name: observe({**settings(lab, **other), **more}, "kafka_broker", PATIENCE).columns["failure"]
        for name, more in LIBRARIES.items()
    }


def advertise(lab: LabState, number: int, address: str) -> None:
    """Have a broker advertise an address that is not its own to clients."""
    broker = lab.broker(number)
    shown: str = security.settings(lab, broker)["advertised.listeners"]
    own = security.address(lab, broker, "CLIENTS")
    security.alter(lab, [number], {"advertised.listeners": shown.replace(f"CLIENTS://{own}", f"CLIENTS://{address}")})


def both(word: str, broker: int) -> dict[str, list[str]]:
    """That word for one broker, and none for the others, by either library."""
    return {name: [word if number == broker else "" for number in (1, 2, 3)] for name in LIBRARIES}


def test_a_certificate_that_nobody_vouches_for(lab: LabState):
    security.authority(lab).issue_self_signed("of-itself", "kafka-3", names=security.NAMES)
    security.present(lab, 3, "of-itself")
    assert words(lab) == both("certificate", 3)


def test_an_address_to_which_no_network_leads(lab: LabState):
    advertise(lab, 3, f"{NOWHERE}:9092")
    assert words(lab) == both("no route", 3)


def test_an_address_that_another_broker_advertises_too(lab: LabState):
    advertise(lab, 2, security.address(lab, lab.brokers[0], "CLIENTS"))
    assert words(lab) == both("another broker", 2)
    rights.add_user(lab, ONLOOKER, security.password(lab, ONLOOKER))
    rights.allow(lab, [Right(ONLOOKER, *of, "describe") for of in (("topic", "*"), ("cluster", "kafka-cluster"))])
    found = words(lab, sasl_username=ONLOOKER, sasl_password=security.password(lab, ONLOOKER))
    # Who may not read settings is not told who answers, at either broker's address.
    assert found == {name: ["shared address", "shared address", ""] for name in LIBRARIES}


@pytest.mark.parametrize("more", LIBRARIES.values(), ids=LIBRARIES)
@pytest.mark.parametrize(
    ("word", "other"),
    [("credentials", {"sasl_password": "not-the-one"}), ("no route", {"bootstrap_servers": f"{NOWHERE}:9092"})],
)
def test_where_nobody_answers_the_reason_has_the_word(
    lab: LabState, word: str, other: dict[str, str], more: dict[str, str]
):
    connection: Any = connect({**settings(lab, **other), **more}, Deadline(PATIENCE, patience=PATIENCE / 6))
    asked: list[Callable[[], Any]] = [connection.cluster, connection.topics]
    try:
        for ask in asked:
            with pytest.raises(CannotLook) as caught:
                ask()
            assert failure(caught.value) == word
    finally:
        connection.close()
