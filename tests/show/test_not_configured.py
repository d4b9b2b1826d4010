"""What an inventory is silent about is told with lines to paste; and one is written from what a cluster tells."""

import datetime as dt
import json
import textwrap
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec import to_builtins

from runbook.model.errors import UsageError
from runbook.model.fact import Fact, Gap
from runbook.parse.connection_lines import line_for
from runbook.parse.inventory import parse_inventory
from runbook.parse.unobserved import Unobserved
from runbook.plugins.catalog import catalog
from runbook.show import inventory_draft
from runbook.show.not_configured import not_configured
from support.small_runbooks import target

TODAY = dt.date(2026, 11, 24)
KAFKA = {"kafka": {"bootstrap.servers": "a:1"}}
BROKER = Fact(
    "kafka_broker",
    {
        "broker": [2, 1, 3],
        "host": ["kafka-2", "kafka-1", ""],
        "port": [9092, 9093, -1],
        "rack": ["b", "a", None],
    },
)
CLUSTER = Fact("kafka_cluster", {"cluster_id": ["c9wD_AoXT66jv5bnK4D4Tw"], "mode": ["kraft"], "kafka_version": ["4.3"]})
ASKED = set(catalog("connections").names()) - {"manifests"}
"""Those that something is asked over; manifests stand in for an API server, where there are any."""


@pytest.mark.parametrize("kind", catalog("connections").names())
def test_every_connection_has_a_line_that_an_inventory_takes(kind: str) -> None:
    assert line_for(kind).startswith(f"{kind}: {{")
    book = parse_inventory(f"environments: {{prod: {{{line_for(kind)}}}}}", "e.yaml", TODAY)
    assert list(book.targets["prod"].connections) == [kind]


def test_the_lines_can_be_pasted_together_and_know_the_brokers() -> None:
    lines = list(not_configured(target("prod", KAFKA), {"kafka_broker": BROKER}))
    pasted = textwrap.indent("\n".join(lines[1:-2]), "    ")
    book = parse_inventory(f"environments:\n    prod:\n{pasted}\n", "e.yaml", TODAY)
    given = book.targets["prod"].connections
    assert set(given) == ASKED - {"kafka"}
    assert {name: host["address"] for name, host in given["ssh"]["hosts"].items()} == {
        "broker-1": "kafka-1",
        "broker-2": "kafka-2",
    }


def test_the_line_for_what_is_not_there_keeps_what_is_said_already() -> None:
    lines = list(not_configured(target("prod", KAFKA, absent={"ssh": 'cloud: "ours"'}), None))
    assert not any(line.strip().startswith("ssh:") for line in lines)
    absent = yaml.safe_load(lines[-2])["absent"]
    assert absent.pop("ssh") == 'cloud: "ours"'
    assert set(absent) == ASKED - {"kafka", "ssh", "jolokia", "files"}


def test_of_what_always_exists_the_line_says_that_nobody_looks() -> None:
    left = {"ssh": Unobserved("no access, yet", "team-x", "2027-01-31")}
    lines = list(not_configured(target("prod", KAFKA, unobserved=left), None))
    unobserved = yaml.safe_load(lines[-1])["unobserved"]
    assert unobserved.pop("ssh") == to_builtins(left["ssh"])
    assert set(unobserved) == {"jolokia", "files"}


def test_where_all_is_said_nothing_is_told() -> None:
    absent = dict.fromkeys(set(catalog("connections").names()) - {"kafka"}, "none here")
    assert list(not_configured(target("prod", KAFKA, absent=absent), None)) == []


def test_env_tells_it(command: Any, here: Path) -> None:
    (here / "environments.yaml").write_text("environments: {prod: {kafka: {bootstrap.servers: 'a:1'}}}")
    out = command("env", "--offline").out
    assert "not said, so that what asks there is unknown" in out
    assert "kubernetes: {kubeconfig:" in out


def tells(monkeypatch: pytest.MonkeyPatch, cluster: Fact, broker: Fact) -> None:
    answers = {("dev", "kafka_cluster"): cluster, ("dev", "kafka_broker"): broker}
    monkeypatch.setattr(inventory_draft, "ask_all", lambda *_: answers)


