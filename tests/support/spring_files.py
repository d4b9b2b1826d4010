"""Spring Boot's application files, made by spoiling real ones, and what its own binder hands on to Kafka's clients."""

import base64
import copy
import json
import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import yaml
from msgspec import Struct

from runbook.formats.client_files import DeployedFile, SettingOfClient, read_client_files
from support.client_texts import java_says

COUNT: Final = 30
_BINDER = Path(__file__).with_name("java") / "SpringKafka.java"

Tree = dict[str, Any]


class SpringFile(Struct, frozen=True):
    """A file: its name, its text, and the profile under which it is read."""

    name: str
    text: str
    profile: str = ""


_REAL: Final[tuple[Tree, ...]] = (
    {
        "bootstrap-servers": ["k1.example:9092", "k2.example:9092"],
        "client-id": "orders",
        "security": {"protocol": "SASL_SSL"},
        "ssl": {"trust-store-location": "file:/etc/kafka/trust.p12", "trust-store-type": "PKCS12"},
        "properties": {"sasl.mechanism": "SCRAM-SHA-512", "client.dns.lookup": "use_all_dns_ips"},
        "producer": {
            "acks": "all",
            "batch-size": "64KB",
            "buffer-memory": "32MB",
            "compression-type": "zstd",
            "retries": 10,
            "value-serializer": "org.apache.kafka.common.serialization.ByteArraySerializer",
            "properties": {"linger.ms": 20, "delivery.timeout.ms": 120000},
        },
    },
    {
        "bootstrap-servers": "k1.example:9092",
        "consumer": {
            "group-id": "billing",
            "auto-offset-reset": "earliest",
            "enable-auto-commit": False,
            "auto-commit-interval": "5s",
            "fetch-max-wait": "500ms",
            "fetch-min-size": "1KB",
            "heartbeat-interval": 3000,
            "isolation-level": "read-committed",
            "max-poll-records": 250,
            "max-poll-interval": "10m",
            "properties": {"session.timeout.ms": 45000, "group.instance.id": "billing-1"},
        },
        "listener": {"ack-mode": "manual", "concurrency": 3},
    },
    {
        "bootstrap-servers": "k1.example:9092,k2.example:9092",
        "properties": {"security.protocol": "SSL"},
        "producer": {"acks": 1, "transaction-id-prefix": "tx-", "properties": {"enable.idempotence": True}},
        "consumer": {"group-id": "ledger", "isolation-level": "read_committed", "client-id": "reader"},
        "admin": {"fail-fast": True},
    },
)


def spring_files(seed: int = 1, count: int = COUNT) -> Iterator[SpringFile]:
    """Files of one to three changes each; always the same for a seed."""
    for number in range(count):
        dice = random.Random(f"spring {seed} {number}")
        tree = copy.deepcopy(dice.choice(_REAL))
        for _ in range(dice.choice([1, 2, 2, 3])):
            dice.choice(_CHANGES)(dice, tree)
        overlay: Tree = {}
        if not dice.randrange(3):
            overlay = {dice.choice(["producer", "consumer"]): {dice.choice(["acks", "auto-offset-reset"]): "none"}}
        profile = dice.choice(["", "prod"])
        yield SpringFile(*_written(dice, tree, overlay), profile)


def _written(dice: random.Random, tree: Tree, overlay: Tree) -> tuple[str, str]:
    on = dice.choice(["prod", "", "!prod"]) if overlay else ""
    documents: list[Tree] = [{"spring": {"application": {"name": "x"}, "kafka": tree}}]
    if overlay:
        activate = {"config": {"activate": {"on-profile": on}}} if on else {}
        documents.append({"spring": {**activate, "kafka": overlay}})
    if dice.randrange(3):
        return "application.yaml", yaml.safe_dump_all(documents, sort_keys=False)
    texts = ["".join(f"{name}={value}\n" for name, value in _flat(document, "")) for document in documents]
    return "application.properties", "#---\n".join(texts)


def _flat(value: Any, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, f"{name}.{key}" if name else key)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _flat(inner, f"{name}[{place}]")
    else:
        yield name, "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _a_leaf(dice: random.Random, tree: Tree) -> tuple[Tree, str]:
    """A mapping, and one of its keys that has a plain value."""
    found = [(of, key) for of in _mappings(tree) for key, value in of.items() if not isinstance(value, dict)]
    return dice.choice(found)


def _mappings(tree: Tree) -> Iterator[Tree]:
    yield tree
    for value in tree.values():
        if isinstance(value, dict):
            yield from _mappings(value)


def _rename(dice: random.Random, tree: Tree) -> None:
    """Write a name as people do who have it from elsewhere."""
    of, key = _a_leaf(dice, tree)
    head, *rest = key.replace(".", "-").split("-")
    forms = [
        head + "".join(word.capitalize() for word in rest),
        key.replace("-", "_"),
        key.replace("-", "."),
        key.replace(".", "-"),
        key.upper(),
        key[:-1],
    ]
    value = of.pop(key)
    of[dice.choice(forms)] = value


