"""Three brokers with encryption, logins and rights: what security.md says of them as they should be, and wrong."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

from kafka_lab import LabState, security
from kafka_lab.jars import KAFKA_VERSION
from live.secure.changing import SCENES as CHANGES
from live.secure.in_files import HIDDEN_BY_KAFKA, ON_HOSTS
from live.secure.in_files import SCENES as IN_FILES
from live.secure.renewed import renewed
from support.evidence.expected import Expected
from support.evidence.fault import none_of
from support.evidence.labs import kafka_lab
from support.evidence.scene import State, scene
from support.java_compiler import no_compiler
from support.lab_hosts import LACKING, running_hosts
from support.security import broker, clients, hosts, rights
from support.security.guarded import DEADLINE, PATIENCE, as_it_is, fault_of, guarded, inventory, prompt, secrets_of


def systems() -> dict[str, str]:
    """What such a lab runs."""
    return {"kafka": KAFKA_VERSION}


def lacking() -> str:
    """Hosts beside it need root; a broker's homemade classes need a compiler."""
    return LACKING or no_compiler()


def lab(folder: Path) -> AbstractContextManager[LabState]:
    """Three brokers with logins, and their metrics."""
    return kafka_lab("secure", folder, ["security", "jmx"])


__all__ = ["CHANGES", "IN_FILES", "SCENES", "lab", "lacking", "renewed", "systems"]

ACTIVE: Final = frozenset(
    {
        "anonymous-clients-are-refused",
        "made-up-users-are-refused",
        "encrypted-listeners-refuse-plain-text",
        "offered-mechanisms-are-those-configured",
        "metrics-endpoints-require-a-login",
    }
)
FROM_OUTSIDE: Final = ACTIVE | {
    "certificates-have-not-expired",
    "old-versions-of-tls-are-off",
    "client-listeners-are-encrypted",
}
FROM_INSIDE: Final = frozenset(
    {
        "an-authorizer-decides-on-every-broker",
        "brokers-have-the-same-authorizer",
        "the-authorizer-fits-the-cluster",
        "no-acl-allows-all-users",
        "only-administrators-have-all-rights",
        "few-may-change-the-cluster",
        "no-right-is-taken-back",
        "no-right-is-given-twice",
        "passwords-are-hashed-many-times",
        "default-quotas-limit-every-client",
        "no-line-of-releases-has-a-known-vulnerability",
        "denials-are-logged",
    }
)
WELL: Final = Expected(passes=FROM_OUTSIDE | FROM_INSIDE, unknown=HIDDEN_BY_KAFKA)


# -- guarded

_JUST_STARTED: Final = frozenset({"leaders-are-the-preferred-ones", "work-is-spread-evenly"})


@scene(
    {
        # Brokers that have just started lead what they found without a leader, until the controller moves it back.
        "well": {"security": WELL, "ha": Expected(undetermined=_JUST_STARTED)},
        # Nothing is tried without leave; what brokers say of themselves needs none.
        "without-leave": {
            "security": Expected(passes={"client-listeners-are-encrypted"}, unknown=HIDDEN_BY_KAFKA | ACTIVE)
        },
    }
)
def guarded_as_it_should_be(lab: LabState, _folder: Path) -> Iterator[State]:
    """Nobody comes in who should not, and the reader has the least rights."""
    now = as_it_is(lab)

    def looked_at(name: str, environments: dict[str, Any]) -> State:
        def claims() -> Mapping[str, bool]:
            return {**guarded(now), **prompt(now)}

        return State(name, environments, claims, secrets=secrets_of(now), within=PATIENCE, deadline=DEADLINE)

    yield looked_at("well", inventory(now))
    yield looked_at("without-leave", inventory(now, active=False))


# -- one fault each

RULED_OUT: Final[Mapping[str, Mapping[str, Any]]] = {
    "services-have-the-rights-that-they-need": {"must": [f"User:{security.APPLICATION} Read Topic orders"]},
    "no-acl-grants-a-right-that-was-ruled-out": {"must_not": ["User:anybody Read Topic orders"]},
}


