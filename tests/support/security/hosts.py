"""Stand-in hosts of a guarded lab: right, wrong, or with the very files that the lab's brokers were started with."""

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from kafka_lab import LabState, security
from kafka_lab.configuration import properties_file
from kafka_lab.errors import LabError
from kafka_lab.hosts import Machine, MachinePlan
from support.lab_hosts import JAAS, JAAS_FILE, PROPERTIES, running_hosts
from support.security import SECRET

_PROPERTIES_FILE: Final = "/etc/kafka/server.properties"
_LOG_FILE: Final = "/var/log/kafka/server.log"
_JAR: Final = "/opt/kafka/libs/kafka_2.13-{}.jar"
_GONE: Final = "/etc/security/keytabs/gone.keytab"
_STRANGER: Final = 7002
_PLAIN: Final = "org.apache.kafka.common.security.plain.PlainLoginModule required"
_ANSWERS_WITHIN: Final = 60


def right_host(plan: MachinePlan, number: int) -> None:
    """Make a stand-in host right: references in place of passwords, a PLAIN login that keeps no users."""
    plan.files[_PROPERTIES_FILE] = PROPERTIES.format(number=number).replace(
        "ssl.keystore.password=hunter22\n",
        "config.providers=dir\n"
        "config.providers.dir.class=org.apache.kafka.common.config.provider.DirectoryConfigProvider\n"
        "ssl.keystore.password=${dir:/run/secrets/kafka:keystore}\n",
    )
    plan.files[JAAS_FILE] = JAAS + f'plain.KafkaServer {{\n  {_PLAIN} username="admin" password="hunter22";\n}};\n'


_WRONG_JAAS = f"""\
kafkaServer {{
  org.apache.kafka.common.security.scram.ScramLoginModule required
  username="ghost" password="{SECRET}" user_alice="{SECRET}";
  {_PLAIN} username="a" password="{SECRET}" user_bob="{SECRET}";
  com.sun.security.auth.module.Krb5LoginModule required
  useTicketCache=true keyTab="{_GONE}" principal="kafka@LAB";
}};
KafkaServer {{
  org.apache.kafka.common.security.scram.ScramLoginModule required username="ghost" password="{SECRET}";
}};
"""
_WRONG_LINES: Final = (
    "security.inter.broker.protocol=SASL_SSL",
    "allow.everyone.if.no.acl.found=true",
    "super.users=User:admin;User:*",
    f"ssl.key.password={SECRET}",
)


def spoil_hosts(machines: list[Machine]) -> None:
    """Write the files of the second host wrongly; have the third run an old release."""
    jaas, properties, log = (_upper(machines[1], path) for path in (JAAS_FILE, _PROPERTIES_FILE, _LOG_FILE))
    jaas.write_text(_WRONG_JAAS)
    jaas.chmod(0o666)
    os.chown(jaas, 0, 0)
    properties.write_text("\n".join([properties.read_text().rstrip("\n"), *_WRONG_LINES, ""]))
    properties.chmod(0o604)
    os.chown(properties, _STRANGER, _STRANGER)
    log.write_text(f"all is well\nConnecting with password={SECRET}\n")
    libs = _upper(machines[2], _JAR.format("4.3.0"))
    libs.rename(libs.with_name(Path(_JAR.format("3.9.0")).name))


def neglected(machines: list[Machine], reached: Mapping[str, Any]) -> Mapping[str, bool]:
    """What proves that hosts are wrong: what an administrator finds who logs in with ssh."""
    name = machines[1].plan.name
    asked = f"cat {JAAS_FILE} {_PROPERTIES_FILE} {_LOG_FILE}; stat -c '%a %u %n' {JAAS_FILE} {_PROPERTIES_FILE}"
    said = _over_ssh(reached, name, f"{asked}; test -e {_GONE} || echo no keytab")
    libraries = _over_ssh(reached, machines[2].plan.name, f"ls {Path(_JAR).parent}")
    return {
        f"everybody may write {name}'s JAAS file, which is root's": f"666 0 {JAAS_FILE}" in said,
        f"{name}'s JAAS file has users with passwords": f'user_alice="{SECRET}"' in said,
        f"{name}'s JAAS file has an entry that is misspelt": "kafkaServer {" in said,
        f"{name} lacks the keytab that its JAAS file names": _GONE in said and "no keytab" in said,
        f"everybody may read {name}'s properties, which are somebody else's": (
            f"604 {_STRANGER} {_PROPERTIES_FILE}" in said
        ),
        **{f"{name}'s properties say {line.replace(SECRET, '***')}": line in said for line in _WRONG_LINES},
        f"{name}'s log holds a password": f"Connecting with password={SECRET}" in said,
        f"{machines[2].plan.name} has the jar of 3.9.0": Path(_JAR.format("3.9.0")).name in libraries,
    }


