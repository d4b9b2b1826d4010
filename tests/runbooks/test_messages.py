"""What checks say of a row where two sentences are possible: the one that is so."""

from typing import Any

import pytest

from runbook.judge.compiled import compile_check
from runbook.judge.judge import Context, judge
from runbook.model.objective import Ranking
from runbook.run.collection.fact_assembly import compute_view
from runbook.run.sources.runbooks import read_all
from support.kafka_facts import fact


def message(name: str, **rows: dict[str, Any]) -> str:
    """Of a check over one row of each of its facts: what it says of the only row that fails."""
    runbook, _, identifier = name.partition("/")
    (book,) = read_all([runbook])
    (placed,) = (check for check in book.checks() if check.block.id == identifier)
    check = placed.block
    facts = {word: fact(source.probe, [rows[source.probe]]) for word, source in check.facts.items()}
    views = {
        word: compute_view(view.view, {of: facts[bound] for of, bound in view.of.items()}, {})
        for word, view in check.views.items()
    }
    params = {word: parameter.default for word, parameter in check.params.items()}
    context = Context("prod", {}, Ranking(), params, "2026-11-24T00:00:00Z")
    [row] = judge(compile_check(placed), {**facts, **views}, context).rows
    return row.message


@pytest.mark.parametrize(("value", "no_such"), [("PLAIN", False), ("PLAIN   GSSAPI", True), ("Plain", True)])
def test_a_mechanism_that_there_is_not_is_told_from_one_that_hands_the_password_over(*, value: str, no_such: bool):
    row = {"client": "a", "kind": "producer", "setting": "sasl.mechanism", "value": value, "file": "a", "line": 1}
    said = message("security/clients-keep-their-password-to-themselves", client_config=row)
    assert ("there is no such mechanism, and no client takes several" in said) == no_such


@pytest.mark.parametrize(
    ("who", "says"),
    [
        ("kafka", "the next start gets soft 1024, hard 4096 (from l.conf)"),
        ("ada", "the next start gets the system's own limit: no file sets one that can be used"),
    ],
)
def test_a_limit_that_no_file_sets_is_no_0(who: str, says: str):
    process = {"host": "a", "pid": 1, "kind": "broker", "broker": 1, "user": "kafka", "service": ""}
    file = {"host": "a", "file": "l.conf", "who": who, "kind": "session", "soft": 1024, "hard": 4096}
    said = message("os-hardware/the-limit-of-open-files-is-kept", host_process=process, host_limit_file=file)
    assert said == says


@pytest.mark.parametrize(
    ("check", "says"),
    [
        ("zookeeper-has-a-quorum", "1 of 3 voting servers serve; leaders: none; no answer: [zk-2]"),
        ("zookeeper-outlives-any-one-server", "1 of 3 voting servers serve; no quorum; no answer: [zk-2]"),
    ],
)
def test_without_a_leader_and_without_a_server_to_spare_a_message_says_so_in_words(check: str, says: str):
    ensemble = {"ensemble": "a", "voters": 3, "serving": 1, "leaders": [], "silent": ["zk-2"], "spare": -1}
    cluster = {"cluster_id": "a", "mode": "zookeeper"}
    said = message(f"ha/{check}", kafka_cluster=cluster, zookeeper_ensemble={**ensemble, "quorum": False})
    assert said == says


def test_a_gate_which_is_shown_alone_sends_nobody_to_what_stands_above_it() -> None:
    gates = [placed.block for book in read_all([]) for placed in book.checks() if placed.block.gate]
    assert gates
    assert [gate.id for gate in gates if "as above" in gate.remedy.casefold()] == []