def test_an_inventory_is_written_from_what_the_cluster_tells(
    command: Any, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tells(monkeypatch, CLUSTER, BROKER)
    assert command("init", ".", "--from", "kafka-1:9093").code == 0
    text = (here / "environments.yaml").read_text("utf-8")
    book = parse_inventory(text, "e.yaml", TODAY)
    first = book.targets["dev"]
    assert first.connections == {"kafka": {"bootstrap.servers": "kafka-1:9093,kafka-2:9092"}}
    assert first.environment.cluster_id == "c9wD_AoXT66jv5bnK4D4Tw"
    assert set(first.environment.absent) == {"zookeeper"}
    assert "Kafka 4.3, kraft; 2 brokers, racks a, b" in text
    uncommented = text.replace("    # ssh:", "    ssh:")
    assert "broker-2" in parse_inventory(uncommented, "e.yaml", TODAY).targets["dev"].connections["ssh"]["hosts"]


def test_where_an_inventory_is_there_the_lines_are_told_that_add_a_cluster(
    command: Any, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tells(monkeypatch, CLUSTER, BROKER)
    file = here / "environments.yaml"
    file.write_text("environments:\n  prod:\n    kafka: {bootstrap.servers: 'a:1'}\n", "utf-8")
    before = file.read_bytes()
    done = command("init", "--from", "kafka-1:9093")
    assert (done.code, file.read_bytes()) == (0, before)
    assert not (here / "runbooks").exists()
    assert done.err.strip().endswith(
        "environments.yaml is there already. To add this cluster, write below environments:, and call it as you do:"
    )
    book = parse_inventory(file.read_text("utf-8") + done.out, "e.yaml", TODAY)
    assert [*book.targets] == ["prod", "dev-2"]
    assert book.targets["dev-2"].environment.cluster_id == "c9wD_AoXT66jv5bnK4D4Tw"
    file.write_text(f"environments:\n{done.out}", "utf-8")
    again = command("init", "--from", "kafka-1:9093").err
    assert (
        "environments.yaml already, as dev-2. Only if you want it by a second name, write below environments:" in again
    )
    assert "To add this cluster" not in again


def test_an_inventory_that_alone_is_lacking_is_alone_written(
    command: Any, knowledge: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tells(monkeypatch, CLUSTER, BROKER)
    first = (knowledge / "runbooks/first.md").read_text()
    (knowledge / "environments.yaml").unlink()
    assert command("env").err.endswith("runbook.yaml names it; runbook init --from HOST:PORT writes it\n")
    ended = command("init", "--from", "kafka-1:9092")
    assert (ended.code, ended.out, ended.err) == (0, "wrote environments.yaml\n", "")
    assert "kafka-1:9092" in (knowledge / "environments.yaml").read_text()
    assert (knowledge / "runbooks/first.md").read_text() == first


def test_an_address_that_is_none_is_told_without_a_place_in_a_file(command: Any) -> None:
    done = command("init", "kb", "--from", "localhost:99999")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("--from: bootstrap.servers is no address: localhost:99999\n    write host:port")


def test_a_name_that_a_cluster_tells_adds_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    evil = 'x"\n  evil: {kafka: {bootstrap.servers: there}} #'
    rows = {name: list(cells) for name, cells in BROKER.columns.items()} | {
        "host": [evil, "kafka-1", ""],
        "rack": [evil] * 3,
    }
    cluster = {"cluster_id": [evil], "mode": [evil], "kafka_version": [evil]}
    tells(monkeypatch, Fact("kafka_cluster", cluster), Fact("kafka_broker", rows))
    text = inventory_draft.seen("kafka-1:9092", "5s")
    assert list(yaml.safe_load(text)["environments"]) == ["dev"]
    assert json.dumps(evil)[1:-1] in text
    kept = yaml.safe_load(text.replace("\n# results:", "\nresults:"))["results"]
    assert kept == {"to": "site-data/results", "keep_facts": "14d"}


def test_a_cluster_that_tells_nothing_writes_nothing(command: Any, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = Fact("kafka_cluster", {"cluster_id": []}, [Gap("not authorized")])
    tells(monkeypatch, nothing, Fact("kafka_broker", {"host": []}))
    done = command("init", "kb", "--from", "kafka-1:9092")
    assert done.code == 2
    assert "--from kafka-1:9092: not authorized" in done.err
    assert not (here / "kb").exists()
    with pytest.raises(UsageError):
        inventory_draft.seen("kafka-1:9092", "5s")
