import ssl
from pathlib import Path

from kafka_lab.certificates import Authority
from runbook.connections import tls
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.probes import tls_endpoint
from support.tls_servers import HOST, context, serving


def observe(port: int, ca: Path | None) -> Fact:
    settings = {"endpoints": [f"{HOST}:{port}"]} | ({"ca": str(ca)} if ca else {})
    outside = tls.connect(settings, Deadline(120, patience=20))
    return tabulate("tls_endpoint", tls_endpoint.PROBE.columns, tls_endpoint.observe(outside))


def test_what_an_endpoint_offers_is_one_row(tmp_path: Path):
    with serving(context(tmp_path, clients=ssl.CERT_REQUIRED)) as port:
        fact = observe(port, tmp_path / "ca.crt")
    [row] = fact.rows()
    assert fact.complete
    assert (row["endpoint"], row["broker"], row["listener"], row["origins"]) == (
        f"{HOST}:{port}",
        -1,
        "",
        ["inventory"],
    )
    assert (row["protocols"], row["refused"]) == (["TLSv1.2", "TLSv1.3"], ["TLSv1", "TLSv1.1"])
    assert (row["weak_ciphers"], row["client_certificate"], row["shown"]) == ([], "required", 2)
    assert (row["trusted"], row["distrust"]) == (True, "")


def test_weak_ciphers_are_named_with_what_they_lack(tmp_path: Path):
    weak = context(tmp_path, last=ssl.TLSVersion.TLSv1_2, ciphers="ECDHE+AESGCM:AECDH", clients=ssl.CERT_OPTIONAL)
    with serving(weak) as port:
        [row] = observe(port, None).rows()
    [cipher] = row["weak_ciphers"]
    assert cipher.startswith("AECDH")
    assert cipher.endswith("(without authentication)")
    assert row["client_certificate"] == "requested"


def test_whom_nobody_was_told_to_trust_is_not_known(tmp_path: Path):
    with serving(context(tmp_path)) as port:
        [row] = observe(port, None).rows()
    assert (row["trusted"], row["distrust"]) == (None, None)


def test_a_stranger_is_not_trusted_and_it_is_said_why(tmp_path: Path):
    Authority(tmp_path / "ours")
    with serving(context(tmp_path)) as port:
        [row] = observe(port, tmp_path / "ours" / "ca.crt").rows()
    assert row["trusted"] is False
    assert "issuer certificate" in row["distrust"]
