"""What `runbook what-if` says where something is not known: never zero, never "survives"."""

import json
from pathlib import Path
from typing import Any

import pytest

from runbook.evidence.bundle import save_bundle
from runbook.model.fact import Fact, Gap
from support.evidence import record
from support.evidence.judging import fact_in
from support.small_layouts import RACKS, TOPICS, broker, keep, partition, quorum, table

RECORDED = Path(__file__).parents[1] / "recorded" / "plain" / "lose-quorum"


def kept(state: str, here: Path) -> str:
    """A bundle of what is kept of a lab that lost its quorum: before, during."""
    file = here / f"{state}.json"
    save_bundle(file, record.read(RECORDED / f"{state}.raw.xz").bundle)
    return str(file)


def analysis(command: Any, *arguments: str) -> dict[str, Any]:
    """What the command tells of the only environment, as JSON."""
    (environment,) = json.loads(command("what-if", "--format", "json", *arguments).out)["environments"]
    return dict(environment)


def test_what_is_not_known_while_the_quorum_is_lost_is_no_zero(command: Any, here: Path):
    file = kept("during", here)
    found = analysis(command, "--from", file)
    assert found["already"] is None
    assert found["complete"] is False
    for scenario in found["scenarios"]:
        counts = [scenario[name] for name in ("refusing_writes", "offline", "at_risk", "acks_1_at_risk")]
        assert 0 not in counts
        assert scenario["quorum"] in (None, "lost")
        assert scenario["at_least"] is any(counts)
    ended = command("what-if", "--from", file)
    assert ended.code == 3
    lines = ended.out.splitlines()
    reasons = [at for at, line in enumerate(lines) if "can't be reached: connection refused" in line]
    assert reasons
    assert max(reasons) < next(at for at, line in enumerate(lines) if line.startswith("if this is lost"))
    assert "? partitions refuse acks=all already" in lines
    assert all("0" not in cells for cells in table(ended.out).values())


def test_what_is_foretold_of_a_lost_quorum_is_what_the_lab_then_showed(command: Any, here: Path):
    during = record.read(RECORDED / "during.raw.xz").bundle
    silent = {row["broker"] for row in fact_in(during, "kafka_broker").rows() if not row["answers"]}
    dead = [row for row in fact_in(during, "kafka_partition").rows() if row["leader"] in silent]
    assert dead  # nobody was elected: metadata goes on naming leaders that do not run
    lose = ",".join(f"broker:{node}" for node in sorted(silent))
    (scenario,) = analysis(command, "--from", kept("before", here), "--lose", lose)["scenarios"]
    assert scenario["quorum"] == "lost"
    assert scenario["offline"] == len(dead)
    assert scenario["acks_1_at_risk"] == len(dead)
    assert scenario["refusing_writes"] == len(fact_in(during, "kafka_partition"))


def test_without_a_majority_no_replica_is_promoted_and_no_in_sync_set_shrinks(command: Any, here: Path):
    topics = {"wide": [[1, 4, 5], [2, 4, 5], [4, 5, 1]]}
    file = keep(here / "b.json", [partition(topics), broker(dict.fromkeys((1, 2, 3, 4, 5), "")), quorum((1, 2, 3))])
    (scenario,) = analysis(command, "--from", file, "--lose", "broker:1,broker:2")["scenarios"]
    assert (scenario["quorum"], scenario["offline"], scenario["refusing_writes"], scenario["at_risk"]) == (
        "lost",
        2,
        3,
        0,
    )
    (scenario,) = analysis(command, "--from", file, "--lose", "broker:1,broker:4")["scenarios"]
    assert (scenario["quorum"], scenario["offline"], scenario["refusing_writes"]) == ("survives", 0, 2)


def test_a_broker_is_lost_together_with_a_controller_whose_vote_was_needed(command: Any, here: Path):
    votes = quorum((101, 102, 103))
    votes.columns["last_caught_up_ms"][0] = 3_600_000  # long dead
    file = keep(here / "b.json", [partition(TOPICS), broker(RACKS), votes])
    found = {scenario["name"]: scenario for scenario in analysis(command, "--from", file)["scenarios"]}
    both = found["broker 1 + controller 102"]
    assert (both["quorum"], both["offline"], found["broker 1"]["offline"]) == ("lost", 2, 0)
    asked = analysis(command, "--from", file, "--lose", "broker:1", "--lose", "controller:102")["scenarios"][0]
    assert asked["offline"] == both["offline"]


