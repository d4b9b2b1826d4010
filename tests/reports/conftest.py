"""Runs to report on: one for each kind of day."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec import Struct, structs

from runbook.judge.common_cause import common
from runbook.model.diagnosis import CauseFound, ChangesSince, Contrast, Diagnosis, LabelledSentence, WalkOnRecord
from runbook.model.fact import Gap
from runbook.model.gap_kind import GapKind
from runbook.model.result import Evidence, JudgedRow, Outcome, Result, WaiverUse
from runbook.model.run import DeclaredUnobserved, Expected, Head, Run
from runbook.reports import ReportOptions, Source

RANKING = ["durability", "availability", "throughput", "latency"]
HOSTILE = "\x1b[2J\x1b]0;owned\x07\n\r[bold red]x[/bold red] <script>alert(1)</script> & \u202egnp.\x9b31m\u2028\ufeff"
HA = Source("ha", "High availability", "2.3.0", "built-in")


class Case(Struct, frozen=True):
    """A run, and how it is to be shown."""

    run: Run
    options: ReportOptions = ReportOptions(runbooks=(HA,))


def result(check: str, outcome: Outcome, reason: str, **changes: Any) -> Result:
    """A result with what does not matter filled in."""
    settled = {
        "environment": "prod-eu",
        "rows": [],
        "title": "Every partition takes writes",
        "severity": "high",
        "objectives": [],
        "judged": 0 if outcome is Outcome.NOT_APPLICABLE else 3,
        "failed": 0,
        "undecided": 0,
        "gaps": [],
        "waiver": None,
        "params": {},
        "overridden": [],
        "remedy": "",
        "evidence": [Evidence("broker", "kafka_broker", "d1", 3, complete=True, collected_at="2026-11-21T10:00:00Z")],
    } | changes
    return Result(
        check=f"ha/{check}",
        outcome=outcome,
        reason=reason,
        subject=settled["environment"],
        subject_kind="environment",
        common=common(settled["rows"], settled["gaps"]),
        ranking=RANKING,
        proof="observed",
        runbook="ha",
        runbook_version="2.3.0",
        runbook_digest="0" * 64,
        check_digest="1" * 64,
        **settled,
    )


def head(environment: str = "prod-eu", **changes: Any) -> Head:
    """A healthy cluster of three."""
    known = {"cluster_id": "5L6g3nShT-eMCtK--X86sw", "kafka_version": "4.1.1", "mode": "KRaft"}
    answers = {"brokers": 3, "answering": 3, "collected_at": "2026-11-21T10:00:00Z", "ranking": RANKING}
    return Head(environment, **(known | answers | changes))


def run(*results: Result, heads: list[Head] | None = None, **changes: Any) -> Run:
    """A run of two seconds and four tenths."""
    settled = {"id": "20261121T100000Z-0123456789ab", "tool_version": "0.1.0", "trigger": "manual", "complete": True}
    times = {"started_at": "2026-11-21T10:00:00Z", "deadline_ms": 10_000, "took_ms": 2_400}
    return Run(**(settled | times | changes), heads=heads or [head()], results=list(results))


def passes(check: str = "quorum-has-a-leader", **changes: Any) -> Result:
    return result(check, Outcome.PASS, "true of 3 brokers", **changes)


def skips(check: str = "zookeeper-ensemble-is-odd", **changes: Any) -> Result:
    return result(check, Outcome.NOT_APPLICABLE, "the cluster has no ZooKeeper: it runs KRaft", **changes)


def refused() -> Result:
    """37 partitions that refuse writes because of broker 2."""
    rows = [
        JudgedRow(
            {"topic": "orders", "partition": i},
            f"orders-{i}  leader 1  in sync [1]  of [1, 2, 3]  needs 2",
            touches={"topic": ["orders"], "partition": [i], "broker": [2], "rack": ["az-b"]},
        )
        for i in range(37)
    ]
    return result(
        "partitions-take-writes",
        Outcome.FAIL,
        "37 of 412 partitions are below min.insync.replicas: writers with acks=all are being refused",
        severity="critical",
        rows=rows,
        judged=412,
        failed=37,
        params={"spare": 2},
        overridden=["spare"],
        remedy="Bring *broker 2* back. Lowering `min.insync.replicas` trades durability:\nread first.\n\nThen wait.",
    )


def rackless() -> Result:
    row = JudgedRow({"rack": "az-b"}, "rack az-b has no live broker", touches={"rack": ["az-b"], "broker": [2]})
    return result("every-rack-has-a-broker", Outcome.FAIL, row.message, rows=[row], failed=1)


def silent() -> Result:
    gap = Gap(
        "broker 2 (10.0.3.12:9092) did not answer in 2.0 s; brokers 1 and 3 agree",
        {"broker": 2},
        GapKind.TIMED_OUT,
        waited=2.0,
    )
    return result("broker-configurations-agree", Outcome.UNKNOWN, gap.reason, gaps=[gap])


def unobserved(check: str = "no-broker-swaps", **changes: Any) -> Result:
    gap = Gap(
        "prod-eu does not observe ssh: no access yet (team-x, until 2027-01-31)",
        kind=GapKind.UNOBSERVED,
        connection="ssh",
    )
    return result(check, Outcome.UNKNOWN, gap.reason, gaps=[gap], judged=0, unobserved=True, **changes)


def _not_observed(*results: Result) -> Run:
    declared = DeclaredUnobserved("ssh", "no access yet", "team-x", "2027-01-31")
    return run(*results, heads=[head(unobserved=[declared])])


def excused() -> Result:
    rows = [JudgedRow({"topic": "audit"}, "audit: RF 1", touches={"topic": ["audit"]}, waived=True)]
    waiver = WaiverUse("alice", "moves to the new cluster in January", "2027-01-15", 1)
    return result("topics-are-replicated", Outcome.FAIL, "1 of 3 topics", rows=rows, failed=1, waiver=waiver)


def half_excused() -> Result:
    rows = [
        JudgedRow({"broker": 1}, "no rack", touches={"broker": [1]}, waived=True),
        JudgedRow({"broker": 3}, "no rack", touches={"broker": [3]}),
    ]
    waiver = WaiverUse("bob", "this host has no rack to name", "2027-01-15", 1)
    gaps = [Gap("broker 2 did not answer", {"broker": 2}, GapKind.TIMED_OUT)]
    return result(
        "brokers-name-their-rack",
        Outcome.FAIL,
        "2 of 3 brokers name no rack",
        severity="low",
        rows=rows,
        failed=2,
        waiver=waiver,
        gaps=gaps,
    )


def hostile() -> Run:
    """Every text a cluster or an inventory can choose, chosen by someone with bad intentions."""
    rows = [
        JudgedRow({"topic": HOSTILE, "partition": 0}, f"{HOSTILE}: refused", touches={"topic": [HOSTILE]}),
        JudgedRow({"topic": "x" * 10_000}, "y" * 10_000, touches={"topic": [HOSTILE]}),
        JudgedRow({HOSTILE: None}, "", "unknown", touches={}),
    ]
    bad = result(
        "partitions-take-writes",
        Outcome.FAIL,
        f"refused: {HOSTILE}",
        rows=rows,
        failed=2,
        undecided=1,
        gaps=[Gap(HOSTILE, {"host": HOSTILE})],
        waiver=WaiverUse(HOSTILE, HOSTILE, "2027-01-15", 1),
        params={"spare": HOSTILE},
        overridden=["spare"],
        remedy=f"Do not {HOSTILE}",
    )
    lost = result("quorum-has-a-leader", Outcome.UNKNOWN, HOSTILE, gaps=[Gap(HOSTILE, {"broker": HOSTILE})])
    odd = result("broker-configurations-agree", Outcome.NOT_APPLICABLE, HOSTILE)
    return run(bad, lost, odd, heads=[head(cluster_id=HOSTILE, kafka_version=HOSTILE, mode=HOSTILE, notes=[HOSTILE])])


def _several() -> Run:
    heads = [
        head(),
        head("stage", brokers=None, answering=None, cluster_id=None, kafka_version=None, mode=None),
        head("lab"),
    ]
    lost = structs.replace(silent(), environment="stage", subject="stage")
    link = structs.replace(passes("topics-are-mirrored"), environment="lab", subject="prod-eu→lab", subject_kind="link")
    fleet = structs.replace(passes("versions-agree"), environment="fleet", subject="fleet", subject_kind="fleet")
    return run(refused(), rackless(), silent(), passes(), lost, link, fleet, heads=heads)


def _explained() -> Run:
    """Broker 2 is down, and explains one of two failures; a second cause follows from it."""
    down = CauseFound(
        cause="ha/broker-is-down",
        title="A broker is down, or hangs",
        says="broker 2 (rack az-b) is down: it refuses connections",
        certain=True,
        keys={"broker": [2]},
        proof=["fenced, and silent to us"],
        first="Start broker 2.",
        procedure="ha/bring-a-broker-back",
        avoid="restart another broker",
        verify=["ha/every-broker-answers"],
        explains=["ha/partitions-take-writes"],
        withholds=["ha/broker-configurations-agree"],
    )
    beneath = structs.replace(
        down, cause="ha/partitions-are-behind", title="Partitions are behind", says="37 are behind", beneath=down.says
    )
    said = Diagnosis(
        environment="prod-eu",
        causes=[down, beneath],
        effects=[
            LabelledSentence("now", "37 of 412 partitions refuse acks=all writes"),
            LabelledSentence("next", "do not restart 1 or 3"),
        ],
        unexplained=["ha/every-rack-has-a-broker", "ha/brokers-name-their-rack"],
    )
    return run(passes(), refused(), rackless(), half_excused(), silent(), diagnoses=[said])


def _changed_since(changes: ChangesSince) -> Run:
    """A cause, and what changed since the last kept look."""
    explained = _explained()
    [said] = explained.diagnoses
    said.changes = changes
    return explained


REFUSED = "now: broker 2 (kafka-2:9092) can't be reached: connection refused; and 2 more reasons"
CHANGED = ChangesSince(
    since="2026-11-16T06:00:00.000Z",
    run="20261116T060000Z-abc",
    sentences=[
        LabelledSentence("changed", "topic payments: min_insync_replicas 2 → 3  (kafka_topic)"),
        LabelledSentence("new", "topic audit"),
    ],
    more=2,
    by_causes=9,
    seen_twice=412,
)


WALK = WalkOnRecord(
    walk="20261121T094755Z-0a1b2c",
    procedure="ha/bring-a-broker-back",
    environments=["prod-eu"],
    standing="paused",
    stage="step 2",
    by="ada",
    at="2026-11-21T09:48:00Z",
    word="20261121T094755Z-0a1b2c",
)


def _walked() -> Run:
    """A cause whose procedure somebody walks already; another walk is of another procedure."""
    explained = _explained()
    [said] = explained.diagnoses
    said.walks = [WALK, structs.replace(WALK, procedure="ha/rolling-restart", by="bob")]
    return explained


def _perhaps() -> Run:
    """What may be the cause can't be decided: every failure is listed."""
    cause = CauseFound(
        cause="ha/broker-is-down",
        title="A broker is down, or hangs",
        says="broker 2 may be down",
        certain=False,
        proof=["not certain: broker.answers could not be found out"],
        first="See whether it runs.",
        explains=["ha/partitions-take-writes"],
    )
    said = Diagnosis(environment="prod-eu", causes=[cause], unexplained=["ha/partitions-take-writes"], undecided=["a"])
    return run(passes(), refused(), diagnoses=[said])


