"""Three Linux hosts with a process in each that stands for a broker's JVM: no Kafka, real OpenSSH, up in seconds."""

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kafka_lab.hosts import NEGLECTED, RIGHT, Machine, MachinePlan
from runbook.model.result import Outcome
from support.evidence.expected import Expected
from support.evidence.scene import State, scene
from support.lab_hosts import (
    JAAS_FILE,
    LACKING,
    OF_NEGLECT,
    PASSWORD,
    running_hosts,
    state_of,
    version_of_sshd,
)
from support.ssh_server import make_key

_DEADLINE: Final = 45.0  # seconds; a host that hangs costs a third of it
_ANY: Final = tuple(Outcome)
_KAFKA: Final = "/etc/kafka/server.properties"
_LOG: Final = "/var/log/kafka/server.log"


@dataclass(frozen=True)
class StandIns:
    """Such hosts: the machines, what the inventory says of them, and the folder that they share."""

    machines: list[Machine]
    ssh: dict[str, Any]
    shared: Path


def systems() -> dict[str, str]:
    """What they run."""
    return {"openssh": version_of_sshd()}


def lacking() -> str:
    """Linux, root and OpenSSH's server are needed."""
    return LACKING


@contextmanager
def lab(folder: Path) -> Iterator[StandIns]:
    """Three of them."""
    with running_hosts(folder, 3, _age_the_third) as (machines, ssh):
        yield StandIns(machines, ssh, folder / "shared")


def _age_the_third(plan: MachinePlan, number: int) -> None:
    """Have one host run a release with a published vulnerability, by its jars."""
    if number == 3:
        plan.files["/opt/kafka/libs/kafka_2.13-3.9.0.jar"] = plan.files.pop("/opt/kafka/libs/kafka_2.13-4.3.0.jar")


def inventory(ssh: dict[str, Any]) -> dict[str, Any]:
    """What `environments.yaml` would say."""
    environment = {"ssh": ssh, "absent": {"kafka": "a process stands in for it", "kubernetes": "hosts only"}}
    return {"environments": {"hosts": environment}}


def _secrets(lab: StandIns) -> tuple[str, ...]:
    return PASSWORD, Path(lab.ssh["identity"]).read_text("ascii")


# Not all of the runbook is judged: how much memory and how many links this machine has is no matter here.
_SET_UP: Final = OF_NEGLECT | {
    "no-broker-is-swapped-out",
    "the-heap-leaves-room-for-the-page-cache",
    "brokers-use-few-of-their-maps",
    "the-limit-of-open-files-is-kept",
    "soft-and-hard-limit-are-equal",
    "log-directories-belong-to-their-broker",
    "every-segment-has-its-indexes",
    "brokers-do-not-run-as-root",
    "brokers-share-their-host-with-no-other-jvm",
}
_ON_FILES: Final = {
    "files-with-credentials-are-closed",
    "files-with-credentials-belong-to-their-broker",
    "files-that-logins-need-are-there",
    "login-entries-are-ones-that-are-read",
    "kerberos-logins-have-a-keytab",
    "scram-users-stand-in-no-file",
    "the-file-would-start-a-broker",
    "resources-without-an-acl-are-closed-on-hosts",
    "brokers-log-no-credentials",
}
"""The checks of security that a host which is set up right passes."""
_EVERY_HOST: Final = {"host": frozenset({"kafka-1", "kafka-2", "kafka-3"})}
_SECOND: Final = {"host": frozenset({"kafka-2"})}
_WRONG: Final = _ON_FILES | {"plain-users-stand-in-no-file"}
_OS_RIGHT = Expected(passes=frozenset(_SET_UP), others=_ANY)
_CLOSED = Expected(
    passes=frozenset(_ON_FILES),
    inapplicable=frozenset({"super-users-are-those-declared-on-hosts"}),  # nobody declared any
    fails={
        "files-hold-references-instead-of-passwords": "",
        "no-release-has-a-known-vulnerability": "CVE-2025-27818",
    },
    only={
        "files-hold-references-instead-of-passwords": _EVERY_HOST,
        "no-release-has-a-known-vulnerability": {"release": frozenset({"3.9.0"})},
    },
    others=_ANY,
)
_OPENED = Expected(fails=dict.fromkeys(_WRONG, ""), only=dict.fromkeys(_WRONG, _SECOND), others=_ANY)

_WRONG_JAAS = f"""\
kafkaServer {{
  org.apache.kafka.common.security.scram.ScramLoginModule required
  username="a" password="{PASSWORD}" user_alice="{PASSWORD}";
  org.apache.kafka.common.security.plain.PlainLoginModule required
  username="a" password="{PASSWORD}" user_bob="{PASSWORD}";
  com.sun.security.auth.module.Krb5LoginModule required
  useTicketCache=true keyTab="/etc/security/keytabs/gone.keytab" principal="kafka@LAB";
}};
"""
_WRONG_PROPERTIES = "security.inter.broker.protocol=SASL_SSL\nallow.everyone.if.no.acl.found=true\n"
_CREDENTIALS_IN_LOG = f"all is well\nConnecting with password={PASSWORD}\n"


