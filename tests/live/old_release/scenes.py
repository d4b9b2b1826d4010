"""One broker of an old line of releases, from which Kafka hides nothing: what security.md says of it."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from support.evidence.expected import Expected
from support.evidence.scene import State, scene
from support.security.old_broker import RELEASE, OldBroker, of_old, old_broker


def systems() -> dict[str, str]:
    """What it runs."""
    return {"kafka": RELEASE}


def lacking() -> str:
    """Nothing but Java, which comes with the tests."""
    return ""


def lab(folder: Path) -> AbstractContextManager[OldBroker]:
    """The broker."""
    return old_broker(folder)


@scene(
    {
        "of-old": {
            "security": Expected(
                fails={"no-line-of-releases-has-a-known-vulnerability": ("'release': '3.8'", "CVE-2026-33558")},
                passes={
                    "resources-without-an-acl-are-closed",
                    "super-users-are-those-declared",
                    "no-password-stands-in-a-brokers-file",
                    "revoked-certificates-are-refused",
                },
                others=("pass", "fail", "unknown", "not_applicable"),  # it is open to everybody: another scene's matter
            )
        }
    }
)
def nothing_is_hidden(lab: OldBroker, _folder: Path) -> Iterator[State]:
    """A broker without a super user and without a password in its file."""
    environment = {
        "kafka": {"bootstrap.servers": lab.address},
        "jolokia": {"agents": {1: f"http://127.0.0.1:{lab.agent}/jolokia"}},
        "params": {"security/revoked-certificates-are-refused": {"lists": True}},
    }
    inventory = {"environments": {"old": environment}}
    yield State("of-old", inventory, lambda: of_old(lab), within=400, deadline=90)