def _told_apart(led_by: int, undecided: Sequence[str] = ()) -> Run:
    """No cause explains what fails; the failing partitions have a leader of their own."""
    partitions = refused()
    contrasts = {
        partitions.check: [Contrast(f"led by broker {led_by}", 37, 37, 0, 375, {"broker": str(led_by)})],
    }
    said = Diagnosis(environment="prod-eu", unexplained=[partitions.check], contrasts=contrasts)
    said.undecided = [*undecided]
    return run(passes(), partitions, diagnoses=[said])


def _hostile_cause() -> Run:
    """A cause made of nothing but what somebody with bad intentions writes."""
    cause = CauseFound(
        cause="ha/x",
        title=HOSTILE,
        says=HOSTILE,
        certain=True,
        proof=[HOSTILE],
        first=HOSTILE,
        procedure="ha/y",
        words={"GROUP": HOSTILE},
        avoid=HOSTILE,
    )
    said = Diagnosis(environment="prod-eu", causes=[cause], effects=[LabelledSentence("now", HOSTILE)], notes=[HOSTILE])
    said.changes = structs.replace(CHANGED, sentences=[LabelledSentence("new", HOSTILE)])
    bad = {"environments": [HOSTILE], "stage": HOSTILE, "by": HOSTILE, "word": HOSTILE}
    said.walks = [structs.replace(WALK, procedure="ha/y", **bad)]
    return run(refused(), diagnoses=[said])


