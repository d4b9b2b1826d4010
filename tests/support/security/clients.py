"""Configuration and log files of clients, right or wrong."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from support.security import SECRET

_CLIENTS: Final[Mapping[str, Mapping[str, str]]] = {
    "right": {
        "billing": "security.protocol=SASL_SSL\nsasl.mechanism=SCRAM-SHA-512\n"
        "ssl.endpoint.identification.algorithm=https\n",
        "shop": "security.protocol=SSL\nssl.keystore.location=/etc/shop/shop.p12\n",
        "till": "security.protocol=SSL\nssl.keystore.location=/etc/till/till.p12\n",
    },
    "wrong": {
        "billing": "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\n",
        "shop": "security.protocol=SSL\nssl.endpoint.identification.algorithm=\n",
        "till": "security.protocol=SSL\nssl.keystore.location=/etc/shared/store.p12\n",
        "kiosk": "security.protocol=SSL\nssl.keystore.location=/etc/shared/store.p12\n",
    },
}
_LOGS: Final = {
    "right": "INFO started\nINFO sasl.jaas.config = [hidden]\n",
    "wrong": f"INFO started\nINFO connecting with password={SECRET}\n",
}


def client_files(folder: Path, state: str) -> dict[str, Any]:
    """Write the configurations and logs of some clients; gives the connection that reads them."""
    place = folder / state
    place.mkdir()
    for name, text in _CLIENTS[state].items():
        (place / f"{name}.properties").write_text(text)
        (place / f"{name}.log").write_text(_LOGS[state])
    return {
        "clients": [
            {"name": name, "kind": "producer", "path": str(place / f"{name}.properties")} for name in _CLIENTS[state]
        ],
        "logs": [{"client": name, "path": str(place / f"{name}.log")} for name in _CLIENTS[state]],
    }


def careless(files: dict[str, Any]) -> Mapping[str, bool]:
    """What proves that clients are wrong: what an administrator would find in their files."""
    said = {client["name"]: Path(client["path"]).read_text() for client in files["clients"]}
    stores = [line for text in said.values() for line in text.splitlines() if line.startswith("ssl.keystore.location=")]
    return {
        "billing speaks plain text": "security.protocol=SASL_PLAINTEXT" in said["billing"],
        "billing sends its password": "sasl.mechanism=PLAIN\n" in said["billing"],
        "shop compares no names": "identification.algorithm=\n" in said["shop"],
        "two clients share a certificate": len(set(stores)) < len(stores),
        "every log holds a password": all(SECRET in Path(log["path"]).read_text() for log in files["logs"]),
    }
