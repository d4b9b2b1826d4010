import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from runbook.connections import manifests
from runbook.model.errors import NotThere
from runbook.model.fact import tabulate
from runbook.model.probe import Deadline
from runbook.probes import planned_change
from support.strimzi_played import platform
from support.terraform import changed, plan


def rows(file: Path, *changes: Any) -> list[dict[str, Any]]:
    """What is told of a plan of these changes."""
    file.write_text(plan(*changes))
    read = manifests.connect({"paths": str(file)}, Deadline(5))
    return [*tabulate("planned_change", planned_change.PROBE.columns, planned_change.observe(read)).rows()]


@pytest.mark.parametrize(
    ("actions", "action", "loses"),
    [
        (["create"], "create", False),
        (["update"], "update", False),
        (["no-op"], "no-op", False),
        (["delete"], "delete", True),
        (["delete", "create"], "replace", True),
        (["create", "delete"], "replace", True),
        (["forget"], "forget", False),
        (["create", "forget"], "forget", False),
    ],
)
def test_what_loses_records_is_told(tmp_path: Path, actions: list[str], action: str, *, loses: bool):
    values = {"name": "orders", "partitions": 3, "replication_factor": 3}
    after = None if actions in (["delete"], ["forget"]) else values
    before = None if actions == ["create"] else values
    [row] = rows(tmp_path / "plan.json", changed("kafka_topic", actions=actions, before=before, after=after))
    assert (row["action"], row["loses_records"], row["thing"], row["name"]) == (action, loses, "topic", "orders")


def test_a_replacement_tells_the_name_that_goes_and_why(tmp_path: Path):
    before, after = {"name": "orders"}, {"name": "sales"}
    change = changed(
        "kafka_topic", actions=["delete", "create"], before=before, after=after, replace_paths=[["name"], ["a", 0, "b"]]
    )
    [row] = rows(tmp_path / "plan.json", change)
    assert (row["name"], row["because"]) == ("orders", ["a[0].b", "name"])


def test_what_is_left_of_an_earlier_replacement_is_a_change_of_its_own(tmp_path: Path):
    values = {"name": "orders"}
    kept = changed("kafka_topic", actions=["no-op"], before=values, after=values)
    left = changed("kafka_topic", actions=["delete"], before={"name": "old"}) | {"deposed": "1a2b3c4d"}
    assert [(row["resource"], row["name"]) for row in rows(tmp_path / "plan.json", kept, left)] == [
        ("kafka_topic.orders", "orders"),
        ("kafka_topic.orders (deposed 1a2b3c4d)", "old"),
    ]


def test_a_sensitive_name_is_not_shown(tmp_path: Path):
    values = {"name": "planted-secret"}
    change = changed("kafka_topic", actions=["delete"], before=values, before_sensitive={"name": True})
    [row] = rows(tmp_path / "plan.json", change)
    assert row["name"] == "(sensitive)"


def test_an_api_server_tells_no_changes():
    assert "no changes" in platform().observe("planned_change").inapplicable


TOPIC = "apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nmetadata: {name: %s}\nspec: {topicName: %s.v1}\n"
LET_GO = '{strimzi.io/managed: "false"}'


