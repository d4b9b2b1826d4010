"""What the gates of security.md see while credentials are changed or a user is replaced: half-way, and at the end."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from kafka_lab import LabState, security
from kafka_lab.admin import kafka_python
from kafka_lab.rights import Right, allow, disallow
from kafka_lab.rights_signs import allowed
from support.built_in import GATES
from support.evidence.expected import Expected
from support.evidence.scene import State, scene
from support.security.guarded import DEADLINE, PATIENCE, as_it_is, inventory, prompt, secrets_of
from support.security.logins import BOTH, IN, SHA_256, SHA_512, knock, login, set_password, with_users

LEAKS: Final = "courier"
ROUNDS: Final = 8193
ANY: Final = ("pass", "fail", "unknown", "not_applicable")
"""What other gates may say, as their part of the lab is no matter of the state."""
_NEW: Final = "made-up-and-new"
_PLAIN: Final = {
    "listener.name.clients.sasl.enabled.mechanisms": f"{SHA_512},PLAIN",
    "listener.name.clients.plain.sasl.jaas.config": (
        f'org.apache.kafka.common.security.plain.PlainLoginModule required user_{LEAKS}="{_NEW}";'
    ),
}
_BEFORE: Final = {"brokers-were-restarted-since": {"since": "2026-01-01T00:00:00Z"}}
_LATER: Final = {"brokers-were-restarted-since": {"since": "2126-01-01T00:00:00Z"}}
_TOLD: Final = {
    "the-password-was-set-anew": {"name": LEAKS, "iterations": ROUNDS},
}
_HALF_WAY = Expected(
    fails={
        "the-password-was-set-anew": (SHA_256, "16384 iterations"),
        "passwords-are-kafkas-own": "PLAIN",
        "brokers-were-restarted-since": ("broker 1", "broker 2", "broker 3"),
    },
    others=ANY,
)
_DONE = Expected(
    passes=frozenset(
        {
            "clients-can-come-encrypted",
            "the-password-was-set-anew",
            "passwords-are-kafkas-own",
            "brokers-were-restarted-since",
        }
    ),
    others=ANY,
)


@scene({"half-way": {f"security{GATES}": _HALF_WAY}, "done": {f"security{GATES}": _DONE}})
def changing(lab: LabState, _folder: Path) -> Iterator[State]:
    """A password is changed by one of two mechanisms, and one broker takes PLAIN; then both, and none does."""
    now = as_it_is(lab)
    secrets = [*secrets_of(now), _NEW]
    with with_users(now, [LEAKS], []):
        set_password(now, LEAKS, security.password(now, LEAKS), SHA_256)
        set_password(now, LEAKS, _NEW, SHA_512, ROUNDS)
        try:
            security.alter(now, [1], _PLAIN)
            inventory_ = inventory(now, _TOLD | _LATER)

            def half_way() -> Mapping[str, bool]:
                by_plain = knock(now, 1, login(now, LEAKS, _NEW, "PLAIN"))
                return {"PLAIN lets the user in at broker 1": by_plain == IN, **_rounds(now, 16384), **prompt(now)}

            yield State("half-way", inventory_, half_way, secrets=secrets, within=PATIENCE, deadline=DEADLINE)
        finally:
            security.restore(now)
        set_password(now, LEAKS, _NEW, SHA_256, ROUNDS)

        def done() -> Mapping[str, bool]:
            return {**_rounds(now, ROUNDS), **prompt(now)}

        yield State("done", inventory(now, _TOLD | _BEFORE), done, secrets=secrets, within=PATIENCE, deadline=DEADLINE)


def _rounds(lab: LabState, by_256: int) -> dict[str, bool]:
    """What proves how often the user's two passwords are hashed, by the word of the brokers."""
    with kafka_python(lab) as admin:
        credentials = admin.describe_user_scram_credentials([LEAKS])[LEAKS]["credential_infos"]
    found = sorted((str(one["mechanism"].name).replace("_", "-"), int(one["iterations"])) for one in credentials)
    return {f"SCRAM-SHA-256 has {by_256} iterations": found == [(SHA_256, by_256), (SHA_512, ROUNDS)]}


# -- a user, the rights of an open cluster, and certificates

NEXT: Final = "carrier"
_MEANWHILE: Final = [
    *(Right("*", kind, "*", "all") for kind in ("topic", "group", "transactional_id", "delegation_token")),
    Right("*", "cluster", "kafka-cluster", "all"),
]
_MUST: Final = [f"User:{NEXT} Write Topic parcels"]
_REPLACING = {
    "begun": Expected(
        fails={
            "the-next-user-has-the-same-rights": "Allow Write Topic parcels Literal from *",
            "the-old-user-has-no-rights": f"User:{LEAKS}",
            "both-mechanisms-are-offered": "CLIENTS",
            "acls-for-all-users-replace-the-open-default": ("User:* All Topic *", "User:* All Group *"),
            "rights-are-there-by-name": _MUST[0],
            "brokers-show-the-new-certificates": ("CN=kafka-1", "CN=broker-3"),
        },
        others=ANY,
    ),
    "moved": Expected(
        passes=frozenset(
            {
                "the-next-user-has-the-same-rights",
                "acls-for-all-users-replace-the-open-default",
                "rights-are-there-by-name",
                "brokers-show-the-new-certificates",
            }
        ),
        others=ANY,
    ),
    "done": Expected(passes=frozenset({"the-old-user-has-no-rights", "both-mechanisms-are-offered"}), others=ANY),
}


@scene({state: {f"security{GATES}": expected} for state, expected in _REPLACING.items()})
def replacing(lab: LabState, _folder: Path) -> Iterator[State]:
    """One user is there and the next lacks its rights; then it has them, and everybody all; then only one is left."""
    now = as_it_is(lab)
    old, new = ([Right(user, "topic", "parcels", "write")] for user in (LEAKS, NEXT))
    environments = {
        "the-next-user-has-the-same-rights": {"name": LEAKS, "next_name": NEXT},
        "the-old-user-has-no-rights": {"name": LEAKS},
        "rights-are-there-by-name": {"must": _MUST},
    }
    shown = {"brokers-show-the-new-certificates": {"fingerprints": _fingerprints(now)}}

    def looked_at(name: str, params: Mapping[str, Mapping[str, Any]], *there: Right) -> State:
        def claims() -> Mapping[str, bool]:
            found = {one for one in allowed(now) if one.user in (LEAKS, NEXT, "*")}
            return {"these ACLs are there and no others": found == {*there}, **prompt(now)}

        return State(
            name,
            inventory(now, params),
            claims,
            secrets=secrets_of(now),
            within=PATIENCE,
            deadline=DEADLINE,
        )

    with with_users(now, [LEAKS, NEXT], old):
        try:
            yield looked_at("begun", environments, *old)
            allow(now, [*new, *_MEANWHILE])
            yield looked_at("moved", environments | shown, *old, *new, *_MEANWHILE)
            disallow(now, [*old, *_MEANWHILE])
            security.alter(now, [broker.number for broker in now.brokers], BOTH)
            yield looked_at("done", environments, *new)
        finally:
            disallow(now, [*new, *_MEANWHILE])
            security.restore(now)


def _fingerprints(lab: LabState) -> list[str]:
    """SHA-256 of the certificates that the brokers show, as their files have them."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes

    files = [
        security.folder(lab) / f"{kind}-{broker.number}.crt" for broker in lab.brokers for kind in ("clients", "broker")
    ]
    return [x509.load_pem_x509_certificate(file.read_bytes()).fingerprint(hashes.SHA256()).hex() for file in files]


SCENES = [changing, replacing]
