"""What the gates of security.md see while credentials are changed: half-way, and when it is done."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from kafka_lab import LabState, security
from kafka_lab.admin import kafka_python
from support.built_in import GATES
from support.evidence.expected import Expected
from support.evidence.scene import State, scene
from support.security.guarded import DEADLINE, PATIENCE, as_it_is, inventory, prompt, secrets_of
from support.security.logins import IN, SHA_256, SHA_512, knock, login, set_password, with_users

LEAKS: Final = "courier"
ROUNDS: Final = 8193
_NEW: Final = "made-up-and-new"
_PLAIN: Final = {
    "listener.name.clients.sasl.enabled.mechanisms": f"{SHA_512},PLAIN",
    "listener.name.clients.plain.sasl.jaas.config": (
        f'org.apache.kafka.common.security.plain.PlainLoginModule required user_{LEAKS}="{_NEW}";'
    ),
}
_TOLD: Final = {
    "the-password-was-set-anew": {"name": LEAKS, "iterations": ROUNDS},
}
_HALF_WAY = Expected(
    fails={
        "the-password-was-set-anew": (SHA_256, "16384 iterations"),
        "passwords-are-kafkas-own": "PLAIN",
    }
)
_DONE = Expected(passes=frozenset({"the-password-was-set-anew", "passwords-are-kafkas-own"}))


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
            told = inventory(now, _TOLD)

            def half_way() -> Mapping[str, bool]:
                by_plain = knock(now, 1, login(now, LEAKS, _NEW, "PLAIN"))
                return {"PLAIN lets the user in at broker 1": by_plain == IN, **_rounds(now, 16384), **prompt(now)}

            yield State("half-way", told, half_way, secrets=secrets, within=PATIENCE, deadline=DEADLINE)
        finally:
            security.restore(now)
        set_password(now, LEAKS, _NEW, SHA_256, ROUNDS)

        def done() -> Mapping[str, bool]:
            return {**_rounds(now, ROUNDS), **prompt(now)}

        yield State("done", inventory(now, _TOLD), done, secrets=secrets, within=PATIENCE, deadline=DEADLINE)


def _rounds(lab: LabState, by_256: int) -> dict[str, bool]:
    """What proves how often the user's two passwords are hashed, by the word of the brokers."""
    with kafka_python(lab) as admin:
        told = admin.describe_user_scram_credentials([LEAKS])[LEAKS]["credential_infos"]
    found = sorted((str(one["mechanism"].name).replace("_", "-"), int(one["iterations"])) for one in told)
    return {f"SCRAM-SHA-256 has {by_256} iterations": found == [(SHA_256, by_256), (SHA_512, ROUNDS)]}


SCENES = [changing]