def _but(fails: Mapping[str, str | tuple[str, ...]], *passes: str, reachable: bool = True) -> Expected:
    """These fail and nothing besides.

    Args:
        fails: check → what its rows must say.
        passes: these pass, completely.
        reachable: whether clients still trust every broker; else what only the others would tell is unknown.
    """
    others = ("pass", "not_applicable") if reachable else ("pass", "not_applicable", "unknown")
    return Expected(fails=fails, passes=frozenset(passes), unknown=HIDDEN_BY_KAFKA - fails.keys(), others=others)


SCENES = [
    *(
        fault_of(fault, WELL, broken, params={}, module=__name__)
        for fault, broken in {
            "expired-certificate": _but(
                {
                    "certificates-have-not-expired": ("{BROKER_2}", "CN=kafka-2"),
                    "certificates-hold-for-weeks": ("{BROKER_2}", "CN=kafka-2"),
                },
                reachable=False,
            ),
            "expiring-certificate": _but(
                {"certificates-hold-for-weeks": ("{BROKER_2}", "CN=kafka-2")}, "certificates-have-not-expired"
            ),
            "wrong-name-certificate": _but(
                {"certificates-name-their-host": ("{BROKER_2}", "kafka-2.elsewhere.example")}, reachable=False
            ),
            "self-signed-certificate": _but(
                {"certificates-lead-to-a-trusted-authority": "{BROKER_2}"}, reachable=False
            ),
            "old-tls": _but({"old-versions-of-tls-are-off": ("{BROKER_2}", "TLSv1.1")}),
            "open-listener": _but(
                {
                    "anonymous-clients-are-refused": ("{OPEN}", "PLAINTEXT"),
                    "client-listeners-are-encrypted": ("{OPEN}", "PLAINTEXT"),
                }
            ),
            "no-quotas": _but({"default-quotas-limit-every-client": ("producer_byte_rate", "request_percentage")}),
            "weak-scram": _but({"passwords-are-hashed-many-times": ("legacy", "4096")}),
        }.items()
    ),
    fault_of(
        "allow-all-acl",
        Expected(passes=WELL.passes | RULED_OUT.keys(), unknown=HIDDEN_BY_KAFKA),
        _but(
            {
                "no-acl-allows-all-users": "all users may",
                "only-administrators-have-all-rights": "User:* has all rights on every",
                "no-acl-grants-a-right-that-was-ruled-out": "User:anybody Read Topic orders",
            },
            "services-have-the-rights-that-they-need",
        ),
        params=RULED_OUT,
        module=__name__,
    ),
]


# -- rights, users and quotas

DECLARED: Final[Mapping[str, Mapping[str, Any]]] = {
    "acls-are-those-declared": {"declared": rights.declared()},
    "bound-principals-come-from-their-hosts": {"bound": ["User:till"]},
    "services-have-the-rights-that-they-need": {"must": [f"User:{security.APPLICATION} Read Topic orders"]},
    "no-acl-grants-a-right-that-was-ruled-out": {"must_not": ["User:intern Create Cluster kafka-cluster"]},
    "super-users-are-those-declared-on-hosts": {"declared": ["User:admin"]},
}
WRONGLY_DECLARED: Final = DECLARED | {
    "acls-are-those-declared": {"declared": [*rights.declared(), "Allow User:nobody * Read Topic nothing Literal"]},
    "services-have-the-rights-that-they-need": {"must": ["User:shop Write Topic orders"]},
    "no-acl-grants-a-right-that-was-ruled-out": {"must_not": ["User:intern Write Topic payments"]},
}
ADMINISTRATORS: Final[Mapping[str, Mapping[str, Any]]] = {
    "only-administrators-have-all-rights": {"administrators": ["User:admin"]},
    "few-may-change-the-cluster": {"administrators": ["User:admin"]},
}


