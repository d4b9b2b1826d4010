"""`runbook check security` on a secure lab with hosts and clients: all of it right, then as much as possible wrong."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

import security_states as states
from lab_hosts import LACKING, running_hosts
from runbook import lab as labs
from runbook.lab import LabState, security

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
WHY_NOT = LACKING or states.no_compiler()
pytestmark = [pytest.mark.live, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)]
Results = dict[str, dict[str, Any]]


class Found(NamedTuple):
    """What the runbook said of each state, and the addresses of the wrong listeners."""

    right: Results
    wrong: Results
    addresses: dict[str, str]


def parameters(**changed: Any) -> dict[str, Any]:
    told: dict[str, dict[str, Any]] = {
        "acls-are-those-declared": {"declared": states.declared()},
        "bound-principals-come-from-their-hosts": {"bound": ["User:till"]},
        "services-have-the-rights-that-they-need": {"must": [f"User:{security.APPLICATION} Read Topic orders"]},
        "nobody-has-a-right-that-was-ruled-out": {"must_not": ["User:intern Create Cluster kafka-cluster"]},
        "super-users-are-those-declared-on-hosts": {"declared": ["User:admin"]},
    }
    return {f"security/{check}": values for check, values in (told | changed).items()}


def check(lab: LabState, folder: Path, name: str, **entries: Any) -> Results:
    """Run the runbook through the command line; gives the results by check."""
    told = yaml.safe_load(Path(lab.folder, "environments.yaml").read_text())
    environment = told["environments"][lab.name]
    environment |= entries | {"params": environment.get("params", {}) | entries["params"]}
    environment["absent"] = {one: why for one, why in environment["absent"].items() if one not in entries}
    inventory = folder / f"{name}.yaml"
    inventory.write_text(yaml.safe_dump(told))
    command = [RUNBOOK, "check", "security", "-i", str(inventory), "-f", "json", "--deadline", "90s"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=150, env=dict(os.environ), check=False)
    assert done.stderr == ""
    assert states.SECRET not in done.stdout
    return {one["check"].partition("/")[2]: one for one in json.loads(done.stdout)["results"]}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Found]:
    """The runbook's word on both states of one lab."""
    home, folder = (tmp_path_factory.mktemp(name) for name in ("bothways", "beside"))
    with running_hosts(tmp_path_factory.mktemp("hosts"), 3, states.right_host) as (machines, ssh):
        try:
            lab = labs.up("bothways", home=home, progress=print, with_parts=["security", "jmx"])
            states.complete(lab)
            jar = states.compiled(lab, folder)
            files = states.client_files(folder, "right")
            right = check(lab, folder, "right", ssh=ssh, files=files, params=parameters())
            states.spoil_rights(lab)
            addresses = states.spoil_broker(lab, jar)
            states.quiet_denials(lab)
            states.spoil_hosts(machines)
            params = parameters(
                **{
                    "services-have-the-rights-that-they-need": {"must": ["User:shop Write Topic orders"]},
                    "nobody-has-a-right-that-was-ruled-out": {"must_not": ["User:intern Write Topic payments"]},
                    "revoked-certificates-are-refused": {"lists": True},
                }
            )
            files = states.client_files(folder, "wrong")
            yield Found(right, check(lab, folder, "wrong", ssh=ssh, files=files, params=params), addresses)
        finally:
            labs.down("bothways", home=home)


