import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from runbook.cli.completing import complete_losses
from runbook.evidence.bundle import FORMAT, Bundle, Kept, save_bundle
from runbook.model.ask import Ask
from runbook.model.fact import Fact, Gap
from runbook.parse.inventory import Environment
from support.evidence import record
from support.evidence.judging import fact_in

RACKS = {1: "az-a", 2: "az-b", 3: "az-c"}
TOPICS = {"orders": [[1, 2, 3], [2, 3, 1]], "audit": [[1, 2]]}


def partition(topics: dict[str, list[list[int]]], down: tuple[int, ...] = ()) -> Fact:
    """Partitions that need two in sync; all replicas that are up are in sync."""
    rows = [(topic, i, nodes) for topic, partitions in topics.items() for i, nodes in enumerate(partitions)]
    return Fact(
        "kafka_partition",
        {
            "topic": [topic for topic, _, _ in rows],
            "partition": [i for _, i, _ in rows],
            "leader": [next((node for node in nodes if node not in down), -1) for _, _, nodes in rows],
            "replicas": [nodes for _, _, nodes in rows],
            "isr": [[node for node in nodes if node not in down] for _, _, nodes in rows],
            "elr": [[] for _ in rows],
            "needs": [2 for _ in rows],
            "unclean_leader_election": [False for _ in rows],
        },
    )


def broker(racks: dict[int, str], down: tuple[int, ...] = ()) -> Fact:
    """Brokers in racks, those of `down` fenced."""
    return Fact(
        "kafka_broker",
        {
            "broker": [*racks],
            "rack": [*racks.values()],
            "fenced": [node in down for node in racks],
            "answers": [node not in down for node in racks],
        },
    )


def quorum(nodes: tuple[int, ...]) -> Fact:
    """Controllers that all have caught up."""
    return Fact(
        "kafka_quorum",
        {"node": [*nodes], "voter": [True for _ in nodes], "last_caught_up_ms": [5 for _ in nodes]},
    )


def keep(file: Path, facts: list[Fact], *, given: str = "{}", gaps: tuple[str, ...] = ()) -> str:
    """Keep facts as the bundle of an environment `prod`; the first of them with these gaps."""
    facts[0].gaps = [Gap(reason) for reason in gaps]
    kept = [Kept(Ask("prod", "kafka", fact.source, given), {"": fact}) for fact in facts]
    now = "2026-11-21T10:00:00+00:00"
    save_bundle(file, Bundle(FORMAT, "0", "run", now, {"prod": Environment()}, {"prod": ["kafka"]}, [], kept))
    return str(file)


@pytest.fixture
def bundle(here: Path):
    return keep(here / "b.json", [partition(TOPICS), broker(RACKS), quorum((1, 2, 3))])


def table(out: str) -> dict[str, list[str]]:
    """The rows of the table: what is lost -> the cells beside it."""
    lines = [line.split("   ") for line in out.splitlines()]
    return {cells[0]: [cell.strip() for cell in cells[1:] if cell.strip()] for cells in lines if len(cells) > 1}


def test_the_first_line_counts_what_was_looked_at(command: Any, bundle: str):
    ended = command("what-if", "--from", bundle)
    assert ended.code == 0
    assert ended.out.splitlines()[0] == "prod: 3 partitions, 2 topics, 3 brokers, 3 racks, 3 controllers"


def test_losses_are_listed_worst_first_and_the_mildest_of_a_kind_in_one_line(command: Any, bundle: str):
    rows = table(command("what-if", "--from", bundle).out)
    assert [*rows][1] == "broker 1 + broker 2"
    assert rows["broker 1 + broker 2"] == ["3  (2 topics)", "3", "1", "3", "lost"]
    assert rows["broker 1 + broker 3"] == ["3  (2 topics)", "2", "0", "2", "lost"]
    assert rows["broker 1"] == ["1  (1 topic)", "0", "0", "2", "survives"]
    assert rows["broker 3"] == ["0", "0", "0", "0", "survives"]


def test_a_rack_of_one_broker_beside_another_broker_is_listed_as_two_brokers(command: Any, here: Path):
    racks = {1: "az-a", 2: "az-b", 3: "az-c", 4: "az-c"}
    file = keep(here / "b.json", [partition(TOPICS), broker(racks), quorum((1, 2, 3))])
    found = json.loads(command("what-if", "--from", file, "--format", "json").out)["environments"][0]
    assert {len(one["nodes"]) for one in found["scenarios"] if one["kind"] == "rack and broker"} == {3}


