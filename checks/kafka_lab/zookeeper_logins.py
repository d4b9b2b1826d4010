"""Who may do what in the ZooKeeper of a lab: brokers log in by SASL, and one user of the lab is above all ACLs."""

import base64
import hashlib
import json
import secrets
from pathlib import Path
from typing import Final

from kafka_lab.state import LabState

SUPER: Final = "super"
BROKERS: Final = "kafka"
_JAAS = """\
Server {{
  org.apache.zookeeper.server.auth.DigestLoginModule required user_{user}="{password}";
}};
Client {{
  org.apache.zookeeper.server.auth.DigestLoginModule required username="{user}" password="{password}";
}};
"""


def write_logins(lab: LabState) -> None:
    """Make up the passwords, and write what servers and brokers read of them."""
    made = {user: secrets.token_hex(16) for user in (SUPER, BROKERS)}
    _write(_passwords_file(lab), json.dumps(made))
    _write(_jaas_file(lab), _JAAS.format(user=BROKERS, password=made[BROKERS]))


def login_options(lab: LabState) -> list[str]:
    """The option by which a JVM finds its login."""
    return [f"-Djava.security.auth.login.config={_jaas_file(lab)}"]


def super_password(lab: LabState) -> str:
    """The password of the user whom no ACL binds."""
    return str(json.loads(_passwords_file(lab).read_text("utf-8"))[SUPER])


def super_digest(lab: LabState) -> str:
    """That user as a server is told of it: name, and base64 of SHA-1 over name:password (ZooKeeper's own choice)."""
    login = f"{SUPER}:{super_password(lab)}".encode()
    return f"{SUPER}:{base64.b64encode(hashlib.sha1(login, usedforsecurity=False).digest()).decode()}"


def _write(file: Path, text: str) -> None:
    file.touch(mode=0o600)
    file.chmod(0o600)
    file.write_text(text, encoding="utf-8")


def _passwords_file(lab: LabState) -> Path:
    return Path(lab.folder, "config", "zookeeper-passwords.json")


def _jaas_file(lab: LabState) -> Path:
    return Path(lab.folder, "config", "zookeeper-jaas.conf")
