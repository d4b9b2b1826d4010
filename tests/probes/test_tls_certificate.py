from pathlib import Path

from kafka_lab.certificates import Authority
from runbook.connections import tls
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.probes import tls_certificate
from support.tls_servers import HOST, context, of_files, serving, until


def observe(port: int, ca: Path | None) -> Fact:
    settings = {"endpoints": [f"{HOST}:{port}"]} | ({"ca": str(ca)} if ca else {})
    outside = tls.connect(settings, Deadline(120, patience=20))
    return tabulate("tls_certificate", tls_certificate.PROBE.columns, tls_certificate.observe(outside))


def test_the_chain_goes_up_to_the_authority_that_is_trusted(tmp_path: Path):
    with serving(context(tmp_path)) as port:
        fact = observe(port, tmp_path / "ca.crt")
    own, root = fact.rows()
    assert fact.complete
    assert [(row["position"], row["shown"], row["authority"], row["self_signed"]) for row in (own, root)] == [
        (0, True, False, False),
        (1, False, True, True),
    ]
    assert (own["host"], own["names"], own["names_match"]) == (HOST, ["localhost", HOST], True)
    assert not root["names_match"]
    assert own["issuer"] == root["subject"]


def test_without_an_authority_only_what_is_shown_is_told(tmp_path: Path):
    with serving(context(tmp_path, names=("elsewhere.example",), days=-2)) as port:
        [own] = observe(port, None).rows()
    assert not own["names_match"]
    assert until(own["not_after"]) < 0


def test_a_certificate_that_signed_itself_shows_so(tmp_path: Path):
    Authority(tmp_path).issue_self_signed("lone", "lone", names=[HOST])
    with serving(of_files(tmp_path, "lone")) as port:
        [own] = observe(port, tmp_path / "ca.crt").rows()
    assert (own["self_signed"], own["subject"]) == (True, "CN=lone")
