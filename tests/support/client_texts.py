"""Properties files of producers and consumers, made by spoiling real ones line by line, and what the real clients say.

Not only the classes that read settings are asked, as in `config_files`, but KafkaProducer and KafkaConsumer: they log
in, load serializers and look at several settings together.
"""

import base64
import random
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, structs

from runbook.formats.client_files import SettingOfClient, read_client_file
from runbook.java import find_java
from runbook.model.fact import Fact
from runbook.views.client_setting_taken import compute

COUNT: Final = 60
_CLIENTS = Path(__file__).with_name("java") / "MadeClients.java"


class ClientText(Struct, frozen=True):
    """A file: which client reads it, and its text."""

    kind: str
    text: str


_STRINGS = "org.apache.kafka.common.serialization.String"
_COMMON = """\
# where the brokers are
bootstrap.servers=localhost:9092,localhost:9093
client.id=orders
client.dns.lookup=use_all_dns_ips
request.timeout.ms=30000
reconnect.backoff.ms=50
"""
_LOGIN = """\
security.protocol=SASL_SSL
sasl.mechanism=SCRAM-SHA-512
sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required \\
    username="orders" \\
    password="not-a-secret";
"""
_PRODUCER = f"""\
{_COMMON}key.serializer={_STRINGS}Serializer
value.serializer={_STRINGS}Serializer
acks=all
enable.idempotence=true
retries=2147483647
max.in.flight.requests.per.connection=5
delivery.timeout.ms=120000
linger.ms=5
batch.size=65536
compression.type=lz4
max.block.ms=60000
"""
_CONSUMER = f"""\
{_COMMON}key.deserializer={_STRINGS}Deserializer
value.deserializer={_STRINGS}Deserializer
group.id=billing
auto.offset.reset=earliest
enable.auto.commit=false
isolation.level=read_committed
session.timeout.ms=45000
heartbeat.interval.ms=3000
max.poll.interval.ms=300000
partition.assignment.strategy=org.apache.kafka.clients.consumer.CooperativeStickyAssignor
"""
REAL: Final = (
    ClientText("producer", _PRODUCER),
    ClientText("producer", _PRODUCER + _LOGIN),
    ClientText("producer", _PRODUCER + "transactional.id=orders-1\ntransaction.timeout.ms=60000\n"),
    ClientText("consumer", _CONSUMER),
    ClientText("consumer", _CONSUMER + _LOGIN),
    ClientText("consumer", _CONSUMER + "group.instance.id=billing-1\nclient.rack=eu-1a\n"),
)
_LINES: Final = {
    "producer": (
        "acks=1",
        "acks=-1",
        "acks=ALL",
        "retries=0",
        "max.in.flight.requests.per.connection=6",
        "enable.idempotence=no",
        "enable.idempotence=false",
        "delivery.timeout.ms=20000",
        "linger.ms=5ms",
        "linger.ms=100000",
        "compression.type=LZ4",
        "batch.size=64KB",
        "transactional.id=orders-1",
        "buffer.memory=-1",
        "max.request.size=2147483648",
    ),
    "consumer": (
        "auto.offset.reset=smallest",
        "auto.offset.reset=by_duration:PT1H",
        "isolation.level=READ_COMMITTED",
        "enable.auto.commit=no",
        "heartbeat.interval.ms=45000",
        "session.timeout.ms=-1",
        "group.protocol=consumer",
        "group.protocol=CONSUMER",
        "group.instance.id=",
        "partition.assignment.strategy=range",
        "partition.assignment.strategy=org.apache.kafka.clients.consumer.RangeAssignor",
        "max.poll.records=0",
        "fetch.max.wait.ms=40000",
        "group.id=",
    ),
    "both": (
        "bootstrap.servers=localhost",
        "bootstrap.servers=",
        "bootstrap.servers=localhost:9092;localhost:9093",
        "bootstrap.servers=PLAINTEXT://localhost:9092",
        "bootstrap.servers=localhost:99999",
        "security.protocol=sasl_plaintext",
        "security.protocol=SASL",
        "security.protocol=SASL_PLAINTEXT",
        "security.protocol=SSL",
        "sasl.mechanism=SCRAM",
        "sasl.mechanism=PLAIN",
        "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username=a password=b",
        "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule username=a password=b;",
        "client.dns.lookup=default",
        "request.timeout.ms=0",
        "metric.reporters=com.example.Reporter",
        "interceptor.classes=",
        "client.rack=",
        "reconnect.backoff.max.ms=10",
        "send.buffer.bytes=-2",
        "ssl.endpoint.identification.algorithm=",
        "ssl.enabled.protocols=TLSv1.2,",
    ),
}