def gone(folder: Path, before: dict[str, str], now: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The topics that files of a folder no longer declare, as they are called."""
    for held, files in ((folder / "before", before), (folder, now)):
        (held / "deploy").mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (held / "deploy" / name).write_text(text)
    monkeypatch.chdir(folder)
    read = manifests.connect({"paths": "deploy", "before": str(folder / "before")}, Deadline(5))
    rows = tabulate("planned_change", planned_change.PROBE.columns, planned_change.observe(read)).rows()
    return [f"{row['action']} {row['name']} {row['source']}" for row in rows]


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        ({"a.yaml": TOPIC % ("a", "a")}, {"a.yaml": TOPIC % ("a", "a")}, []),
        ({"a.yaml": TOPIC % ("a", "a")}, {"b.yaml": TOPIC % ("a", "a")}, []),
        ({"a.yaml": TOPIC % ("a", "a")}, {"a.yaml": TOPIC % ("b", "b")}, ["delete a.v1 deploy/a.yaml:2"]),
        ({"a.yaml": TOPIC % ("a", "a")}, {"b.yaml": TOPIC % ("b", "b")}, ["delete a.v1 deploy/a.yaml:2"]),
        ({"a.yaml": TOPIC % ("a", "a")}, {"a.yaml": TOPIC % ("a, namespace: x", "a")}, []),
        (
            {"a.yaml": TOPIC % ("a, namespace: y", "a")},
            {"a.yaml": TOPIC % ("a, namespace: x", "a")},
            ["delete a.v1 deploy/a.yaml:2"],
        ),
        (
            {"a.yaml": TOPIC % (f"a, annotations: {LET_GO}", "a")},
            {"b.yaml": TOPIC % ("b", "b")},
            [],
        ),
        ({}, {"b.yaml": TOPIC % ("b", "b")}, []),
    ],
    ids=[
        "same",
        "moved",
        "renamed",
        "file gone",
        "namespace added",
        "another namespace",
        "let go",
        "none before",
    ],
)
def test_a_topic_of_strimzi_that_files_no_longer_declare_is_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: dict[str, str], now: dict[str, str], told: list[str]
):
    assert gone(tmp_path, before, now, monkeypatch) == told


def test_whether_a_topic_is_gone_that_may_stand_in_what_can_not_be_read_is_not_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    broken = TOPIC % ("a", "a") + "\tx: 1\n"
    assert gone(tmp_path, {"a.yaml": TOPIC % ("a", "a")}, {"a.yaml": broken}, monkeypatch) == []
    read = manifests.connect({"paths": "deploy", "before": str(tmp_path / "before")}, Deadline(5))
    assert "a.yaml:5" in str(planned_change.observe(read).gaps[0].reason)


def test_a_path_that_was_not_there_before_holds_nothing_that_is_gone(tmp_path: Path):
    (tmp_path / "a.yaml").write_text(TOPIC % ("a", "a"))
    read = manifests.connect({"paths": str(tmp_path / "a.yaml"), "before": f"{tmp_path}/nothing"}, Deadline(5))
    assert "no plan" in planned_change.observe(read).inapplicable


KAFKA = "apiVersion: kafka.strimzi.io/v1\nkind: Kafka\nmetadata: {name: orders}\nspec: {kafka: {}}\n"
CRUISE = KAFKA.replace("{kafka: {}}", "{kafka: {}, cruiseControl: {autoRebalance: [{mode: remove-brokers}]}}")
UNGUARDED = KAFKA.replace("orders}", 'orders, annotations: {strimzi.io/skip-broker-scaledown-check: "true"}}')


def declared(kind: str, name: str, spec: str, owner: str = "orders", more: str = "") -> str:
    """A resource of Strimzi that belongs to a cluster."""
    labels = f"labels: {{strimzi.io/cluster: {owner}}}"
    metadata = f"{{name: {name}, {labels}{more}}}"
    return f"---\napiVersion: kafka.strimzi.io/v1\nkind: {kind}\nmetadata: {metadata}\nspec: {spec}\n"


def pool(replicas: int = 3, roles: str = "broker", storage: str = "{type: persistent-claim, size: 100Gi}") -> str:
    spec = f"{{replicas: {replicas}, roles: [{roles}], storage: {storage}}}"
    return declared("KafkaNodePool", "nodes", spec)


def topic(partitions: int = 12, replicas: int = 3, name: str = "sales", more: str = "") -> str:
    return declared(
        "KafkaTopic", "sales", f"{{topicName: {name}, partitions: {partitions}, replicas: {replicas}}}", more=more
    )


def since(folder: Path, before: str, now: str, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What becomes of resources in one file, in which something else stands, too."""
    other = "---\napiVersion: v1\nkind: Service\nmetadata: {name: x}\n"
    for held, text in ((folder / "before", before), (folder, now)):
        (held / "deploy").mkdir(parents=True)
        (held / "deploy" / "all.yaml").write_text(text + other)
    monkeypatch.chdir(folder)
    read = manifests.connect({"paths": "deploy", "before": str(folder / "before")}, Deadline(5))
    observed = planned_change.observe(read)
    return [*tabulate("planned_change", planned_change.PROBE.columns, observed).rows()]


JBOD = "{type: jbod, volumes: [{id: 0, type: persistent-claim, size: 100Gi%s}%s]}"


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        (
            KAFKA + pool() + topic(),
            "",
            ("delete cluster orders", "all 3 nodes (broker) go at once, their claims stay", False),
        ),
        (KAFKA + pool(storage="{type: ephemeral}"), "", ("delete cluster orders", "with their volumes", True)),
        (KAFKA + pool(), pool(), ("delete cluster orders", "Services, Secrets and entity operator", False)),
        (
            KAFKA + pool(),
            (KAFKA + pool()).replace("orders", "sales"),
            ("replace cluster orders", "it is called sales now, which begins empty", False),
        ),
        (KAFKA + pool(), KAFKA, ("delete node pool nodes", "all 3 nodes (broker) go at once", False)),
        (
            KAFKA + pool(storage=JBOD % (", deleteClaim: true", "")),
            KAFKA,
            ("delete node pool nodes", "with their volumes", True),
        ),
        (
            KAFKA + pool(3, "controller"),
            KAFKA + pool(1, "controller"),
            ("update node pool nodes", "quorum is static", False),
        ),
        (UNGUARDED + pool(3), UNGUARDED + pool(2), ("update node pool nodes", "with the partitions on them", False)),
        (declared("KafkaUser", "billing", "{}"), "", ("delete user billing", "can no longer log in", False)),
        (declared("KafkaConnector", "sink", "{}", "connect"), "", ("delete connector sink", "no longer flows", False)),
        (
            declared("KafkaConnect", "connect", "{}") + declared("KafkaConnector", "sink", "{}", "connect"),
            "",
            ("delete Connect cluster connect", "its workers go", False),
        ),
        (declared("KafkaMirrorMaker2", "mirror", "{}"), "", ("delete MirrorMaker 2 mirror", "mirroring stops", False)),
    ],
    ids=[
        "cluster",
        "cluster without lasting volumes",
        "cluster, and its pool stays",
        "cluster renamed",
        "pool",
        "pool whose claims are deleted",
        "controllers",
        "brokers without a check",
        "user",
        "connector",
        "Connect with its connectors",
        "MirrorMaker",
    ],
)
def test_what_stops_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str, now: str, told: tuple[str, str, bool]
):
    [row] = since(tmp_path, before, now, monkeypatch)
    assert f"{row['action']} {row['thing']} {row['name']}" == told[0]
    assert told[1] in row["effect"]
    assert (row["stops"], row["loses_records"], row["carried_out"]) == (True, told[2], True)


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        (KAFKA + pool(4), KAFKA + pool(3), "4 nodes become 3: the operator keeps all of them"),
        (KAFKA + pool(3, "controller, broker"), KAFKA + pool(3, "controller"), "role broker is taken away"),
        (pool(), pool(storage="{type: persistent-claim, size: 50Gi}"), "size 100Gi of its storage becomes 50Gi"),
        (pool(), pool(storage="{type: ephemeral}"), "storage persistent-claim becomes ephemeral"),
        (
            pool(),
            pool(storage="{type: persistent-claim, size: 100Gi, class: fast}"),
            "class (none) of its storage becomes fast",
        ),
        (pool(storage=JBOD % ("", "")), pool(storage=(JBOD % ("", "")).replace("100Gi", "99Gi")), "size 100Gi"),
        (topic(12), topic(6), "12 partitions become 6"),
        (KAFKA + topic(), KAFKA + topic(replicas=2), "without Cruise Control the operator refuses it"),
        (topic(), topic(name="other"), "topicName sales becomes other"),
    ],
)
def test_what_the_operator_does_not_carry_out_is_told_at_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str, now: str, told: str
):
    [row] = since(tmp_path, before, now, monkeypatch)
    assert told in row["effect"]
    assert (row["stops"], row["loses_records"], row["carried_out"]) == (False, False, False)
    assert row["places"][""].startswith("deploy/all.yaml:")


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (CRUISE + pool(4), CRUISE + pool(3)),
        (pool(0), ""),
        (pool(3), pool(4)),
        (pool(), pool(storage="{type: persistent-claim, size: 0.2Ti, deleteClaim: true}")),
        (pool(storage=JBOD % ("", "")), pool(storage=JBOD % ("", ", {id: 1, type: persistent-claim, size: 1Gi}"))),
        (topic(6), topic(12)),
        (CRUISE + topic(), CRUISE + topic(replicas=2)),
        (topic(more=", annotations: {argocd.argoproj.io/sync-options: 'Validate=false,Prune=false'}"), ""),
        (declared("KafkaUser", "billing", "{}", more=", annotations: {helm.sh/resource-policy: keep}"), ""),
        (declared("KafkaRebalance", "once", "{}"), ""),
        (KAFKA + pool() + topic(), topic() + pool() + KAFKA),
    ],
)
def test_what_is_carried_out_and_stops_nothing_is_no_change_to_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str, now: str
):
    assert since(tmp_path, before, now, monkeypatch) == []


