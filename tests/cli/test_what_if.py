"""`runbook what-if` over small layouts: what it lists, in which order, and what may be asked for."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from runbook.cli.completion import complete_losses
from support.small_layouts import RACKS, TOPICS, broker, keep, partition, quorum, table


@pytest.fixture
def bundle(here: Path):
    return keep(here / "b.json", [partition(TOPICS), broker(RACKS), quorum((1, 2, 3))])


def test_the_first_line_counts_what_was_looked_at(command: Any, bundle: str):
    ended = command("what-if", "--from", bundle)
    assert ended.code == 0
    assert ended.out.splitlines()[0] == "prod: 3 partitions, 2 topics, 3 brokers, 3 racks, 3 controllers"


def test_the_table_fits_a_usual_terminal(command: Any, bundle: str):
    lines = command("what-if", "--from", bundle).out.splitlines()
    head = next(at for at, line in enumerate(lines) if line.startswith("if this is lost"))
    assert [name.split() for name in lines[head - 1 : head + 1]] == [
        ["refuse", "data", "acks=1"],
        ["if", "this", "is", "lost", "acks=all", "offline", "at", "risk", "at", "risk", "quorum"],
    ]
    assert all(len(line) <= 80 for line in lines)


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
    assert {len(scenario["nodes"]) for scenario in found["scenarios"] if scenario["kind"] == "rack and broker"} == {3}


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
        (asked_for,) = found["environments"][0]["scenarios"]
        assert asked_for | {"kind": ""} == scenario | {"kind": ""}


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
    assert "out of service already, and counted in by every line: broker 2\n" in ended.out
    assert "broker 2" not in table(ended.out)
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
    single = [scenario for scenario in found["scenarios"] if scenario["kind"] == "broker"]
    assert len(single) == found["counts"]["brokers"]
    assert {(loss["refusing_writes"], loss["quorum"]) for loss in single} == {(0, "survives")}


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


def test_losses_asked_for_one_by_one_are_one_loss(command: Any, bundle: str):
    apart = command("what-if", "--from", bundle, "--lose", "broker:2", "--lose", "broker:3").out
    assert apart == command("what-if", "--from", bundle, "--lose", "broker:2,broker:3").out
    assert table(apart)["broker 2 + broker 3"][-1] == "lost"


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