@scene(
    {
        "right": {
            "security": Expected(passes=WELL.passes | DECLARED.keys() - ON_HOSTS, unknown=HIDDEN_BY_KAFKA),
        },
        "wrong": {
            "security": _but(
                {
                    "no-acl-allows-all-users": ("Read", "payments"),
                    "only-administrators-have-all-rights": "User:intern",
                    "few-may-change-the-cluster": ("User:intern", "Alter"),
                    "no-right-is-taken-back": ("User:shop", "orders"),
                    "no-right-is-given-twice": ("User:intern", "payroll"),
                    "bound-principals-come-from-their-hosts": ("User:till", "payments"),
                    "acls-are-those-declared": ("User:intern", "User:shop", "User:nobody"),
                    "services-have-the-rights-that-they-need": "User:shop Write Topic orders",
                    "no-acl-grants-a-right-that-was-ruled-out": "User:intern Write Topic payments",
                    "denials-are-logged": "ERROR",
                    "passwords-are-hashed-many-times": ("intern", "4096"),
                    "default-quotas-limit-every-client": ("producer_byte_rate", "request_percentage"),
                }
            )
        },
    }
)
def rights_and_quotas(lab: LabState, _folder: Path) -> Iterator[State]:
    """The rights that were declared and no others; then too much, given to too many."""
    now = as_it_is(lab)
    with rights.completed(now):

        def looked_at(name: str, params: Mapping[str, Any], proof: Callable[[LabState], Mapping[str, bool]]) -> State:
            def claims() -> Mapping[str, bool]:
                return {**proof(now), **prompt(now)}

            environments = inventory(now, params | ADMINISTRATORS)
            return State(name, environments, claims, secrets=secrets_of(now), within=PATIENCE, deadline=DEADLINE)

        yield looked_at("right", DECLARED, rights.complete)
        with rights.spoiled(now):
            yield looked_at("wrong", WRONGLY_DECLARED, rights.too_much)


# -- one broker


@scene(
    {
        "wrong": {
            "security": _but(
                {
                    "anonymous-clients-are-refused": ("{OPEN}", "{EASY}"),
                    "made-up-users-are-refused": ("{LOGIN}", "PLAIN"),
                    "encrypted-listeners-refuse-plain-text": ("{ELSEWHERE}", "SASL_SSL"),
                    "offered-mechanisms-are-those-configured": ("PLAIN", "SCRAM-SHA-512"),
                    "metrics-endpoints-require-a-login": "/metrics",
                    "client-listeners-are-encrypted": ("OPEN", "LOGIN"),
                    "brokers-encrypt-among-themselves": "PLAINTEXT",
                    "logins-are-encrypted": ("LOGIN", "SASL_PLAINTEXT"),
                    "login-mechanisms-are-those-wanted": ("LOGIN", "PLAIN"),
                    "encryption-without-login-demands-a-certificate": "EASY",
                    "certificates-have-not-expired": "CN=weak",
                    "certificates-hold-for-weeks": "CN=weak",
                    "certificates-name-their-host": "elsewhere.example",
                    "certificates-lead-to-a-trusted-authority": "{EASY}",
                    "keys-and-signatures-are-strong": "RSA key of 1024 bits",
                    "old-versions-of-tls-are-off": ("{EASY}", "TLSv1.1"),
                    "weak-ciphers-are-refused": "{EASY}",
                    "brokers-have-the-same-authorizer": "Homemade",
                    "the-authorizer-fits-the-cluster": "Homemade",
                    "no-password-stands-in-a-brokers-file": "listener.name.login.plain.sasl.jaas.config",
                    "security-debugging-is-off": "krb5.debug: true",
                    "revoked-certificates-are-refused": "checkRevocation=",
                }
            )
        }
    }
)
def a_broker_that_lets_anybody_in(lab: LabState, folder: Path) -> Iterator[State]:
    """One broker with every kind of wrong listener, a homemade authorizer, and open metrics."""
    now = as_it_is(lab)
    params = {"revoked-certificates-are-refused": {"lists": True}}
    with broker.spoiled_broker(now, broker.compiled(now, folder)) as addresses:
        yield State(
            "wrong",
            inventory(now, params),
            lambda: {**broker.lets_anybody_in(now, addresses), **prompt(now)},
            words=addresses,
            secrets=secrets_of(now),
            within=PATIENCE,
            deadline=DEADLINE,
        )


# -- hosts and clients

# Of these no lab of KRaft on hosts can say more; where they are seen to pass is another shape's.
NOT_HERE: Final = frozenset(
    {
        "resources-without-an-acl-are-closed-as-deployed",
        "super-users-are-those-declared-as-deployed",
        "volumes-are-encrypted",
        "anonymous-clients-cannot-change-zookeeper",
        "zookeeper-hides-credentials",
        "brokers-protect-what-they-write-to-zookeeper",
        "brokers-encrypt-to-zookeeper",
        "zookeeper-takes-tls-only",
        "revoked-certificates-are-refused",
        "quotas-by-name-let-clients-work",
        "address-quotas-let-clients-connect",
        "no-deny-for-everyone-overrides-an-allow",
        "repositories-hold-no-client-passwords",
    }
)
NO_DEVICE: Final = frozenset({"data-is-encrypted-on-disk"})  # the root of a stand-in host is an overlay


