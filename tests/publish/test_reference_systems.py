"""Requests and rights, from the declarations of probes and connections."""

from runbook.plugins.catalog import catalog
from runbook.publish.observed_facts import load_probe
from runbook.publish.page import coded, inert
from runbook.publish.reference_systems import connections_page, rights_page


def _row(text: str, first: str) -> str:
    return text.partition(f'<th scope="row">{first}</th>')[2].partition("</tr>")[0]


def test_every_right_of_every_probe_names_the_probes_that_need_it() -> None:
    text = rights_page().text
    for name in catalog("probes").names():
        probe = load_probe(name)
        assert probe
        for right in probe.rights:
            assert f'<a href="probes/{name}.html">{name}</a>' in _row(text, coded(right)), (name, right)


def test_every_request_of_a_connection_names_the_probes_that_make_it() -> None:
    text = connections_page().text
    for kind in catalog("connections").names():
        for request in catalog("connections").load(kind).READS:
            assert _row(text, f"<code>{inert(request)}</code>"), request
    assert "kafka_quorum" in _row(text, "<code>DescribeQuorum</code>")
    assert all(word in _row(text, "<code>SaslHandshake</code>") for word in ("kafka_entry", "the connection itself"))
    assert "<code>bootstrap.servers</code>" in text
