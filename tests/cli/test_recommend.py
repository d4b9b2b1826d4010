"""`runbook recommend` over the facts of a producer as Kafka 4.3 showed it: what it computes, says, and leaves."""

import json
from pathlib import Path
from typing import Any

import pytest

from runbook.evidence.bundle import FORMAT, Bundle, Kept, save_bundle
from runbook.model.ask import FactQuestion
from runbook.model.block import Objective
from runbook.model.fact import Fact
from runbook.model.objective import Ranking, TopicRanking
from runbook.parse.inventory import Environment
from runbook.show.recommendation_lines import as_text
from runbook.what_if.recommendations import Recommendations
from support.kafka_facts import fact

WAYS = {"client_config": "files", "kafka_topic": "kafka", "kafka_group_lag": "kafka"}
SENDS = {"sent": 10.0, "record_size": 286.0, "queue_time": 1001.78}
BATCHES = {"batch_size": 1575.5, "compression_ratio": 0.65, "latency": 90.8}
NAME = {"application": "clicks", "client": "clicking"}
SAID = {"client": "clicks", "kind": "producer", "file": "clicks.properties"}
TOPIC = {"name": "clicks", "partitions": 3, "max_message_bytes": 1048588}


def facts(**settings: str | None) -> list[Fact]:
    rows = [
        {**SAID, "setting": name.replace("_", "."), "value": value, "line": n}
        for n, (name, value) in enumerate(settings.items(), 1)
    ]
    return [
        fact("client_send", [{**NAME, **SENDS}]),
        fact("client_producer", [{**NAME, **BATCHES}]),
        fact("client_config", rows),
        fact("kafka_topic", [TOPIC]),
    ]


def keep(file: Path, kept: list[Fact], *objectives: Objective, ranking: Ranking | None = None) -> str:
    params = {"throughput-latency/*": {"libraries": ["*=java-4.3"]}}
    environment = Environment(objectives=ranking or [*objectives], params=params)
    asked = [Kept(FactQuestion("prod", WAYS.get(of.source, "jolokia"), of.source, "{}"), {"": of}) for of in kept]
    ways = {"prod": ["files", "jolokia", "kafka"]}
    save_bundle(file, Bundle(FORMAT, "0", "run", "2026-11-29T10:00:00+00:00", {"prod": environment}, ways, [], asked))
    return str(file)


def test_the_answer_comes_first_and_each_change_shows_how_it_was_computed(command: Any, here: Path) -> None:
    kept = keep(here / "b.json", facts(linger_ms="1000", compression_type="gzip"))
    ended = command("recommend", "--from", kept)
    lines = ended.out.splitlines()
    assert lines[0] == (
        "prod: 1 setting to change, 2 right as they are, 0 not known "
        "(objectives: durability > availability > throughput > latency)"
    )
    assert lines[2] == "change   linger.ms of client clicking of application clicks: 1000 -> 100, for throughput"
    assert "  costs    each record may wait up to 100 ms (now 1000); batches hold about 335 bytes" in lines
    assert any(line.startswith("  inputs   136 bytes a record, 10.1 join a batch in 1,002 ms") for line in lines)
    assert "  in force clicks.properties:1" in lines
    assert (
        "leave it compression.type of client clicking of application clicks: gzip. compression-rate-avg 0.65" in lines
    )
    assert lines[-1].startswith("Nothing was changed.")


@pytest.mark.parametrize(("ranking", "option"), [((), ["--objective", "latency"]), (("latency", "throughput"), [])])
def test_the_objective_that_ranks_higher_decides_or_the_one_that_is_named(
    command: Any, here: Path, ranking: tuple[Objective, ...], option: list[str]
) -> None:
    kept = keep(here / "b.json", facts(linger_ms="1000", compression_type="gzip"), *ranking)
    ended = command("recommend", "--from", kept, "-o", "json", *option)
    found = json.loads(ended.out)["environments"][0]["found"]
    assert {one["cells"]["objective"] for one in found} == {"latency"}
    assert next(one["cells"]["recommended"] for one in found if one["cells"]["setting"] == "linger.ms") == "0"


def test_what_is_not_known_is_named_and_nothing_is_recommended_for_it(command: Any, here: Path) -> None:
    ended = command("recommend", "--from", keep(here / "b.json", facts(linger_ms=None, compression_type="gzip")))
    assert ended.code == 3
    assert (
        "unknown  linger.ms (computed: 100) of client clicking of application clicks: the value in force: "
        "clicks.properties:1 leaves it to a variable"
    ) in ended.out.splitlines()


def test_without_metrics_it_says_what_was_not_seen(command: Any, here: Path) -> None:
    ended = command("recommend", "--from", keep(here / "b.json", facts()[1:]))
    assert ended.code == 3
    assert ended.out.startswith("prod: nothing could be computed")
    assert "not seen client_send: the bundle does not hold it" in ended.out
    assert ended.out.endswith(
        "\nSave a bundle that holds what is needed: runbook check throughput-latency --save FILE --env prod\n"
    )


def test_no_bundle_is_asked_for_where_none_lacks_anything() -> None:
    lacking = Recommendations("prod", [], [], ["no metrics"], [])
    assert "Save a bundle" not in as_text(lacking)


def test_an_objective_that_decides_nothing_is_refused(command: Any, here: Path) -> None:
    ended = command("recommend", "--from", keep(here / "b.json", facts()), "--objective", "durability")
    assert ended.code == 2
    assert "--objective durability: " in ended.err


def lag(topic: str, written: int, read: int) -> dict[str, Any]:
    """One partition that one member reads, as two looks five seconds apart saw it."""
    ends = {"end_before": 50000 - written, "end": 50000, "committed_before": 100, "committed": 100 + read}
    state = {"type": "classic", "state": "stable", "members": 1}
    group = {"group": "g", **state, "owner": f"{topic} /10.0.0.1", "between": 5.0}
    late = {"lag": 49900 - read, "quiet": 1.0, "behind_least": 600.0, "behind_most": 600.0, "commits": True}
    return {"topic": topic, "partition": 0, "stable": 50000, **group, **ends, **late}


def test_topics_are_chosen_by_name_and_each_by_its_own_ranking(command: Any, here: Path) -> None:
    topics = {"cleanup_policy": "delete", "retention_ms": 86400000, "retention_bytes": -1}
    kept = [
        fact("kafka_group_lag", [lag("orders", 500, 250), lag("clicks", 500, 500)]),
        fact("kafka_topic", [{"name": name, **topics} for name in ("orders", "clicks")]),
    ]
    ranking = Ranking(["throughput"], [TopicRanking("orders", ["latency", "throughput"])])
    file = keep(here / "b.json", kept, ranking=ranking)
    lines = command("recommend", "ord*", "--from", file).out.splitlines()
    assert lines[0].startswith("prod: 1 setting to change, 1 right as it is, 0 not known")
    assert lines[2] == "change   partitions of group g of topic orders: 1 -> 2, for latency"
    assert any("order by key breaks" in line for line in lines)
