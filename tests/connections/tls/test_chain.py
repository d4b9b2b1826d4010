import datetime as dt
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from kafka_lab.certificates import Authority
from runbook.answers.tls import named
from runbook.connections.tls.chain import described, load, whole_chain
from runbook.model.errors import Garbled
from support.fuzz.systems import certificate_samples
from support.tls_servers import certificates, until


def test_a_certificate_is_told_as_it_is(tmp_path: Path):
    Authority(tmp_path).issue("server", "kafka-1", groups=["lab"], names=["kafka-1.example", "10.0.0.1"], days=10)
    own, root = (described(certificate) for certificate in certificates(tmp_path, "server", "ca"))
    assert (own.subject, own.issuer) == ("CN=kafka-1,O=lab", "CN=runbook-lab-authority")
    assert own.names == ("kafka-1.example", "10.0.0.1")
    assert (own.key_type, own.key_bits, own.signature_hash) == ("EC", 256, "sha256")
    assert 9.9 < until(own.not_after) / 86400 < 10.1
    assert until(own.not_before) < 0
    assert (own.self_signed, own.authority, own.for_servers) == (False, False, True)
    assert (own.ocsp, own.crl) == ((), ())
    assert (root.self_signed, root.authority) == (True, True)


def test_where_revocation_is_told_and_what_a_key_is_for():
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ed25519
    from cryptography.x509.oid import AuthorityInformationAccessOID, ExtendedKeyUsageOID

    def at(url: str) -> x509.UniformResourceIdentifier:
        return x509.UniformResourceIdentifier(url)

    key, now = ed25519.Ed25519PrivateKey.generate(), dt.datetime.now(dt.UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "one")])
    access = [
        x509.AccessDescription(AuthorityInformationAccessOID.OCSP, at("http://ocsp.example")),
        x509.AccessDescription(AuthorityInformationAccessOID.CA_ISSUERS, at("http://ca.example")),
    ]
    point = x509.DistributionPoint([at("http://crl.example/1")], None, None, None)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(255)
        .not_valid_before(now)
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.AuthorityInformationAccess(access), critical=False)
        .add_extension(x509.CRLDistributionPoints([point]), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH]), critical=False)
        .sign(key, None)
    )
    certificate = described(made)
    assert (certificate.ocsp, certificate.crl) == (("http://ocsp.example",), ("http://crl.example/1",))
    assert (certificate.key_type, certificate.key_bits, certificate.serial) == ("Ed25519", 0, "ff")
    assert certificate.signature_hash == "1.3.101.112"
    assert not certificate.for_servers
    assert certificate.self_signed


@pytest.mark.parametrize(
    ("host", "names", "matches"),
    [
        ("kafka-1.example", ["kafka-1.example"], True),
        ("Kafka-1.Example.", ["kafka-1.EXAMPLE"], True),
        ("kafka-1.example.com", ["*.example.com"], True),
        ("a.b.example.com", ["*.example.com"], False),
        ("example.com", ["*.example.com"], False),
        ("example.com", ["*.com"], False),
        ("kafka-1.example", ["kafka-2.example"], False),
        ("kafka-1.example.com", ["kafka*.example.com"], False),
        ("10.0.0.1", ["10.0.0.1"], True),
        ("10.0.0.1", ["*.0.0.1"], False),
        ("::1", ["0:0:0:0:0:0:0:1"], True),
        ("localhost", [], False),
        ("", ["*."], False),
    ],
)
def test_a_host_is_among_the_names_or_not(host: str, names: list[str], *, matches: bool):
    assert named(host, names) == matches