def test_records_that_only_a_leader_has_are_at_risk_with_it(command: Any, here: Path):
    """Followers could not fetch for a while; what acks=all acknowledged is safe with the eligible."""
    parts = partition({"orders": [[2, 1, 3]]})
    parts.columns |= {"isr": [[2]], "elr": [[1, 3]]}
    file = keep(here / "b.json", [parts, broker(RACKS), quorum((1, 2, 3))])
    found = {scenario["name"]: scenario for scenario in analysis(command, "--from", file)["scenarios"]}
    assert (found["broker 2"]["at_risk"], found["broker 2"]["acks_1_at_risk"]) == (0, 1)
    assert found["broker 1"]["acks_1_at_risk"] == 0


@pytest.mark.parametrize("reason", ["broker 1, 2 and 3 did not answer", "no bootstrap server answers: b:1 refused"])
@pytest.mark.parametrize("arguments", [(), ("--lose", "broker:2")])
def test_where_nobody_answered_nothing_survives_and_nothing_is_out_of_service(
    command: Any, here: Path, reason: str, arguments: tuple[str, ...]
):
    facts = [partition({}), broker({}), quorum(())]
    for fact in facts:
        fact.gaps = [Gap(reason)]
    file = keep(here / "b.json", facts, gaps=(reason,))
    ended = command("what-if", "--from", file, *arguments)
    assert ended.code == 3
    assert ended.out.startswith("prod: ? partitions, ? topics, ? brokers, ? racks, ? controllers\n")
    assert reason in ended.out
    assert "what a loss would do could not be worked out" in ended.out
    assert "survives" not in ended.out
    assert "nothing more to lose" not in ended.out
    found = analysis(command, "--from", file, *arguments)
    assert found["already"] is None
    assert {*found["counts"].values()} == {None}


def test_counts_of_facts_with_gaps_are_the_least_and_none_counted_is_not_known(command: Any, here: Path):
    facts = [partition(TOPICS), broker(RACKS), quorum((1, 2, 3))]
    file = keep(here / "b.json", facts, gaps=("topics may be hidden",))
    assert table(command("what-if", "--from", file).out)["broker 1"] == ["≥1  (1 topic)", "?", "?", "≥2", "survives"]


def test_with_every_broker_down_all_that_is_wrong_already_is_said(command: Any, here: Path):
    facts = [partition(TOPICS, down=(1, 2, 3)), broker(RACKS, down=(1, 2, 3)), quorum((101, 102, 103))]
    ended = command("what-if", "--from", keep(here / "b.json", facts))
    assert ended.code == 0
    assert "3 partitions refuse acks=all already" in ended.out


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ([Fact("kafka_cluster", {"cluster_id": ["other"]})], "this is cluster other; the inventory pins prod to mine"),
        ([], "whether this is cluster mine could not be found out: the bundle does not hold kafka_cluster"),
    ],
)
def test_another_cluster_than_the_pinned_one_is_not_judged(command: Any, here: Path, facts: list[Fact], said: str):
    file = keep(here / "b.json", [partition(TOPICS), broker(RACKS), quorum((1, 2, 3)), *facts])
    document = json.loads(Path(file).read_text("utf-8"))
    document["environments"]["prod"]["cluster_id"] = "mine"
    Path(file).write_text(json.dumps(document), "utf-8")
    ended = command("what-if", "--from", file)
    assert ended.code == 3
    assert said in ended.out
    assert "survives" not in ended.out
    assert analysis(command, "--from", file)["scenarios"] == []


def test_the_pinned_cluster_is_judged(command: Any, here: Path):
    right = Fact("kafka_cluster", {"cluster_id": ["mine"]})
    file = keep(here / "b.json", [partition(TOPICS), broker(RACKS), quorum((1, 2, 3)), right])
    document = json.loads(Path(file).read_text("utf-8"))
    document["environments"]["prod"]["cluster_id"] = "mine"
    Path(file).write_text(json.dumps(document), "utf-8")
    assert command("what-if", "--from", file).code == 0
