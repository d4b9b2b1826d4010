"""What is said first of two sites when several things are so at once: kept evidence, with some of its rows changed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from runbook.cli.followed_run import execute
from runbook.evidence.bundle import Bundle, save_bundle
from runbook.model.ask import FactQuestion
from runbook.model.diagnosis import CauseFound, Diagnosis
from runbook.model.fact import Fact, Gap
from runbook.model.old_gaps import from_sentence
from runbook.model.result import Outcome
from runbook.model.run import Run
from runbook.reports import ReportOptions, markdown
from runbook.reports.console import report
from runbook.run.check_run import Options
from support.evidence import record
from support.evidence.diagnosed import ids

pytestmark = [pytest.mark.kept, pytest.mark.xdist_group("kept")]

PRIMARY, STANDBY = "sites", "sites-standby"
REFUSED = "no bootstrap server answers: 127.0.0.1:1 can't be reached: connection refused"
NO_WORKER = "Connect worker {} can't be reached: connection refused"

Change = Callable[[FactQuestion, Fact], Fact]


def blank(fact: Fact, *gaps: Gap) -> Fact:
    columns: dict[str, list[Any]] = {name: [] for name in fact.columns}
    return structs.replace(fact, columns=columns, gaps=[*gaps])


def put(fact: Fact, chosen: Callable[[dict[str, Any]], bool], **cells: Any) -> Fact:
    rows = [row | cells if chosen(row) else row for row in fact.rows()]
    return structs.replace(fact, columns={name: [row[name] for row in rows] for name in fact.columns})


def looked(scene: str, change: Change, tmp_path: Path, environment: str = "", only: str = "") -> Run:
    """The run over what is kept of a fault, changed."""
    kept: Bundle = record.read(record.place_of("sites", scene, "during")).bundle
    changed = [
        structs.replace(one, facts={look: change(one.ask, fact) for look, fact in one.facts.items()})
        for one in kept.kept
    ]
    file = tmp_path / "bundle.json"
    save_bundle(file, structs.replace(kept, kept=changed))
    chosen = [environment] if environment else []
    options = Options(runbooks=["dr"], bundle=file, deadline=60, environments=chosen, only=[only] if only else [])
    return execute(options).run


def said(run: Run) -> Diagnosis:
    [diagnosis] = [one for one in run.diagnoses if one.environment == STANDBY]
    return diagnosis


def named(run: Run) -> list[CauseFound]:
    return said(run).named


def unchanged(_: FactQuestion, fact: Fact) -> Fact:
    return fact


def standby_is_silent(ask: FactQuestion, fact: Fact) -> Fact:
    """Nothing of the standby answers, its workers with it."""
    if ask.environment != STANDBY or fact.inapplicable:
        return fact
    if ask.probe == "connect_worker":
        silent = put(fact, lambda _: True, answers=False, connectors=None, tasks=None, id="")
        workers = fact.columns["worker"]
        return structs.replace(
            silent, gaps=[from_sentence(NO_WORKER.format(name), {"server": name}) for name in workers]
        )
    if ask.connection == "connect":
        return blank(fact, from_sentence(NO_WORKER.format("connect-1")))
    return blank(fact, from_sentence(REFUSED)) if ask.connection == "kafka" else fact


def test_where_neither_site_answers_ones_own_network_is_first_and_nobody_is_sent_to_the_standby(tmp_path: Path) -> None:
    run = looked("lose-primary", standby_is_silent, tmp_path)
    [cause] = named(run)
    assert cause.cause == "dr/neither-site-answers"
    assert cause.says.startswith(f"neither site answers from here (no broker of {PRIMARY}, none of {STANDBY}): check")
    assert cause.avoid.startswith("fail over from here")
    assert len(cause.proof) == 2
    assert not any("?" in text for text in (cause.says, *cause.proof, cause.avoid))
    everything = markdown.report(run, ReportOptions())
    assert "dr#fail-over --env" not in everything
    assert "could that take over?" not in everything
    assert f"neither {PRIMARY} nor {STANDBY} answers from here: look at your own network" in everything
    alone = report(looked("lose-primary", standby_is_silent, tmp_path, STANDBY), ReportOptions())
    assert alone.index("CAUSE") < alone.index("UNSEEN")
    assert "? connectors" not in alone


def test_a_standby_that_is_silent_alone_does_not_make_its_workers_the_cause(tmp_path: Path) -> None:
    assert named(looked("slow-link", standby_is_silent, tmp_path)) == []


def failing_over(ask: FactQuestion, fact: Fact) -> Fact:
    """After the third step of fail-over: the source connector is stopped, the other finds no group at its source."""
    if ask.environment != STANDBY:
        return fact
    if ask.probe == "mirror_connector":
        fact = put(fact, lambda row: row["kind"] == "source", state="STOPPED")
        return put(fact, lambda row: row["kind"] != "heartbeat", tasks=0, tasks_running=0)
    old = ask.probe == "kafka_partition_offset" and "heartbeats" in ask.given
    return put(fact, lambda _: True, newest="2026-11-20T12:00:00.000Z") if old else fact


def test_in_the_midst_of_a_failover_the_dark_site_is_first_and_the_stopped_flow_beneath_it(tmp_path: Path) -> None:
    run = looked("lose-primary", failing_over, tmp_path)
    [cause] = named(run)
    assert cause.cause == "dr/no-broker-of-the-primary-answers"
    [beneath] = [one for one in said(run).causes if one.beneath]
    assert (ids([beneath.cause]), beneath.beneath) == ({"flow-stands-while-the-primary-is-dark"}, cause.says)
    assert "fail over" not in beneath.avoid
    assert beneath.keys == {"connectors": [["mirror-source"]]}
    shown = " ".join(report(looked("lose-primary", failing_over, tmp_path, STANDBY), ReportOptions()).split())
    assert "with it MirrorMaker is paused or stopped and the primary does not answer" in shown
    assert "fail over while it is halted" not in shown


def test_a_connector_without_tasks_is_not_called_unexplained_while_its_source_is_dark(tmp_path: Path) -> None:
    run = looked("lose-primary", failing_over, tmp_path)
    assert "the-flow-runs" in ids(named(run)[0].may_explain)
    assert said(run).unexplained == []
    [remedy] = {result.remedy for result in run.results if result.check == "dr/the-flow-runs" and result.remedy}
    assert "match nothing, or the cluster" in remedy


@pytest.mark.parametrize(
    ("tasks", "said_of_it"),
    [
        (0, "is still reported RUNNING, and none of its tasks runs: if a stop was requested, it is in progress"),
        (2, "is RUNNING, and 2 of its tasks run"),
    ],
)
def test_a_connector_whose_tasks_are_gone_is_being_stopped_and_copies_nothing(
    tasks: int, said_of_it: str, tmp_path: Path
) -> None:
    def stopping(ask: FactQuestion, fact: Fact) -> Fact:
        flows = ask.probe == "mirror_connector"
        return put(fact, lambda row: row["kind"] == "source", tasks=tasks, tasks_running=tasks) if flows else fact

    run = looked("lose-primary", stopping, tmp_path, only="nothing-is-copied-any-more")
    [result] = [one for one in run.results if one.outcome is Outcome.FAIL]
    assert [row.message for row in result.rows] == [f"connector mirror-source {said_of_it}"]
    assert result.reason.startswith("1 of 1 connectors are not stopped yet")


def both_are_stopped(ask: FactQuestion, fact: Fact) -> Fact:
    if (ask.environment, ask.probe) != (STANDBY, "mirror_connector"):
        return fact
    return put(fact, lambda row: row["kind"] != "heartbeat", state="STOPPED", tasks=0, tasks_running=0)


def test_connectors_that_are_both_stopped_are_one_cause_which_says_what_copies_first(tmp_path: Path) -> None:
    [cause] = named(looked("stop-mirror", both_are_stopped, tmp_path))
    assert cause.says == (
        "2 connectors are halted, mirror-source (STOPPED) and mirror-checkpoint (STOPPED): no record is copied from "
        f"{PRIMARY} to {STANDBY}, and no offset of a group is translated"
    )
    assert cause.avoid.startswith(f"resume mirror-source while clients move to {STANDBY}")


def test_what_translates_positions_may_be_resumed_while_clients_move(tmp_path: Path) -> None:
    [cause] = named(looked("no-checkpoints", unchanged, tmp_path))
    assert "arrive after newer ones" not in cause.avoid
    assert "resume" not in cause.avoid
    [copies] = named(looked("stop-mirror", unchanged, tmp_path))
    assert "arrive after newer ones" in copies.avoid


def test_a_slow_link_is_told_from_a_lost_site_where_the_primary_answers(tmp_path: Path) -> None:
    [cause] = named(looked("slow-link", unchanged, tmp_path))
    assert cause.says.endswith("the link is slow or cut")
    assert f"{PRIMARY} answers from here: 3 of 3 brokers, so the link is slow or cut" in cause.proof
    assert "by mirror-heartbeat" in cause.proof[1]
    assert "dr#fail-over" not in cause.first
    assert "Does a connector write heartbeats" not in cause.first


def primary_is_not_reached(ask: FactQuestion, fact: Fact) -> Fact:
    head = (ask.environment, ask.probe) == (PRIMARY, "kafka_cluster")
    return blank(fact, from_sentence("it had not answered by the deadline")) if head else fact


def test_where_it_is_not_known_whether_the_primary_answers_it_may_be_gone(tmp_path: Path) -> None:
    [cause] = named(looked("slow-link", primary_is_not_reached, tmp_path))
    assert cause.says.endswith("the link is slow or cut, or that cluster is down")
    assert f"dr#fail-over --env {PRIMARY} --to {STANDBY}" in cause.first
    assert len(cause.proof) == 1


def one_broker_not_known(ask: FactQuestion, fact: Fact) -> Fact:
    head = (ask.environment, ask.probe) == (PRIMARY, "kafka_cluster")
    return put(fact, lambda _: True, answering=None) if head else fact


def test_how_many_brokers_answer_is_left_out_where_it_is_not_known(tmp_path: Path) -> None:
    [cause] = named(looked("slow-link", one_broker_not_known, tmp_path))
    assert [text for text in cause.proof if "brokers" in text] == []
    assert cause.first.startswith(f"{PRIMARY} answers from here, so check the link")


def nobody_writes_heartbeats(ask: FactQuestion, fact: Fact) -> Fact:
    if ask.probe != "mirror_connector":
        return fact
    rows = [row for row in fact.rows() if row["kind"] != "heartbeat"]
    return structs.replace(fact, columns={name: [row[name] for row in rows] for name in fact.columns})


def test_whether_heartbeats_are_written_is_asked_only_where_no_connector_is_seen(tmp_path: Path) -> None:
    run = looked("slow-link", nobody_writes_heartbeats, tmp_path)
    assert named(run) == []
    [possible] = said(run).causes
    assert possible.first.startswith("Does a connector write heartbeats")


def no_heartbeat_came(ask: FactQuestion, fact: Fact) -> Fact:
    beats = ask.probe == "kafka_partition_offset" and "heartbeats" in ask.given
    return blank(fact) if beats else fact


def test_a_heartbeat_of_which_no_time_is_known_is_not_spoken_of(tmp_path: Path) -> None:
    [cause] = named(looked("lose-primary", no_heartbeat_came, tmp_path))
    assert cause.cause == "dr/no-broker-of-the-primary-answers"
    assert [text for text in cause.proof if "heartbeat" in text] == []