CASES = {
    "explained": Case(_explained()),
    "explained-in-full": Case(_explained(), ReportOptions(runbooks=(HA,), full=True)),
    "explained-and-changed": Case(_changed_since(CHANGED)),
    "explained-alone": Case(_changed_since(structs.replace(CHANGED, sentences=[], more=0))),
    "explained-and-nothing-changed": Case(_changed_since(structs.replace(CHANGED, sentences=[], more=0, by_causes=0))),
    "explained-and-partly-seen": Case(
        _changed_since(structs.replace(CHANGED, sentences=[], more=0, by_causes=0, unseen=37, unseen_why=REFUSED))
    ),
    "explained-and-not-comparable": Case(
        _changed_since(ChangesSince(since=CHANGED.since, run=CHANGED.run, unseen=449, unseen_why=REFUSED))
    ),
    "explained-and-not-read": Case(
        _changed_since(ChangesSince(unread="the facts kept in results were not read: no answer within 0.3 s"))
    ),
    "explained-and-walked": Case(_walked()),
    "perhaps": Case(_perhaps()),
    "told-apart": Case(_told_apart(led_by=1)),
    "told-apart-perhaps": Case(_told_apart(led_by=1, undecided=["ha/broker-is-down"])),
    "hostile-cause": Case(_hostile_cause()),
    "all-pass": Case(run(passes(), passes("racks-are-even"), skips())),
    "bad-day": Case(
        run(
            passes(),
            rackless(),
            half_excused(),
            excused(),
            silent(),
            skips(),
            refused(),
            heads=[
                head(answering=2, silent=[2], notes=["the waiver of carol for ha/quorum-is-odd expired on 2026-11-01"])
            ],
        )
    ),
    "everything-listed": Case(
        run(refused(), passes(), skips()), ReportOptions(runbooks=(HA,), rows=None, full=True, width=120)
    ),
    "only-unknown": Case(run(passes(), silent())),
    "unobserved": Case(_not_observed(passes(), unobserved(), unobserved("clocks-agree"), skips())),
    "unobserved-in-full": Case(
        _not_observed(passes(), unobserved(), unobserved("clocks-agree"), skips()),
        ReportOptions(runbooks=(HA,), full=True),
    ),
    "unobserved-and-unknown": Case(_not_observed(passes(), unobserved(), silent())),
    "nothing-observed": Case(_not_observed(unobserved(), skips())),
    "nothing-applied": Case(run(skips(), skips("kubernetes-spreads-pods"))),
    "nothing-selected": Case(run(expected=[Expected("ha/quorum-has-a-leader", "critical", "d", "ha", "2.3.0")])),
    "nothing-there": Case(run()),
    "interrupted": Case(run(passes(), silent(), interrupted=True)),
    "mild": Case(run(passes(), half_excused()), ReportOptions(runbooks=(HA,), fail_on="high")),
    "hostile-names": Case(hostile(), ReportOptions(runbooks=(Source("ha", HOSTILE, "2.3.0", HOSTILE),))),
    "several-environments": Case(_several()),
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", CASES.values(), ids=CASES.keys())
