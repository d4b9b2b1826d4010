import ssl
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from kafka_lab import trust
from kafka_lab.errors import LabError
from kafka_lab.trust import trust_options
from runbook.java import find_java


def authority(name: str) -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now).not_valid_after(now + timedelta(days=1))
    return builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "bundle.pem"
    file.write_bytes(authority("One") + authority("Two"))
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    return file


def test_java_trusts_what_the_machine_trusts(bundle: Path, tmp_path: Path) -> None:
    options = dict(option.split("=") for option in trust_options(tmp_path / "cache"))
    assert bundle.exists()
    assert options["-Djavax.net.ssl.trustStoreType"] == "PKCS12"
    store = ["-keystore", options["-Djavax.net.ssl.trustStore"]]
    password = ["-storepass", options["-Djavax.net.ssl.trustStorePassword"]]
    keytool = [find_java(), "-m", "java.base/sun.security.tools.keytool.Main", "-list", "-v"]
    said = subprocess.run([*keytool, *store, *password], capture_output=True, text=True, check=True).stdout
    assert said.count("trustedCertEntry") == 2
    assert "CN=One" in said
    assert "CN=Two" in said


def test_the_store_is_made_again_only_when_the_machine_s_list_changes(bundle: Path, tmp_path: Path) -> None:
    first = trust_options(tmp_path)
    made = Path(first[0].partition("=")[2]).stat().st_mtime_ns
    assert trust_options(tmp_path) == first
    assert Path(first[0].partition("=")[2]).stat().st_mtime_ns == made
    bundle.write_bytes(authority("Three"))
    assert trust_options(tmp_path) != first


def test_a_list_that_is_none_is_said(bundle: Path, tmp_path: Path) -> None:
    bundle.write_text("no certificates here")
    with pytest.raises(LabError, match=r"bundle\.pem is no list of PEM certificates"):
        trust_options(tmp_path)


def test_a_machine_without_a_list_leaves_java_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = ssl.get_default_verify_paths()._replace(cafile=None)
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: paths)
    monkeypatch.setattr(trust, "_BUNDLES", (str(tmp_path / "missing"),))
    assert trust_options(tmp_path) == []