def test_a_cluster_that_bears_any_single_loss_says_so_in_one_line_per_kind(command: Any, here: Path):
    topics = {"orders": [[1, 2, 3], [2, 3, 1]]}
    file = keep(here / "b.json", [partition(topics), broker(RACKS), quorum((1, 2, 3))])
    rows = table(command("what-if", "--from", file).out)
    assert rows["any one broker"] == rows["any one rack"] == ["0", "0", "0", "1", "survives"]


def test_the_worst_topics_are_named_with_their_replication_factor(command: Any, bundle: str):
    assert "worst topics: orders (RF 3), audit (RF 2)" in command("what-if", "--from", bundle).out


def test_topics_can_be_chosen_by_pattern(command: Any, bundle: str):
    out = command("what-if", "--from", bundle, "--topic", "ord*").out
    assert out.startswith("prod: 2 partitions, 1 topic,")
    assert "audit" not in out
    assert command("what-if", "--from", bundle, "--topic", "nothing*").code == 2


def test_a_loss_of_any_number_of_things_can_be_asked_for(command: Any, bundle: str):
    rows = table(command("what-if", "--from", bundle, "--lose", "broker:1,rack:az-b,broker:3").out)
    assert rows["broker 1 + rack az-b + broker 3"] == ["3  (2 topics)", "3", "3", "3", "lost"]
    assert len(rows) == 2


def test_what_is_asked_for_agrees_with_what_is_listed(command: Any, bundle: str):
    listed = json.loads(command("what-if", "--from", bundle, "--format", "json").out)
    for scenario in listed["environments"][0]["scenarios"]:
        asked = ",".join(part.replace(" ", ":", 1) for part in scenario["name"].split(" + "))
        found = json.loads(command("what-if", "--from", bundle, "--format", "json", "--lose", asked).out)
        (one,) = found["environments"][0]["scenarios"]
        assert one | {"kind": ""} == scenario | {"kind": ""}


def test_controllers_that_are_nodes_of_their_own_can_be_lost_too(command: Any, here: Path):
    file = keep(here / "b.json", [partition(TOPICS), broker(RACKS), quorum((101, 102, 103))])
    ended = command("what-if", "--from", file, "--lose", "controller:101,controller:102")
    assert table(ended.out)["controller 101 + controller 102"][-1] == "lost"
    ended = command("what-if", "--from", file, "--lose", "controller:101,broker:3")
    assert table(ended.out)["controller 101 + broker 3"] == ["0", "0", "0", "0", "survives"]
    assert ended.code == 0


def test_which_controllers_go_with_a_rack_is_unknown_where_kafka_does_not_tell(command: Any, here: Path):
    file = keep(here / "b.json", [partition(TOPICS), broker(RACKS), quorum((101, 102, 103))])
    ended = command("what-if", "--from", file, "--lose", "rack:az-c")
    assert ended.code == 3
    assert table(ended.out)["rack az-c"][-1] == "?"
    assert "Kafka tells the racks of brokers, not those of controllers" in ended.out


def test_without_a_quorum_the_question_has_no_meaning_and_nothing_is_missing(command: Any, here: Path):
    votes = quorum(())
    votes.inapplicable = "ZooKeeper mode"
    ended = command("what-if", "--from", keep(here / "b.json", [partition(TOPICS), broker(RACKS), votes]))
    assert ended.code == 0
    assert table(ended.out)["broker 3"] == ["0", "0", "0", "0", "-"]


def test_what_is_down_already_is_counted_in_and_said(command: Any, here: Path):
    facts = [partition(TOPICS, down=(2,)), broker(RACKS, down=(2,)), quorum((1, 2, 3))]
    ended = command("what-if", "--from", keep(here / "b.json", facts))
    assert "1 partition refuse acks=all already" in ended.out.replace("refuses", "refuse")
    assert "broker 2" not in ended.out
    assert table(ended.out)["broker 3"][-1] == "lost"


def test_a_loss_of_what_is_down_already_adds_nothing(command: Any, here: Path):
    facts = [partition(TOPICS, down=(2,)), broker(RACKS, down=(2,)), quorum((1, 2, 3))]
    ended = command("what-if", "--from", keep(here / "b.json", facts), "--lose", "broker:2")
    assert ended.code == 0
    assert "nothing more to lose" in ended.out


@pytest.mark.parametrize("arguments", [(), ("--format", "json"), ("--lose", "broker:1")])
def test_facts_with_gaps_are_shown_as_not_all_of_it(command: Any, here: Path, arguments: tuple[str, ...]):
    facts = [partition(TOPICS), broker(RACKS), quorum((1, 2, 3))]
    file = keep(here / "b.json", facts, gaps=("topics may be hidden",))
    ended = command("what-if", "--from", file, *arguments)
    assert ended.code == 3
    assert "topics may be hidden" in ended.out


