"""Settings that librdkafka does not take: the setting and the file are named, and what is wrong with it."""

import re
import subprocess
from pathlib import Path

import pytest

from runbook.connections.kafka import connect
from runbook.model.errors import Misconfigured
from runbook.model.probe import Deadline
from support.fault_servers import expired_certificate


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate, its key in the open, encrypted and with it in PKCS#12; another's key; and an empty file."""
    folder = tmp_path_factory.mktemp("files")
    certificate, key = expired_certificate(folder)
    certificate.rename(folder / "own.crt")
    key.rename(folder / "own.key")
    (folder / "empty").touch()
    for command in (
        ("pkey", "-in", "own.key", "-aes256", "-passout", "pass:right", "-out", "closed.key"),
        ("pkcs12", "-export", "-in", "own.crt", "-inkey", "own.key", "-passout", "pass:right", "-out", "own.p12"),
        ("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "other.key"),
    ):
        subprocess.run(["openssl", *command], cwd=folder, check=True, capture_output=True, timeout=800)
    return folder


def refusal(files: Path, **settings: str) -> str:
    """Why settings are not taken; values of `location` are files of that folder."""
    named = {name.replace("_", "."): value for name, value in settings.items()}
    named |= {name: str(files / value) for name, value in named.items() if name.endswith(".location")}
    with pytest.raises(Misconfigured) as caught:
        connect({"bootstrap.servers": "127.0.0.1:1", "security.protocol": "SSL"} | named, Deadline(3))
    return str(caught.value).replace(f"{files}/", "")


OWN = {"ssl_certificate_location": "own.crt"}


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"ssl_ca_location": "none"}, "ssl.ca.location: none is not there: correct its path under `kafka:`"),
        (OWN | {"ssl_key_location": "none"}, "ssl.key.location: none is not there: correct its path under `kafka:`"),
        (
            {"ssl_ca_location": "empty"},
            "ssl.ca.location: empty holds no certificate in PEM (no certificate",
        ),
        ({"ssl_crl_location": "own.key"}, "ssl.crl.location: own.key holds no list of revoked certificates in PEM ("),
        ({"ssl_certificate_location": "own.key"}, "ssl.certificate.location: own.key holds no certificate in PEM ("),
        (
            OWN | {"ssl_key_location": "other.key"},
            "ssl.key.location: the key in other.key is not that of the certificate in ssl.certificate.location (",
        ),
        (OWN | {"ssl_key_location": "own.crt"}, "ssl.key.location: own.crt holds no private key in PEM, or one that"),
        (
            OWN | {"ssl_key_location": "closed.key", "ssl_key_password": "wrong"},
            "ssl.key.location: closed.key holds no private key in PEM, or one that does not open with ssl.key.password",
        ),
        (
            {"ssl_keystore_location": "own.p12", "ssl_keystore_password": "wrong"},
            "ssl.keystore.location: own.p12 does not open with the password in ssl.keystore.password (",
        ),
        (
            {"ssl_keystore_location": "own.crt", "ssl_keystore_password": "x"},
            "ssl.keystore.location: own.crt holds no key and certificate in",
        ),
        (
            {"ssl_nonsense": "1"},
            'librdkafka does not take these settings: No such configuration property: "ssl.no',
        ),
    ],
)
def test_what_is_wrong_is_told_by_setting_and_file(files: Path, settings: dict[str, str], told: str) -> None:
    found = refusal(files, **settings)
    assert found.startswith(told)
    assert not re.search("error:[0-9A-F]{8}", found)


@pytest.mark.parametrize(
    "settings",
    [
        {"ssl.ca.location": "probe"},
        {"ssl.ca.location": "/etc/ssl/certs"},
        {"ssl.certificate.location": "own.crt", "ssl.key.location": "closed.key", "ssl.key.password": "right"},
        {"ssl.keystore.location": "own.p12", "ssl.keystore.password": "right"},
    ],
)
def test_what_librdkafka_takes_is_taken(files: Path, settings: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)
    connect({"bootstrap.servers": "127.0.0.1:1", "security.protocol": "SSL"} | settings, Deadline(3)).close()