def test_whether_other_replicas_are_carried_out_is_not_known_without_their_kafka(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    [row] = since(tmp_path, topic(), topic(replicas=2), monkeypatch)
    assert row["carried_out"] is None
    assert "no file has the Kafka resource orders" in row["why"]


def test_a_plan_that_is_too_large_hides_nothing_of_strimzi_and_its_remedy_makes_it_smaller(tmp_path: Path):
    ours = changed("kafka_topic", actions=["delete"], before={"name": "orders"})
    other = changed("aws_s3_object", before=None, after={"content": "x" * (17 << 20)})
    large = tmp_path / "plan.json"
    large.write_text(plan(ours, other, prior_state={"values": {}}, planned_values={}))
    (tmp_path / "topic.yaml").write_text(TOPIC % ("a", "a"))
    read = manifests.connect({"paths": str(tmp_path)}, Deadline(5))
    [gap] = planned_change.observe(read).gaps
    assert "bytes, more than the 16,777,216 that are read: keep what is judged, jq -c" in str(gap.reason)
    assert read.lost("kafka.strimzi.io", "kafkatopics") == []
    if jq := shutil.which("jq"):
        program = str(gap.reason).partition("jq -c '")[2].partition("' plan.json")[0]
        small = subprocess.run([jq, "-c", program, large], capture_output=True, text=True, check=True)
        (tmp_path / "plan.json").write_text(small.stdout)
        again = planned_change.observe(manifests.connect({"paths": str(large)}, Deadline(5)))
        assert [row.action for row in again.rows if isinstance(row, planned_change.PlannedChange)] == ["delete"]


@pytest.mark.parametrize("now", [{}, {"a.yaml": "# nothing\n"}], ids=["the folder is gone", "the file is empty"])
def test_where_nothing_is_left_all_that_was_there_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, now: dict[str, str]
):
    assert gone(tmp_path, {"a.yaml": TOPIC % ("a", "a")}, now, monkeypatch) == ["delete a.v1 deploy/a.yaml:2"]
    (tmp_path / "deploy" / "a.yaml").unlink(missing_ok=True)
    (tmp_path / "deploy").rmdir()
    read = manifests.connect({"paths": "deploy", "before": str(tmp_path / "before")}, Deadline(5))
    assert len(planned_change.observe(read).rows) == 1
    with pytest.raises(NotThere):
        planned_change.observe(manifests.connect({"paths": "deploi", "before": str(tmp_path / "before")}, Deadline(5)))