def _move(dice: random.Random, tree: Tree) -> None:
    """Put a setting where it belongs to another kind, or to all, or to what is handed on."""
    of, key = _a_leaf(dice, tree)
    value = of.pop(key)
    places = [tree, tree.setdefault("producer", {}), tree.setdefault("consumer", {}), of.setdefault("properties", {})]
    dice.choice(places)[key] = value


def _twice(dice: random.Random, tree: Tree) -> None:
    """Say the same thing by Spring's name and by Kafka's, with two values."""
    kind, own, kafka, values = dice.choice(
        [
            ("producer", "acks", "acks", ("all", "1")),
            ("producer", "batch-size", "batch.size", ("64KB", "1000")),
            ("producer", "client-id", "client.id", ("a", "b")),
            ("consumer", "auto-offset-reset", "auto.offset.reset", ("earliest", "latest")),
            ("consumer", "bootstrap-servers", "bootstrap.servers", ("a:9092", "b:9092")),
        ]
    )
    of = tree.setdefault(kind, {})
    of[own] = values[0]
    dice.choice([of, tree]).setdefault("properties", {})[kafka] = values[1]


def _value(dice: random.Random, tree: Tree) -> None:
    of, key = _a_leaf(dice, tree)
    of[key] = dice.choice(
        [
            "yes",
            "on",
            "5s",
            "PT5S",
            "7",
            "32KB",
            "1MB",
            "${KAFKA_X:all}",
            "${KAFKA_X}",
            "  all  ",
            "",
            None,
            "none",
            True,
        ]
    )


def _nested(dice: random.Random, tree: Tree) -> None:
    """Write a name with dots as mappings in each other."""
    dice.choice([tree, *(tree[kind] for kind in ("producer", "consumer") if kind in tree)]).setdefault(
        "properties", {}
    )["ssl"] = {"endpoint": {"identification": {"algorithm": dice.choice(["https", ""])}}}


def _strange(dice: random.Random, tree: Tree) -> None:
    """Add what Spring's own classes have, or look as if they had."""
    name, value = dice.choice(
        [
            ("security-protocol", "SSL"),
            ("security", {"protocol": "SSL"}),
            ("security.protocol", "SSL"),
            ("enable-idempotence", True),
            ("linger-ms", 5),
            ("session-timeout-ms", 6000),
            ("group-instance-id", "x"),
            ("ssl", {"protocol": "TLSv1.3", "key-store-type": "PKCS12"}),
            ("max-in-flight-requests-per-connection", 9),
        ]
    )
    tree.setdefault(dice.choice(["producer", "consumer"]), {})[name] = value


_CHANGES: Final[tuple[Callable[[random.Random, Tree], None], ...]] = (
    _rename,
    _rename,
    _move,
    _twice,
    _value,
    _value,
    _nested,
    _strange,
    _strange,
)


def spring_says(files: Iterable[SpringFile], jars: Path) -> list[dict[str, dict[str, str]] | str]:
    """What Spring Boot gives the clients of each kind; the words with which it refuses the file.

    Raises:
        JavaError: there is no Java that runs it.
        CalledProcessError: Java ended with an error.
    """
    asked = "".join(
        f"{file.name} {file.profile or '-'} {base64.b64encode(file.text.encode()).decode()}\n" for file in files
    )
    return [json.loads(said) for said in java_says(_BINDER, asked, jars)]


_DEFAULTS: Final = ("key.serializer", "value.serializer", "key.deserializer", "value.deserializer")
_STRINGS: Final = "org.apache.kafka.common.serialization.String"


def differences(file: SpringFile, said: dict[str, dict[str, str]] | str) -> list[str]:
    """Where our reading of a file and Spring's binding of it part; what we call unknown is no difference.

    Args:
        file: the file.
        said: what the binder gives, or why it refuses.
    """
    deployed = [DeployedFile(file.name, file.text)]
    found: list[str] = []
    refused: list[SettingOfClient] = []
    for kind in ("producer", "consumer", "admin"):
        read = read_client_files(deployed, kind)
        part = file.profile if any(each.client == file.profile for each in read) else ""
        part = "!prod" if not file.profile and any(each.client == "!prod" for each in read) else part
        mine = [each for each in read if each.client == part]
        if isinstance(said, str):
            refused += [each for each in mine if each.refused or each.value is None]
            continue
        ours = {each.name: each.value for each in mine if not each.ignored_because}
        theirs = {
            name: value
            for name, value in said[kind].items()
            if name in ours or not ((name in _DEFAULTS and value.startswith(_STRINGS)) or value == "read_uncommitted")
        }
        ours.pop("transactional.id", None)  # its factory gives it, and not its binder
        ours.setdefault("bootstrap.servers", "localhost:9092")
        found += [f"{kind}: refused: {each.refused}" for each in mine if each.refused]
        found += [
            f"{kind}: {name}: {ours.get(name, 'nothing')!r}, in truth {theirs.get(name, 'nothing')!r}"
            for name in sorted({*ours, *theirs})
            if ours.get(name, "") is not None and ours.get(name, "nothing") != theirs.get(name, "nothing")
        ]
    return [f"not refused: {said}"] if isinstance(said, str) and not refused else found