@scene({"right": {"os-hardware": _OS_RIGHT, "security": _CLOSED}, "wrong": {"security": _OPENED}})
def files_of_a_host(lab: StandIns, folder: Path) -> Iterator[State]:
    """On the second host somebody opened files, gave them away, and wrote wrong things into them."""
    del folder
    upper = Path(lab.machines[1].plan.folder, "upper")
    jaas, properties, log = (upper / path[1:] for path in (JAAS_FILE, _KAFKA, _LOG))
    root = Path(f"/proc/{lab.machines[1].first.pid}/root")

    def claims() -> Mapping[str, bool]:
        seen = {path: root.joinpath(path[1:]) for path in (JAAS_FILE, _KAFKA, _LOG)}
        return {
            "everybody may write the login file": seen[JAAS_FILE].stat().st_mode & 0o777 == 0o666,
            "the login file is root's": seen[JAAS_FILE].stat().st_uid == 0,
            "the login file has what the lab wrote": seen[JAAS_FILE].read_text("utf-8") == _WRONG_JAAS,
            "everybody may read the properties": seen[_KAFKA].stat().st_mode & 0o777 == 0o604,
            "the properties are another user's": seen[_KAFKA].stat().st_uid == 7002,
            "the properties let everyone in": seen[_KAFKA].read_text("utf-8").endswith(_WRONG_PROPERTIES),
            "the log holds a password": PASSWORD in seen[_LOG].read_text("utf-8"),
        }

    def right() -> Mapping[str, bool]:
        return {f"not: {claim}": not holds for claim, holds in claims().items()}

    secrets = _secrets(lab)
    yield State("right", inventory(lab.ssh), right, secrets=secrets, deadline=_DEADLINE)
    with ExitStack() as undo:
        for file in (jaas, properties, log):
            undo.callback(_put_back, file, file.read_text(), file.stat())
        jaas.write_text(_WRONG_JAAS)
        jaas.chmod(0o666)
        os.chown(jaas, 0, 0)
        os.chown(properties, 7002, 7002)
        properties.chmod(0o604)
        properties.write_text(properties.read_text() + _WRONG_PROPERTIES)
        log.write_text(_CREDENTIALS_IN_LOG)
        yield State("wrong", inventory(lab.ssh), claims, secrets=secrets, deadline=_DEADLINE)


def _put_back(file: Path, text: str, before: os.stat_result) -> None:
    file.write_text(text)
    file.chmod(before.st_mode & 0o777)
    os.chown(file, before.st_uid, before.st_gid)


_TROUBLES = Expected(
    fails=dict.fromkeys(OF_NEGLECT, ""),
    only=dict.fromkeys(OF_NEGLECT, _SECOND),
    unknown={
        "brokers-do-not-run-as-root": (
            "host kafka-3",
            "did not answer in",
            "is not in known_hosts",
            "shows another host key",
        )
    },
    others=_ANY,
)


@scene({"together": {"os-hardware": _TROUBLES}})
def troubles_of_many_hosts(lab: StandIns, folder: Path) -> Iterator[State]:
    """One host is neglected, one hangs, one is unknown and one an impostor: none of them hides another."""
    first, second, third = lab.machines
    door = {"address": first.plan.address, "port": first.plan.port}
    at = f"[{first.plan.address}]:{first.plan.port}"
    (folder / "nobody").touch()
    (folder / "other").write_text(f"{at} {make_key(folder / 'key')}\n", "ascii")
    more = {
        "stranger": {**door, "known_hosts": str(folder / "nobody")},
        "impostor": {**door, "known_hosts": str(folder / "other")},
    }
    ssh = lab.ssh | {"hosts": lab.ssh["hosts"] | more}
    root = Path(f"/proc/{second.first.pid}/root")

    def claims() -> Mapping[str, bool]:
        shown = _shown_key(first)
        return {
            "host 2 has Linux's own settings": all(
                root.joinpath(setting[1:]).read_text("ascii").strip() == value for setting, value in NEGLECTED.items()
            ),
            "the sshd of host 3 is stopped": state_of(third.first.pid) == "T",
            "host 1 shows a key": bool(shown),
            "the stranger's known_hosts is empty": (folder / "nobody").read_text("ascii") == "",
            "the impostor's known_hosts has another key": shown not in (folder / "other").read_text("ascii"),
        }

    for setting, value in NEGLECTED.items():
        second.set_kernel(setting, value)
    os.kill(third.first.pid, signal.SIGSTOP)
    try:
        yield State("together", inventory(ssh), claims, secrets=_secrets(lab), deadline=_DEADLINE)
    finally:
        os.kill(third.first.pid, signal.SIGCONT)
        for setting, value in RIGHT.items():
            second.set_kernel(setting, value)


def _shown_key(machine: Machine) -> str:
    """The host key that OpenSSH's own tool sees at a host's door."""
    command = ["ssh-keyscan", "-t", "ed25519", "-p", str(machine.plan.port), machine.plan.address]
    said = subprocess.run(command, capture_output=True, text=True, timeout=800, check=False).stdout
    return " ".join(said.split()[1:3])