def test_a_bundle_that_lacks_a_fact_is_not_taken_for_a_healthy_cluster(command: Any, here: Path):
    ended = command("what-if", "--from", keep(here / "b.json", [broker(RACKS), quorum((1, 2, 3))]))
    assert ended.code == 3
    assert "does not hold kafka_partition" in ended.out


def test_facts_of_user_topics_only_are_used_and_said_to_be_that(command: Any, here: Path):
    facts = [partition(TOPICS), broker(RACKS), quorum((1, 2, 3))]
    ended = command("what-if", "--from", keep(here / "b.json", facts, given='{"internal": false}'))
    assert ended.code == 3
    assert 'only as asked with {"internal": false}' in ended.out
    assert ended.out.startswith("prod: 3 partitions")


def test_many_rows_are_cut_and_can_all_be_had(command: Any, bundle: str):
    short = command("what-if", "--from", bundle, "--rows", "2").out
    assert "more: --rows all" in short
    assert "more: --rows" not in command("what-if", "--from", bundle, "--rows", "all").out


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("--lose", "broker:9"), "has no broker 9; it has: 1, 2, 3"),
        (("--lose", "rack:az-x"), "az-a, az-b, az-c"),
        (("--lose", "rack:fra-*"), "az-a, az-b, az-c"),
        (("--lose", "2"), "write broker:NUMBER"),
        (("--rows", "few"), "a number, or all"),
        (("--format", "yaml"), "--format yaml"),
    ],
)
def test_mistakes_are_answered_with_what_may_be_written(
    command: Any, bundle: str, arguments: tuple[str, ...], hint: str
):
    ended = command("what-if", "--from", bundle, *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert hint in ended.err


def test_an_environment_without_kafka_is_not_applicable(command: Any, here: Path):
    (here / "environments.yaml").write_text("environments: {files: {absent: {kafka: only files here}}}")
    ended = command("what-if")
    assert ended.code == 4
    assert "only files here" in ended.out


@pytest.mark.live
def test_a_healthy_lab_survives_the_loss_of_any_one_broker(command: Any, lab_inventory: Path):
    ended = command("what-if", "--inventory", str(lab_inventory), "--format", "json")
    (found,) = json.loads(ended.out)["environments"]
    assert ended.code == 0
    single = [one for one in found["scenarios"] if one["kind"] == "broker"]
    assert len(single) == found["counts"]["brokers"]
    assert {(one["refusing_writes"], one["quorum"]) for one in single} == {(0, "survives")}


def test_a_pattern_means_every_rack_that_it_matches(command: Any):
    """As of a data centre with several racks."""
    stretched = str(Path(__file__).parents[1] / "cases" / "topologies" / "stretched.json")
    by_pattern = json.loads(command("what-if", "--from", stretched, "--format", "json", "--lose", "rack:west-*").out)
    both = "rack:west-1,rack:west-2"
    by_name = json.loads(command("what-if", "--from", stretched, "--format", "json", "--lose", both).out)
    for found in (by_pattern, by_name):
        for row in found["environments"][0]["scenarios"]:
            row.pop("name")
    assert by_pattern == by_name


RECORDED = Path(__file__).parents[1] / "recorded" / "plain" / "lose-quorum"


def kept(state: str, here: Path) -> str:
    """A bundle of what is kept of a lab that lost its quorum: before, during."""
    file = here / f"{state}.json"
    save_bundle(file, record.read(RECORDED / f"{state}.json.gz").bundle)
    return str(file)


def told(command: Any, *arguments: str) -> dict[str, Any]:
    """What the command tells of the only environment, as JSON."""
    (one,) = json.loads(command("what-if", "--format", "json", *arguments).out)["environments"]
    return dict(one)


def test_what_is_not_known_while_the_quorum_is_lost_is_no_zero(command: Any, here: Path):
    file = kept("during", here)
    found = told(command, "--from", file)
    assert found["already"] is None
    assert found["complete"] is False
    for one in found["scenarios"]:
        counts = [one[name] for name in ("refusing_writes", "offline", "at_risk", "acks_1_at_risk")]
        assert 0 not in counts
        assert one["quorum"] in (None, "lost")
        assert one["at_least"] is any(counts)
    ended = command("what-if", "--from", file)
    assert ended.code == 3
    lines = ended.out.splitlines()
    reasons = [at for at, line in enumerate(lines) if "can't be reached: connection refused" in line]
    assert reasons
    assert max(reasons) < next(at for at, line in enumerate(lines) if line.startswith("if this is lost"))
    assert "? partitions refuse acks=all already" in lines
    assert all("0" not in cells for cells in table(ended.out).values())


def test_what_is_foretold_of_a_lost_quorum_is_what_the_lab_then_showed(command: Any, here: Path):
    during = record.read(RECORDED / "during.json.gz").bundle
    silent = {row["broker"] for row in fact_in(during, "kafka_broker").rows() if not row["answers"]}
    dead = [row for row in fact_in(during, "kafka_partition").rows() if row["leader"] in silent]
    assert dead  # nobody was elected: metadata goes on naming leaders that do not run
    lose = ",".join(f"broker:{node}" for node in sorted(silent))
    (one,) = told(command, "--from", kept("before", here), "--lose", lose)["scenarios"]
    assert one["quorum"] == "lost"
    assert one["offline"] == len(dead)
    assert one["acks_1_at_risk"] == len(dead)
    assert one["refusing_writes"] == len(fact_in(during, "kafka_partition"))


def test_without_a_majority_no_replica_is_promoted_and_no_in_sync_set_shrinks(command: Any, here: Path):
    topics = {"wide": [[1, 4, 5], [2, 4, 5], [4, 5, 1]]}
    file = keep(here / "b.json", [partition(topics), broker(dict.fromkeys((1, 2, 3, 4, 5), "")), quorum((1, 2, 3))])
    (one,) = told(command, "--from", file, "--lose", "broker:1,broker:2")["scenarios"]
    assert (one["quorum"], one["offline"], one["refusing_writes"], one["at_risk"]) == ("lost", 2, 3, 0)
    (one,) = told(command, "--from", file, "--lose", "broker:1,broker:4")["scenarios"]
    assert (one["quorum"], one["offline"], one["refusing_writes"]) == ("survives", 0, 2)


def test_a_broker_is_lost_together_with_a_controller_whose_vote_was_needed(command: Any, here: Path):
    votes = quorum((101, 102, 103))
    votes.columns["last_caught_up_ms"][0] = 3_600_000  # long dead
    file = keep(here / "b.json", [partition(TOPICS), broker(RACKS), votes])
    found = {one["name"]: one for one in told(command, "--from", file)["scenarios"]}
    both = found["broker 1 + controller 102"]
    assert (both["quorum"], both["offline"], found["broker 1"]["offline"]) == ("lost", 2, 0)
    asked = told(command, "--from", file, "--lose", "broker:1", "--lose", "controller:102")["scenarios"][0]
    assert asked["offline"] == both["offline"]


def test_losses_asked_for_one_by_one_are_one_loss(command: Any, bundle: str):
    apart = command("what-if", "--from", bundle, "--lose", "broker:2", "--lose", "broker:3").out
    assert apart == command("what-if", "--from", bundle, "--lose", "broker:2,broker:3").out
    assert table(apart)["broker 2 + broker 3"][-1] == "lost"


def test_records_that_only_a_leader_has_are_at_risk_with_it(command: Any, here: Path):
    """Followers could not fetch for a while; what acks=all acknowledged is safe with the eligible."""
    parts = partition({"orders": [[2, 1, 3]]})
    parts.columns |= {"isr": [[2]], "elr": [[1, 3]]}
    file = keep(here / "b.json", [parts, broker(RACKS), quorum((1, 2, 3))])
    found = {one["name"]: one for one in told(command, "--from", file)["scenarios"]}
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
    found = told(command, "--from", file, *arguments)
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
    assert told(command, "--from", file)["scenarios"] == []


def test_the_pinned_cluster_is_judged(command: Any, here: Path):
    right = Fact("kafka_cluster", {"cluster_id": ["mine"]})
    file = keep(here / "b.json", [partition(TOPICS), broker(RACKS), quorum((1, 2, 3)), right])
    document = json.loads(Path(file).read_text("utf-8"))
    document["environments"]["prod"]["cluster_id"] = "mine"
    Path(file).write_text(json.dumps(document), "utf-8")
    assert command("what-if", "--from", file).code == 0


def test_what_may_be_lost_is_completed(bundle: str):
    def words(incomplete: str, **params: Any) -> list[str]:
        return complete_losses(SimpleNamespace(params=params), incomplete)  # type: ignore[arg-type]

    assert words("") == ["broker:", "rack:", "controller:"]
    assert words("ra", from_=Path(bundle)) == ["rack:", "rack:az-a", "rack:az-b", "rack:az-c"]
    assert words("broker:2,broker:", from_=Path(bundle)) == [
        "broker:2,broker:",
        "broker:2,broker:1",
        "broker:2,broker:2",
        "broker:2,broker:3",
    ]
    assert words("x") == words("broker:", from_=Path("no such file"))[1:] == []
