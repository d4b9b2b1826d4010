"""A certificate is renewed while its broker runs: listeners show it, and the broker connects with the one before."""

import ssl
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from kafka_lab import LabState, security
from kafka_lab.admin import change_settings
from live.secure.in_files import HIDDEN_BY_KAFKA
from support.evidence.expected import Expected
from support.evidence.scene import State, scene
from support.security.guarded import DEADLINE, PATIENCE, as_it_is, inventory, prompt, secrets_of

_CHECK: Final = "nodes-connect-to-controllers-with-what-they-show"
_NUMBER: Final = 2
_FILE: Final = f"broker-{_NUMBER}"
_LISTENERS: Final = ("mutual", "controller")
"""What shows the store that brokers connect with, in the words of settings."""


@scene(
    {
        "running": {
            "security": Expected(
                fails={_CHECK: "connects to the controllers with the previous certificate"},
                only={_CHECK: {"node": {_NUMBER}}},
                unknown=HIDDEN_BY_KAFKA,
                others=("pass", "not_applicable"),
            )
        },
        "restarted": {
            "security": Expected(passes=frozenset({_CHECK}), unknown=HIDDEN_BY_KAFKA, others=("pass", "not_applicable"))
        },
    }
)
def renewed(lab: LabState, _folder: Path) -> Iterator[State]:
    """Broker 2 reads a new certificate of the same authority while it runs; then it is restarted."""
    now = as_it_is(lab)
    folder = security.folder(now)
    before = now.broker(_NUMBER).process
    security.authority(now).issue(_FILE, _FILE, names=security.NAMES, held=0)
    security.write_key_store(now, _FILE)
    settings = [f"listener.name.{listener}.ssl.keystore.location" for listener in _LISTENERS]
    change_settings(now, "broker", {str(_NUMBER): dict.fromkeys(settings, str(folder / f"{_FILE}.pem"))})

    def looked_at(name: str, *, restarted: bool) -> State:
        lab = as_it_is(now)

        def claims() -> Mapping[str, bool]:
            shown = ssl.get_server_certificate(_of(lab), timeout=10)
            made = (folder / f"{_FILE}.crt").read_text("ascii")
            return {
                "broker 2 shows the certificate that was made last": shown.split() == made.split(),
                f"broker 2 was {'' if restarted else 'not '}restarted since": (
                    (lab.broker(_NUMBER).process != before) == restarted
                ),
                **prompt(lab),
            }

        environments, secrets = inventory(lab), secrets_of(lab)
        return State(name, environments, claims, secrets=secrets, within=PATIENCE, deadline=DEADLINE)

    try:
        yield looked_at("running", restarted=False)
        security.restart(now, _NUMBER)
        yield looked_at("restarted", restarted=True)
    finally:
        change_settings(now, "broker", {str(_NUMBER): dict.fromkeys(settings)})


def _of(lab: LabState) -> tuple[str, int]:
    host, _, port = security.address(lab, lab.broker(_NUMBER), "MUTUAL").rpartition(":")
    return host, int(port)
