"""Users of a guarded lab who log in: applications, an administrator, a thief; and what each of them is told."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from confluent_kafka import KafkaError, KafkaException, Message, Producer
from confluent_kafka.admin import AdminClient

from kafka_lab import LabState, rights, security
from kafka_lab.admin import kafka_python, settings
from support.numbered_records import GROUP, TOPIC

ADMIN: Final = "admin"
WRITES: Final = "press"
READS: Final = "desk"
SHA_512: Final = "SCRAM-SHA-512"
SHA_256: Final = "SCRAM-SHA-256"
BOTH: Final = {
    "listener.name.clients.sasl.enabled.mechanisms": f"{SHA_512},{SHA_256}",
    "listener.name.clients.scram-sha-256.sasl.jaas.config": (
        "org.apache.kafka.common.security.scram.ScramLoginModule required;"
    ),
}
"""Settings of a broker whose clients may log in by either mechanism."""
IN: Final = "in"
REFUSED: Final = "refused"
_PATIENCE: Final = 60.0
_REFUSALS: Final = (KafkaError._AUTHENTICATION, KafkaError.SASL_AUTHENTICATION_FAILED)
_DENIED: Final = (KafkaError.TOPIC_AUTHORIZATION_FAILED, KafkaError.CLUSTER_AUTHORIZATION_FAILED)
_OF_ADMIN: Final = [rights.Right(ADMIN, "cluster", "kafka-cluster", "all")]


def of_applications(writes: str = WRITES, reads: str = READS) -> list[rights.Right]:
    """What the writer and the reader of numbered records need."""
    return [
        *(rights.Right(writes, "topic", TOPIC, operation) for operation in ("write", "describe")),
        *(rights.Right(reads, "topic", TOPIC, operation) for operation in ("read", "describe")),
        rights.Right(reads, "group", GROUP, "read"),
    ]


def set_password(
    lab: LabState, user: str, password: str, mechanism: str = SHA_512, iterations: int = rights.ITERATIONS
) -> None:
    """Give a user a password by a mechanism, or another one."""
    from kafka.admin import UserScramCredentialUpsertion

    with kafka_python(lab) as admin:
        answers = admin.alter_user_scram_credentials(
            [UserScramCredentialUpsertion(user, mechanism, password, iterations)]
        )
    assert not any(answers.values()), answers


@contextmanager
def with_users(lab: LabState, users: Iterable[str], allowed: Iterable[rights.Right]) -> Iterator[None]:
    """An administrator and these users, with rights; in the end the rights are gone, and passwords hashed as before.

    No user is removed, for the reason that `rights.add_user` gives.
    """
    given = [*_OF_ADMIN, *allowed]
    names = [ADMIN, *users]
    for user in names:
        rights.add_user(lab, user, security.password(lab, user))
    rights.allow(lab, given)
    try:
        yield
    finally:
        rights.disallow(lab, given)
        for user, mechanism in _passwords(lab, names):
            set_password(lab, user, security.password(lab, user), mechanism)


def _passwords(lab: LabState, names: list[str]) -> list[tuple[str, str]]:
    with kafka_python(lab) as admin:
        users = admin.describe_user_scram_credentials(names)
    return [
        (user, credential["mechanism"].name.replace("_", "-"))
        for user in users
        for credential in users[user]["credential_infos"]
    ]


def login(lab: LabState, user: str, password: str = "", mechanism: str = SHA_512) -> dict[str, str]:
    """Settings of a client that logs in."""
    return {
        "bootstrap.servers": security.bootstrap(lab),
        "security.protocol": "SASL_SSL",
        "ssl.ca.location": str(security.folder(lab) / "ca.crt"),
        "sasl.mechanism": mechanism,
        "sasl.username": user,
        "sasl.password": password or security.password(lab, user),
    }


def write_client_file(lab: LabState, file: Path, user: str, password: str = "", mechanism: str = SHA_512) -> None:
    """A file by which Kafka's tools log in, as somebody writes it with an editor."""
    file.touch(0o600)
    secret = password or security.password(lab, user)
    module = "org.apache.kafka.common.security.scram.ScramLoginModule required"
    lines = [
        "security.protocol=SASL_SSL",
        f"sasl.mechanism={mechanism}",
        f'sasl.jaas.config={module} username="{user}" password="{secret}";',
        "ssl.truststore.type=PEM",
        f"ssl.truststore.location={security.folder(lab) / 'ca.crt'}",
    ]
    file.write_text("\n".join(lines), "utf-8")


def knock(lab: LabState, number: int, reached: Mapping[str, str]) -> str:
    """What a plain client meets that logs in at one broker: IN, or REFUSED by the broker's own word."""
    errors: list[KafkaError] = []
    address = {"bootstrap.servers": security.address(lab, lab.broker(number), "CLIENTS"), "error_cb": errors.append}
    client = AdminClient(settings(lab) | dict(reached) | address)

    def comes_in() -> bool:
        client.poll(0)  # errors are told while it is asked for them
        return bool(client.list_topics(timeout=2).brokers)

    return _outcome(comes_in, errors)


class HeldConnection:
    """A client that has logged in once and stays, such as that of a thief: it writes into a topic when told to."""

    def __init__(self, lab: LabState, topic: str, reached: Mapping[str, str]) -> None:
        """Log in, and write."""
        self._topic = topic
        self._errors: list[KafkaError] = []
        self._producer = Producer(
            settings(lab) | dict(reached) | {"message.timeout.ms": 5000, "error_cb": self._errors.append}
        )
        assert self.uses() == IN

    def uses(self) -> str:
        """Write a record: IN if it was taken, REFUSED if a broker denied it or did not let the client in again."""
        self._errors.clear()
        return _outcome(self._writes, self._errors)

    def _writes(self) -> bool:
        taken: list[bool] = []

        def done(error: KafkaError | None, _: Message) -> None:
            taken.append(error is None)
            if error is not None:
                self._errors.append(error)

        self._producer.produce(self._topic, b"x", on_delivery=done)
        self._producer.flush(10)
        return taken == [True]


def _outcome(attempt: Callable[[], bool], errors: list[KafkaError]) -> str:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        try:
            if attempt():
                return IN
        except KafkaException as error:
            errors.append(error.args[0])
        if any(one.code() in (*_REFUSALS, *_DENIED) for one in errors):
            return REFUSED
    raise AssertionError(f"neither let in nor refused: {[one.str() for one in errors][-3:]}")
