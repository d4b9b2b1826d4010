"""No pass without evidence: every probe of every connection, against every way a system can go wrong on the wire.

Connections are found by file name, so a new one joins by existing. A connection says by which settings a system at an
address is reached (`settings_at(address)`) and, if it speaks TLS, which turn that on (`tls_settings(ca)`). Refusals by
rights, stale and empty answers need a system that speaks the protocol: they are in the live tests of each connection.
"""

import ssl
import time
from pathlib import Path

import pytest

from runbook.judge.compiled import compile_check
from runbook.judge.judge import Context, judge
from runbook.model.ask import ask
from runbook.model.block import FactRequest
from runbook.model.fact import Fact
from runbook.model.objective import Ranking
from runbook.model.result import Outcome
from runbook.parse.runbook import parse_runbook
from runbook.plugins.catalog import catalog
from runbook.run.collection.workers import Work, Workers
from support.busy_machine import LATE
from support.fault_servers import FAULTS, expired_certificate, faulty_server

DEADLINE = 4.0
CONNECTIONS = catalog("connections").names()


def probes_of(connection: str) -> list[str]:
    return [name for name in catalog("probes").names() if connection in catalog("probes").load(name).PROBE.connections]


def speaks_tls(connection: str) -> bool:
    return hasattr(catalog("connections").load(connection), "tls_settings")


def observe_all(
    connection: str, settings: dict[str, object], deadline: float = DEADLINE
) -> tuple[dict[str, Fact], float]:
    """Put every probe of a connection to a system, by real workers; gives the facts and how long it took."""
    asks = [ask("broken", connection, FactRequest(probe), {}) for probe in probes_of(connection)]
    start = time.monotonic()
    workers = Workers([Work("broken", connection, settings, asks)], deadline, [])
    answers = [workers.answers.get(timeout=deadline + 5) for _ in asks]
    took = time.monotonic() - start
    workers.stop()
    return {answered.ask.probe: answered.facts[""] for answered in answers}, took


def outcomes(probe: str, fact: Fact) -> set[Outcome]:
    """Judge checks that would pass whatever the rows are, were there evidence."""
    column = next(column.name for column in catalog("probes").load(probe).PROBE.columns)
    ways = [
        "each: x\n  that: 'true'",
        f"all: x\n  that: size(x.{column}) >= 0",
        f"same: x\n  by: [{column}]\n  value: [{column}]",
    ]
    found = set()
    for way in ways:
        text = (
            "---\ntitle: Fault\nversion: 1.0.0\nchanges:\n  - {version: 1.0.0, date: 2026-01-01, note: first}\n---\n"
            f"```yaml {{.check}}\nid: any\ntitle: Anything at all\nseverity: low\nfacts: {{x: {{probe: {probe}}}}}\n"
            f"expect:\n  {way}\n```\n"
        )
        [placed] = parse_runbook(text, "fault", "fault.md").checks()
        context = Context("broken", {}, Ranking(), {}, "2026-01-01T00:00:00+00:00")
        found.add(judge(compile_check(placed), {"x": fact}, context).outcome)
    return found


def assert_unknown(facts: dict[str, Fact], took: float) -> None:
    assert took <= DEADLINE + LATE
    for probe, fact in facts.items():
        assert not fact.complete, probe
        assert all(gap.reason.strip() for gap in fact.gaps), probe
        assert outcomes(probe, fact) == {Outcome.UNKNOWN}, probe


@pytest.mark.parametrize("fault", ["refused", *FAULTS])
@pytest.mark.parametrize("connection", CONNECTIONS)
def test_what_goes_wrong_on_the_wire_is_unknown_with_a_reason_and_in_time(connection: str, fault: str):
    with faulty_server(fault) as address:
        facts, took = observe_all(connection, catalog("connections").load(connection).settings_at(address))
    assert set(facts) == set(probes_of(connection))
    assert_unknown(facts, took)


@pytest.mark.parametrize("connection", [name for name in CONNECTIONS if speaks_tls(name)])
def test_an_expired_certificate_is_unknown_even_if_its_issuer_is_trusted(connection: str, tmp_path: Path):
    module = catalog("connections").load(connection)
    certificate, key = expired_certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with faulty_server("expired", context) as address:
        facts, took = observe_all(connection, module.settings_at(address) | module.tls_settings(str(certificate)))
    assert_unknown(facts, took)


def test_judging_can_tell_evidence_from_none():
    """The same checks do pass on a complete fact: the matrix can fail."""
    probe = catalog("probes").load("kafka_feature").PROBE
    sample = {"int": 1, "string": "x", "bool": True, "float": 1.0}
    fact = Fact("kafka_feature", {column.name: [sample.get(column.type)] for column in probe.columns})
    assert outcomes("kafka_feature", fact) == {Outcome.PASS}