def move_to_a_plain_disk(machine: Machine) -> str:
    """Have a host's broker keep its data on this machine's disk, which encrypts nothing; gives the folder."""
    folder = Path(machine.plan.shared[0], "data")
    folder.mkdir()
    properties = _upper(machine, _PROPERTIES_FILE)
    properties.write_text(properties.read_text() + f"log.dirs={folder}\n")
    return str(folder)


def on_a_plain_disk(machine: Machine, reached: Mapping[str, Any], folder: str) -> Mapping[str, bool]:
    """What proves that the data lies on a device that encrypts nothing, as df and the kernel tell."""
    said = _over_ssh(reached, machine.plan.name, f"df --output=source {folder}; grep log.dirs {_PROPERTIES_FILE}")
    device = Path(folder).stat().st_dev
    layers = Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}/dm/uuid")
    return {
        f"the broker's properties name {folder}": f"log.dirs={folder}" in said,
        "it lies on a device": "/dev/" in said,
        "the device encrypts nothing": not (layers.exists() and layers.read_text().startswith("CRYPT-")),
    }


@contextmanager
def hosts_with_files_of(lab: LabState, folder: Path) -> Iterator[tuple[list[Machine], dict[str, Any]]]:
    """Run a host for each broker of a lab, with the file that the broker was started with, and those that it names."""

    def as_of_the_broker(plan: MachinePlan, number: int) -> None:
        keys = security.folder(lab)
        named = [str(keys / name) for name in ("ca.crt", f"broker-{number}.pem", f"clients-{number}.pem")]
        plan.files |= {_PROPERTIES_FILE: _file_of(lab, number), **dict.fromkeys(named, "")}
        plan.private += named

    with running_hosts(folder, len(lab.brokers), as_of_the_broker) as (machines, reached):
        yield machines, reached


def copy_files(lab: LabState, machines: list[Machine]) -> None:
    """Give each host the file that its broker was started with last."""
    for number, machine in enumerate(machines, 1):
        _upper(machine, _PROPERTIES_FILE).write_text(_file_of(lab, number))


def same_files(lab: LabState, machines: list[Machine], reached: Mapping[str, Any]) -> Mapping[str, bool]:
    """What proves that hosts have the files of the lab's brokers."""
    return {
        f"{machine.plan.name} has the file of broker {number}": (
            _over_ssh(reached, machine.plan.name, f"cat {_PROPERTIES_FILE}") == _file_of(lab, number)
        )
        for number, machine in enumerate(machines, 1)
    }


def _file_of(lab: LabState, number: int) -> str:
    return properties_file(lab, lab.broker(number)).read_text("utf-8")


def _upper(machine: Machine, path: str) -> Path:
    """Where a host's own version of a file lies on this machine."""
    return Path(machine.plan.folder, "upper", path[1:])


def _over_ssh(reached: Mapping[str, Any], host: str, command: str) -> str:
    """What a command prints on a host, by OpenSSH's own client.

    Raises:
        LabError: the host did not answer.
    """
    where = reached["hosts"][host]
    options = ["-F", "/dev/null", "-i", reached["identity"], "-p", str(where["port"]), "-o", "BatchMode=yes"]
    options += ["-o", f"UserKnownHostsFile={reached['known_hosts']}", f"{reached['user']}@{where['address']}"]
    try:
        done = subprocess.run(
            ["ssh", *options, command], capture_output=True, text=True, timeout=_ANSWERS_WITHIN, check=True
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise LabError(f"{host} did not answer: {error.stderr}") from error  # type: ignore[str-bytes-safe]  # it is text
    return done.stdout
