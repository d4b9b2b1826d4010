"""Properties files of brokers, made at random, and what Kafka's own classes say of them."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from support.config_files import ConfigFile, kafka_says

_NAMES = ("PLAINTEXT", "SSL", "SASL_SSL", "SASL_PLAINTEXT", "BROKERS", "CLIENTS", "CONTROLLER", "clients")
_PROTOCOLS = _NAMES[:4]
_MECHANISMS = ("PLAIN", "SCRAM-SHA-512", "GSSAPI")
_PORT = 9092

Settings = dict[str, str]


def broker_files(count: int, seed: int, *, kraft: bool) -> Iterator[Settings]:
    """So many files, always the same for a seed; about one of seven starts a broker."""
    for number in range(count):
        dice = random.Random(f"{seed} {number} {kraft}")
        roles = dice.choice(["broker", "controller", "broker,controller"]) if kraft else ""
        names = _listeners(dice, roles)
        settings = {"log.dirs": "/tmp/none"}
        settings |= _identity(dice, roles, names) | _addresses(dice, names) | _between(dice, names)
        yield settings


def _listeners(dice: random.Random, roles: str) -> list[str]:
    names = dice.sample(_NAMES, dice.choice([1, 2, 2, 3]))
    if roles == "controller" and dice.random() < 0.7:
        return ["CONTROLLER"]
    if roles == "broker" and dice.random() < 0.8:
        return [name for name in names if name != "CONTROLLER"] or ["SSL"]
    if "controller" in roles and "CONTROLLER" not in names:
        names.append("CONTROLLER")
    return names


def _identity(dice: random.Random, roles: str, names: list[str]) -> Settings:
    if not roles:
        plane = {"control.plane.listener.name": dice.choice([*names, "CONTROLLER"])} if not dice.randrange(6) else {}
        return {"broker.id": "1", "zookeeper.connect": "localhost:2181"} | plane
    voter = 2 if roles == "broker" else 1
    settings = {"process.roles": roles, "node.id": "1", "controller.quorum.voters": f"{voter}@localhost:9999"}
    named = {"controller.listener.names": dice.choice(["CONTROLLER"] * 5 + ["SSL", "controller", "CONTROLLER,SSL"])}
    return settings | (named if dice.randrange(14) else {})


def _addresses(dice: random.Random, names: list[str]) -> Settings:
    def listed(of: list[str], hosts: list[str]) -> str:
        ports = [_PORT + (0 if not dice.randrange(25) else place) for place, _ in enumerate(of)]
        return ",".join(f"{name}://{dice.choice(hosts)}:{port}" for name, port in zip(of, ports, strict=True))

    settings = {"listeners": listed(names, ["", "localhost", "localhost", "0.0.0.0"])} if dice.randrange(10) else {}
    if shown := [name for name in names if dice.randrange(5)] if not dice.randrange(3) else []:
        settings["advertised.listeners"] = listed(shown, ["k1", "k1", "k1", "0.0.0.0"])
    if dice.randrange(4):
        other = [*_PROTOCOLS, "ssl"] * 4 + ["TLS"]
        pairs = {name.upper(): name if name in _PROTOCOLS else dice.choice(other) for name in _NAMES}
        settings["listener.security.protocol.map"] = ",".join(
            f"{a}:{b}" for a, b in pairs.items() if dice.randrange(15)
        )
    return settings


def _between(dice: random.Random, names: list[str]) -> Settings:
    settings: Settings = {}
    way = dice.random()
    if way < 0.45:
        settings["inter.broker.listener.name"] = dice.choice([*names, *names, "NOWHERE", "BROKERS"])
    if 0.4 < way < 0.8:
        settings["security.inter.broker.protocol"] = dice.choice(
            [*(n for n in names if n in _PROTOCOLS), "SASL_SSL", "ssl"]
        )
    if dice.randrange(5) > 1:
        settings["sasl.enabled.mechanisms"] = dice.choice(
            [*_MECHANISMS, "SCRAM-SHA-512,PLAIN", "plain", "PLAIN , GSSAPI"]
        )
    if dice.randrange(2):
        settings["sasl.mechanism.inter.broker.protocol"] = dice.choice(_MECHANISMS)
    if not dice.randrange(3):
        settings[f"listener.name.{dice.choice(names).lower()}.sasl.enabled.mechanisms"] = dice.choice(_MECHANISMS)
    return settings


def as_kafka_says(files: Sequence[Settings], jars: Path) -> list[str]:
    """What the KafkaConfig of a release says of each: "ok", or why it refuses.

    Raises:
        JavaError: there is no Java that runs it.
        CalledProcessError: Java ended with an error.
    """
    return kafka_says([ConfigFile("broker", settings) for settings in files], jars)