@scene(
    {
        "right": {
            "security": Expected(unknown=HIDDEN_BY_KAFKA | NO_DEVICE, inapplicable=NOT_HERE, others=("pass",)),
        },
        "wrong": {
            "security": Expected(
                fails={
                    "clients-speak-tls": "billing.properties",
                    "clients-compare-names": "shop.properties",
                    "clients-keep-their-password-to-themselves": "billing.properties",
                    "clients-have-a-certificate-of-their-own": (
                        "shop: keystore ,",
                        "till: keystore /etc/shared/store.p12",
                    ),
                    "files-with-credentials-are-closed": ("kafka_server_jaas.conf", "666"),
                    "files-with-credentials-belong-to-their-broker": "server.properties",
                    "files-that-logins-need-are-there": "gone.keytab",
                    "login-entries-are-ones-that-are-read": "kafkaServer",
                    "kerberos-logins-have-a-keytab": "kafka@LAB",
                    "scram-users-stand-in-no-file": "alice",
                    "plain-users-stand-in-no-file": "bob",
                    "brokers-log-in-as-users-that-exist": "ghost",
                    "the-file-would-start-a-broker": "security.inter.broker.protocol",
                    "resources-without-an-acl-are-closed-on-hosts": "server.properties",
                    "super-users-are-those-declared-on-hosts": "User:*",
                    "files-hold-references-instead-of-passwords": "ssl.key.password",
                    "brokers-log-no-credentials": "/var/log/kafka/server.log has 1 line that",
                    "applications-log-no-credentials": "1 of 2 lines",
                    "no-release-has-a-known-vulnerability": ("3.9.0", "CVE-2025-27818"),
                },
                unknown=HIDDEN_BY_KAFKA | NO_DEVICE,
                inapplicable=NOT_HERE,
                others=("pass",),
            )
        },
    }
)
def hosts_and_clients(lab: LabState, folder: Path) -> Iterator[State]:
    """A lab with nothing wrong at all, hosts and clients included; then files of hosts and clients that are."""
    now = as_it_is(lab)
    beside = folder / "hosts"
    beside.mkdir()
    with rights.completed(now), running_hosts(beside, 3, hosts.right_host) as (machines, reached):
        secrets = secrets_of(now)

        def looked_at(state: str) -> tuple[dict[str, Any], dict[str, Any]]:
            files = clients.client_files(folder, state)
            return files, inventory(now, DECLARED, ssh=reached, files=files)

        files, environments = looked_at("right")

        def right() -> Mapping[str, bool]:
            wrong = {**hosts.neglected(machines, reached), **clients.careless(files)}
            nothing = none_of(lambda: wrong)()
            return {**guarded(now), **rights.complete(now), **nothing, **prompt(now)}

        yield State("right", environments, right, secrets=secrets, within=PATIENCE, deadline=DEADLINE)
        hosts.spoil_hosts(machines)
        spoiled, environments = looked_at("wrong")

        def wrong() -> Mapping[str, bool]:
            return {**hosts.neglected(machines, reached), **clients.careless(spoiled), **prompt(now)}

        yield State("wrong", environments, wrong, secrets=secrets, within=PATIENCE, deadline=DEADLINE)


@scene(
    {
        "wrong": {
            "security": _but({"data-is-encrypted-on-disk": "kafka-1"}),
        }
    }
)
def a_plain_disk(lab: LabState, folder: Path) -> Iterator[State]:
    """A broker keeps its data on a device that encrypts nothing."""
    now = as_it_is(lab)
    with rights.completed(now), running_hosts(folder, 1, hosts.right_host) as ([machine], reached):
        data = hosts.move_to_a_plain_disk(machine)
        environments = inventory(now, DECLARED, ssh=reached)

        def claims() -> Mapping[str, bool]:
            return {**hosts.on_a_plain_disk(machine, reached, data), **rights.complete(now), **prompt(now)}

        yield State("wrong", environments, claims, secrets=secrets_of(now), within=PATIENCE, deadline=DEADLINE)
