"""`runbook check` on hosts that are right, neglected, hung, unknown and impostors, all in one run."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from lab_hosts import JAAS_FILE, LACKING, OF_NEGLECT, running_hosts
from runbook.lab.hosts import NEGLECTED, Machine, Plan
from ssh_server import make_key

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
pytestmark = [pytest.mark.live, pytest.mark.skipif(bool(LACKING), reason=LACKING)]
Found = tuple[list[Machine], dict[str, Any]]


def age_the_third(plan: Plan, number: int) -> None:
    """Have one host run a release with a published vulnerability, by its jars."""
    if number == 3:
        plan.files["/opt/kafka/libs/kafka_2.13-3.9.0.jar"] = plan.files.pop("/opt/kafka/libs/kafka_2.13-4.3.0.jar")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Found]:
    with running_hosts(tmp_path_factory.mktemp("hosts"), 3, age_the_third) as running:
        yield running


def check(folder: Path, ssh: dict[str, Any], runbook: str = "os-hardware.md") -> dict[str, dict[str, Any]]:
    """Run a runbook through the command line, without Kafka; gives the results by check."""
    told = {"ssh": ssh, "absent": {"kafka": "a process stands in for it", "kubernetes": "hosts only"}}
    inventory = folder / "environments.yaml"
    inventory.write_text(yaml.safe_dump({"environments": {"hosts": told}}))
    command = [RUNBOOK, "check", runbook, "--inventory", str(inventory), "--format", "json"]
    done = subprocess.run([*command, "--deadline", "45s"], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode in (0, 1, 3), done.stderr
    return {result["check"].partition("/")[2]: result for result in json.loads(done.stdout)["results"]}


def failing(result: dict[str, Any]) -> set[str]:
    return {row["key"]["host"] for row in result["rows"] if row["outcome"] == "fail"}


def test_hosts_that_are_set_up_for_kafka_pass(found: Found, tmp_path: Path):
    results = check(tmp_path, found[1])
    wanted = OF_NEGLECT | {
        "swapping-is-not-forbidden",
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
    assert {name: results[name]["reason"] for name in wanted if results[name]["outcome"] != "pass"} == {}


ON_FILES = {
    "files-with-credentials-are-closed",
    "files-with-credentials-belong-to-their-broker",
    "files-that-logins-need-are-there",
    "login-entries-are-ones-that-are-read",
    "kerberos-logins-have-a-keytab",
    "scram-users-stand-in-no-file",
    "the-file-would-start-a-broker",
    "what-no-acl-names-is-refused-on-hosts",
    "brokers-log-no-credentials",
}
"""The checks of security that a host which is set up right passes."""


def test_files_with_credentials_that_are_closed_and_complete_pass(found: Found, tmp_path: Path):
    results = check(tmp_path, found[1], "security.md")
    assert {name: results[name]["reason"] for name in ON_FILES if results[name]["outcome"] != "pass"} == {}
    assert failing(results["files-hold-references-instead-of-passwords"]) == {"kafka-1", "kafka-2", "kafka-3"}
    assert failing(results["super-users-are-those-declared-on-hosts"]) == {"kafka-1", "kafka-2", "kafka-3"}
    vulnerable = [row["key"] for row in results["no-release-has-a-known-vulnerability"]["rows"]]
    assert {"release": "3.9.0", "cve": "CVE-2025-27818"} in vulnerable
    assert {key["release"] for key in vulnerable} == {"3.9.0"}
    assert "hunter22" not in json.dumps(results)


def test_files_that_somebody_opened_took_away_or_wrote_wrongly_are_told_by_host(found: Found, tmp_path: Path):
    machines, settings = found
    upper = Path(machines[1].plan.folder, "upper")
    paths = (JAAS_FILE, "/etc/kafka/server.properties", "/var/log/kafka/server.log")
    jaas, properties, log = (upper / path[1:] for path in paths)
    kept = {file: (file.read_text(), file.stat()) for file in (jaas, properties, log)}
    try:
        jaas.write_text(WRONG_JAAS)
        jaas.chmod(0o666)
        os.chown(jaas, 0, 0)
        os.chown(properties, 7002, 7002)
        properties.chmod(0o604)
        properties.write_text(properties.read_text() + WRONG_PROPERTIES)
        log.write_text("all is well\nConnecting with password=hunter22\n")
        results = check(tmp_path, settings, "security.md")
    finally:
        for file, (text, before) in kept.items():
            file.write_text(text)
            file.chmod(before.st_mode & 0o777)
            os.chown(file, before.st_uid, before.st_gid)
    wrong = ON_FILES | {"plain-users-stand-in-no-file"}
    assert {name: failing(results[name]) for name in wrong} == {name: {"kafka-2"} for name in wrong}
    assert "hunter22" not in json.dumps(results)


WRONG_JAAS = """\
kafkaServer {
  org.apache.kafka.common.security.scram.ScramLoginModule required
  username="a" password="hunter22" user_alice="hunter22";
  org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="hunter22" user_bob="hunter22";
  com.sun.security.auth.module.Krb5LoginModule required
  useTicketCache=true keyTab="/etc/security/keytabs/gone.keytab" principal="kafka@LAB";
};
"""
WRONG_PROPERTIES = """\
security.inter.broker.protocol=SASL_SSL
allow.everyone.if.no.acl.found=true
"""


def test_each_of_many_troubles_is_told_and_none_hides_another(found: Found, tmp_path: Path):
    machines, settings = found
    door = {"address": machines[0].plan.address, "port": machines[0].plan.port}
    (tmp_path / "nobody").touch()
    (tmp_path / "other").write_text(f"[{door['address']}]:{door['port']} {make_key(tmp_path / 'key')}\n")
    more = {
        "stranger": {**door, "known_hosts": str(tmp_path / "nobody")},
        "impostor": {**door, "known_hosts": str(tmp_path / "other")},
    }
    for setting, value in NEGLECTED.items():
        machines[1].set_kernel(setting, value)
    os.kill(machines[2].first.pid, signal.SIGSTOP)
    try:
        results = check(tmp_path, settings | {"hosts": settings["hosts"] | more})
    finally:
        os.kill(machines[2].first.pid, signal.SIGCONT)
    assert {name: failing(results[name]) for name in OF_NEGLECT} == {name: {"kafka-2"} for name in OF_NEGLECT}
    unsure = results["swapping-is-not-forbidden"]
    assert unsure["outcome"] == "unknown"
    gaps = json.dumps(unsure)
    for words in ("host kafka-3", "did not answer in", "is not in known_hosts", "shows another host key"):
        assert words in gaps, gaps