def client_texts(seed: int = 1, count: int = COUNT) -> Iterator[ClientText]:
    """Files of one or two changes each; always the same for a seed."""
    for number in range(count):
        dice = random.Random(f"client {seed} {number}")
        real = dice.choice(REAL)
        text = real.text
        for _ in range(dice.choice([1, 1, 2])):
            text = _changed(dice, text, real.kind)
        yield ClientText(real.kind, text)


def _changed(dice: random.Random, text: str, kind: str) -> str:
    lines = text.splitlines()
    place = dice.randrange(1, len(lines))
    line = lines[place]
    match dice.randrange(8):
        case 0:
            lines[place] = dice.choice([line.replace("=", " = "), line.replace("=", ": "), line.replace("=", " ", 1)])
        case 1:
            lines[place] = dice.choice([f"{line} ", f"{line} # as agreed", f"{line};", f"{line}\\"])
        case 2:
            del lines[place]
        case 3:
            name, _, value = line.partition("=")
            lines[place] = f"{name}=" + dice.choice([value.upper(), f'"{value}"', value + value, ""])
        case _:
            lines.insert(place if dice.randrange(2) else len(lines), dice.choice(_LINES[kind] + _LINES["both"]))
    return "\n".join(lines) + "\n"


def clients_say(files: Iterable[ClientText], jars: Path) -> list[str]:
    """What the real client says of each: "ok", or why it can't be made.

    Raises:
        JavaError: there is no Java that runs it.
        CalledProcessError: Java ended with an error.
    """
    asked = "".join(f"{file.kind} {base64.b64encode(file.text.encode()).decode()}\n" for file in files)
    return java_says(_CLIENTS, asked, jars)


def java_says(program: Path, asked: str, jars: Path) -> list[str]:
    """What a program of one file answers to lines: the rest of each line that begins with "said"."""
    words = [str(find_java(17)), "-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", f"{jars}/*", str(program)]
    done = subprocess.run(words, input=asked, capture_output=True, text=True, check=True, timeout=300)
    return [line.removeprefix("said ") for line in done.stdout.splitlines() if line.startswith("said ")]


_OF_MACHINE: Final = re.compile(
    r"Could not find a 'KafkaClient'|com\.example\.|could not be found|ASSIGNOR$|No resolvable|Missing required"
    r"|null for configuration \w+\.(?:de)?s|clientTelemetryReporter"
)
"""What depends on the class path, on name servers, on options of the JVM and on code: no file tells it."""


def differences(file: ClientText, said: str, release: str) -> list[str]:
    """Where our reading of a file and the client that was made of it part; what only its machine tells is none."""
    settings = read_client_file(file.text, "a.properties", file.kind)
    rows = [{"client": "a", "kind": file.kind, "earlier": 0} | _cells(each) for each in settings]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    taken = compute(config=Fact("client_config", columns), releases=[release])
    ours = [row.refused for row in taken.rows if row.refused] + [gap.reason for gap in taken.gaps]
    if (said == "ok") == (not ours) or _OF_MACHINE.search(said) or any(row.refused is None for row in taken.rows):
        return []
    return [f"{file.kind} {release}: {said!r}, ours {ours}"]


def _cells(each: SettingOfClient) -> dict[str, Any]:
    cells = structs.asdict(each)
    return {"setting": cells.pop("name")} | cells | {"kind": each.kind, "client": "a"}