def test_a_chain_leads_to_an_authority_or_not(tmp_path: Path):
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    authority = Authority(ours)
    authority.issue("server", "server", names=["a"])
    authority.issue_self_signed("lone", "lone", names=["a"])
    Authority(theirs, "another-authority")
    [own, root, lone], [foreign] = certificates(ours, "server", "ca", "lone"), certificates(theirs, "ca")
    assert whole_chain([own], [root]) == ([own, root], "")
    assert whole_chain([own, root], [foreign, root]) == ([own, root], "")
    for shown, trusted in (([own], [foreign]), ([lone], [root]), ([own], [])):
        found, why = whole_chain(shown, trusted)
        assert (found, bool(why)) == ([], True)


def test_a_chain_that_has_expired_still_leads_to_its_authority(tmp_path: Path):
    Authority(tmp_path).issue("server", "server", names=["a"], days=-3)
    [own, root] = certificates(tmp_path, "server", "ca")
    assert whole_chain([own], [root]) == ([own, root], "")


def test_what_is_no_certificate_is_said_so():
    with pytest.raises(Garbled, match="can't be read"):
        load([b"nothing of the kind"])


def test_a_key_of_a_kind_that_is_not_known_is_said_so():
    known, other = b"\x2a\x86\x48\xce\x3d\x03\x01\x07", b"\x2a\x86\x48\xce\x3d\x03\x01\x7f"
    [own] = load([certificate_samples()[1].replace(known, other)])
    with pytest.raises(Garbled, match="can't be read"):
        described(own)


def test_a_version_that_there_is_not_is_said_so():
    with pytest.raises(Garbled, match="can't be read"):
        load([certificate_samples()[1].replace(b"\xa0\x03\x02\x01\x02", b"\xa0\x03\x02\x01\x06")])


def test_one_that_openssl_alone_refuses_leads_to_nobody():
    before, _, after = certificate_samples()[1].rpartition(b"\x06\x03U\x04\x03\x0c\x07")
    odd = load([before + b"\x06\x03U\x0c\x03\x04\x07" + after])
    known = load(certificate_samples()[:1])
    for shown, trusted in ((odd, known), (known, odd)):
        assert whole_chain(shown, trusted) == ([], "OpenSSL can't read one of the certificates")


def certificate_of(common_name: str, names: list[str], issuer: Any = None) -> Any:
    """A certificate with these names, of an authority, signed by a new key."""
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ed25519

    key, now = ed25519.Ed25519PrivateKey.generate(), dt.datetime.now(dt.UTC)
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, common_name)])
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer or subject)
    builder = builder.public_key(key.public_key()).serial_number(x509.random_serial_number())
    builder = builder.not_valid_before(now).not_valid_after(now + dt.timedelta(days=1))
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    alternative = x509.SubjectAlternativeName([x509.DNSName(name) for name in names])
    return builder.add_extension(alternative, critical=False).sign(key, None)


def test_a_name_with_a_null_is_not_the_name_before_it():
    told = described(certificate_of("kafka-1\0.evil", ["kafka-1\0.evil.example"]))
    assert told.names == ("kafka-1\0.evil.example",)
    assert not named("kafka-1", list(told.names))


def test_a_chain_of_hundreds_and_names_by_the_thousand_are_read_in_no_time():
    began = time.process_time()
    chain = [certificate_of("root", ["root"])]
    for number in range(200):
        chain.append(certificate_of(f"ca-{number}", [f"ca-{number}"], chain[-1].subject))
    assert whole_chain(chain[::-1], chain[:1])[0] == []
    assert len(described(certificate_of("a", [f"n{number}.example" for number in range(20_000)])).names) == 20_000
    assert time.process_time() - began < 10


def test_whatever_byte_is_wrong_it_is_read_or_said_to_be_unreadable():
    from cryptography.hazmat.primitives.serialization import Encoding

    der = certificate_of("\x1b[2J\r\nroot", ["\x1b]0;title\x07"]).public_bytes(Encoding.DER)
    for place in range(0, len(der), 3):
        wrong = bytearray(der)
        wrong[place] ^= 0xFF
        with suppress(Garbled):
            [described(certificate) for certificate in load([bytes(wrong)])]