IN_KUBERNETES = "test_kubernetes.py::test_what_is_deployed_of_security_passes_when_right_and_fails_when_wrong"
IN_ZOOKEEPER = "test_zookeeper.py::test_nodes_that_brokers_protect_are_closed_to_strangers_and_plain_ports_are_told"
OPENED = "test_zookeeper.py::test_nodes_that_somebody_opened_are_told_and_healing_closes_them"
OVER_TLS = (
    "test_zookeeper.py::test_servers_and_brokers_that_speak_tls_alone_pass_and_a_broker_that_protects_nothing_fails"
)
OF_AN_OLD_BROKER = "test_security_of_an_old_broker.py::test_what_kafka_need_not_hide_passes"
PASSED_ELSEWHERE = {
    "what-no-acl-names-is-refused": OF_AN_OLD_BROKER,
    "super-users-are-those-declared": OF_AN_OLD_BROKER,
    "no-password-stands-in-a-brokers-file": OF_AN_OLD_BROKER,
    "revoked-certificates-are-refused": OF_AN_OLD_BROKER,
    "what-no-acl-names-is-refused-as-deployed": IN_KUBERNETES,
    "super-users-are-those-declared-as-deployed": IN_KUBERNETES,
    "volumes-are-encrypted": IN_KUBERNETES,
    "strangers-change-nothing-in-zookeeper": IN_ZOOKEEPER,
    "zookeeper-hides-credentials": IN_ZOOKEEPER,
    "brokers-protect-what-they-write-to-zookeeper": IN_ZOOKEEPER,
    "brokers-encrypt-to-zookeeper": OVER_TLS,
    "zookeeper-takes-tls-only": OVER_TLS,
}
"""What needs another system to pass: which live test sees it."""
FAILED_ELSEWHERE = {
    "no-line-of-releases-has-a-known-vulnerability": (
        "test_security_of_an_old_broker.py::"
        "test_a_line_of_releases_with_a_vulnerability_that_no_patch_of_it_mends_fails"
    ),
    "what-no-acl-names-is-refused-as-deployed": IN_KUBERNETES,
    "super-users-are-those-declared-as-deployed": IN_KUBERNETES,
    "volumes-are-encrypted": IN_KUBERNETES,
    "strangers-change-nothing-in-zookeeper": OPENED,
    "zookeeper-hides-credentials": OPENED,
    "brokers-protect-what-they-write-to-zookeeper": OVER_TLS,
    "brokers-encrypt-to-zookeeper": IN_ZOOKEEPER,
    "zookeeper-takes-tls-only": IN_ZOOKEEPER,
}
"""What needs another system to fail: which live test sees it."""
NEVER_PASSED = {
    "data-is-encrypted-on-disk": "dm-crypt needs a device mapper, which the kernel of a test's machine need not have",
}
NEVER_FAILED = {
    "what-no-acl-names-is-refused": "where the setting is set, Kafka hides to what: it is unknown then, as seen here",
    "super-users-are-those-declared": "where the setting is set, Kafka hides to what: it is unknown then, as seen here",
}
if not states.LIES_ON_A_DISK:
    NEVER_FAILED["data-is-encrypted-on-disk"] = "folders of tests lie on no device here"


def outcomes(results: Results, outcome: str) -> set[str]:
    return {check for check, result in results.items() if result["outcome"] == outcome}


def test_every_check_passes_where_all_is_right_here_or_in_a_test_that_is_named(found: Found):
    assert set(found.right) - outcomes(found.right, "pass") == PASSED_ELSEWHERE.keys() | NEVER_PASSED.keys()
    assert outcomes(found.right, "fail") == set()


def test_every_check_fails_where_all_is_wrong_here_or_in_a_test_that_is_named(found: Found):
    assert set(found.wrong) - outcomes(found.wrong, "fail") == FAILED_ELSEWHERE.keys() | NEVER_FAILED.keys()


def test_what_can_not_be_seen_is_never_guessed(found: Found):
    for check in NEVER_PASSED.keys() | NEVER_FAILED.keys():
        assert found.right[check]["outcome"] == "unknown"
    assert {found.wrong[check]["outcome"] for check in NEVER_FAILED} == {"unknown"}


@pytest.mark.parametrize(("check", "place"), [*PASSED_ELSEWHERE.items(), *FAILED_ELSEWHERE.items()])
def test_the_test_that_is_named_is_there_and_speaks_of_the_check(check: str, place: str):
    file, _, test = place.partition("::")
    text = Path(__file__).with_name(file).read_text("utf-8")
    assert f"def {test}(" in text
    assert f'"{check}"' in text


EVIDENCE = {
    "nobody-comes-in-without-credentials": {"{OPEN}", "{EASY}"},
    "made-up-users-are-refused": {"{LOGIN}", "PLAIN"},
    "encrypted-listeners-refuse-plain-text": {"{ELSEWHERE}", "SASL_SSL"},
    "offered-mechanisms-are-those-configured": {"PLAIN", "SCRAM-SHA-512"},
    "metrics-are-not-for-everybody": {"/metrics"},
    "client-listeners-are-encrypted": {"OPEN", "LOGIN"},
    "brokers-encrypt-among-themselves": {"PLAINTEXT"},
    "logins-are-encrypted": {"LOGIN", "SASL_PLAINTEXT"},
    "login-mechanisms-are-those-wanted": {"LOGIN", "PLAIN"},
    "encryption-without-login-demands-a-certificate": {"EASY"},
    "certificates-have-not-expired": {"CN=weak"},
    "certificates-hold-for-weeks": {"CN=weak"},
    "certificates-name-their-host": {"elsewhere.example"},
    "certificates-lead-to-a-trusted-authority": {"{EASY}"},
    "keys-and-signatures-are-strong": {"RSA of 1024 bits"},
    "old-versions-of-tls-are-off": {"{EASY}", "TLSv1.1"},
    "weak-ciphers-are-refused": {"{EASY}"},
    "an-authorizer-decides-on-every-broker": {"Homemade"},
    "the-authorizer-fits-the-cluster": {"Homemade"},
    "nothing-is-allowed-to-everybody": {"Read", "payments"},
    "nobody-may-do-everything": {"User:intern"},
    "few-may-change-the-cluster": {"User:intern", "Alter"},
    "no-right-is-taken-back": {"User:shop", "orders"},
    "no-right-is-given-twice": {"User:intern", "payroll"},
    "bound-principals-come-from-their-hosts": {"User:till", "payments"},
    "acls-are-those-declared": {"User:intern", "User:shop"},
    "services-have-the-rights-that-they-need": {"User:shop Write Topic orders"},
    "nobody-has-a-right-that-was-ruled-out": {"User:intern Write Topic payments"},
    "denials-are-logged": {"ERROR"},
    "passwords-are-hashed-many-times": {"intern", "4096"},
    "clients-of-which-nobody-thought-are-limited": {"producer_byte_rate", "request_percentage"},
    "clients-speak-tls": {"billing.properties"},
    "clients-compare-names": {"shop.properties"},
    "clients-keep-their-password-to-themselves": {"billing.properties"},
    "clients-have-a-certificate-of-their-own": {"shop: keystore ,", "till: keystore /etc/shared/store.p12"},
    "no-password-stands-in-a-brokers-file": {"listener.name.login.plain.sasl.jaas.config"},
    "files-with-credentials-are-closed": {"kafka_server_jaas.conf", "666"},
    "files-with-credentials-belong-to-their-broker": {"server.properties"},
    "files-that-logins-need-are-there": {"gone.keytab"},
    "login-entries-are-ones-that-are-read": {"kafkaServer"},
    "kerberos-logins-have-a-keytab": {"kafka@LAB"},
    "scram-users-stand-in-no-file": {"alice"},
    "plain-users-stand-in-no-file": {"bob"},
    "brokers-log-in-as-users-that-exist": {"ghost"},
    "the-file-would-start-a-broker": {"security.inter.broker.protocol"},
    "what-no-acl-names-is-refused-on-hosts": {"server.properties"},
    "super-users-are-those-declared-on-hosts": {"User:*"},
    "files-hold-references-instead-of-passwords": {"ssl.key.password"},
    "brokers-log-no-credentials": {"/var/log/kafka/server.log has 1 lines"},
    "applications-log-no-credentials": {"1 of 2 lines"},
    "no-release-has-a-known-vulnerability": {"3.9.0", "CVE-2025-27818"},
    "security-debugging-is-off": {"krb5.debug=true"},
    "revoked-certificates-are-refused": {"checkRevocation="},
}


@pytest.mark.parametrize("check", EVIDENCE)
def test_what_fails_names_what_is_wrong(check: str, found: Found):
    shown = " ".join(row["message"] for row in found.wrong[check]["rows"] if row["outcome"] == "fail")
    assert {words for words in EVIDENCE[check] if words.format_map(found.addresses) not in shown} == set(), shown


def test_every_failure_that_is_seen_here_names_what_is_wrong(found: Found):
    assert outcomes(found.wrong, "fail") - FAILED_ELSEWHERE.keys() - {"data-is-encrypted-on-disk"} == set(EVIDENCE)
