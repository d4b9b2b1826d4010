"""Every cell that a manifest says has its line: the field itself, or what stands next above one that is missing."""

from pathlib import Path

import pytest

from runbook.connections import manifests
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.plugins.catalog import catalog
from runbook.safety.redaction import Redaction
from runbook.safety.secret import HIDDEN

SOURCE = """\
apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: {name: orders}
spec:
  kafka:
    listeners:
      - {name: plain, port: 9092, type: internal, tls: false}
      - name: outside
        port: 9094
        type: nodeport
        tls: true
    config:
      min.insync.replicas: 1
      advertised.listeners: x
    authorization: {type: simple, superUsers: [CN=a]}
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: {name: brokers, labels: {strimzi.io/cluster: orders}}
spec:
  replicas: 2
  roles: [broker]
  storage:
    type: jbod
    volumes:
      - {id: 0, type: persistent-claim, size: 1Gi}
      - id: 1
        type: ephemeral
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaUser
metadata: {name: app, labels: {strimzi.io/cluster: orders}}
spec:
  authorization:
    type: simple
    acls:
      - resource: {type: topic, name: a}
        operations: [Read]
      - resource:
          type: topic
          name: "*"
        operations:
          - Write
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaMirrorMaker2
metadata: {name: mirror}
spec:
  target: {alias: b, bootstrapServers: "b:9092", config: {config.storage.replication.factor: 3}}
  mirrors:
    - source:
        alias: a
        bootstrapServers: a:9092
      sourceConnector:
        config:
          offset-syncs.topic.replication.factor: 1
          password: hunter2
"""


def fact(folder: Path, probe: str, text: str = SOURCE) -> Fact:
    file = folder / "all.yaml"
    file.write_text(text)
    module = catalog("probes").load(probe)
    read = manifests.connect({"paths": str(file)}, Deadline(5))
    return tabulate(probe, module.PROBE.columns, module.observe(read))


@pytest.mark.parametrize(
    ("probe", "row", "column", "line"),
    [
        ("strimzi_kafka", 0, "", "2:1: kind"),
        ("strimzi_kafka", 0, "kafka", "3:12: name"),
        ("strimzi_kafka", 0, "min_insync", "13:7: min.insync.replicas"),
        ("strimzi_kafka", 0, "default_replication", "12:5: config"),
        ("strimzi_kafka", 0, "ignored", "14:7: advertised.listeners"),
        ("strimzi_kafka", 0, "super_users", "15:35: superUsers"),
        ("strimzi_kafka", 0, "brokers", "21:3: replicas"),
        ("strimzi_kafka", 0, "controllers", "5:3: kafka"),
        ("strimzi_kafka", 0, "topic_operator", "4:1: spec"),
        ("listener_declaration", 0, "tls", "7:51: tls"),
        ("listener_declaration", 1, "authentication", "8:9: name"),
        ("listener_declaration", 1, "type", "10:9: type"),
        ("node_declaration", 0, "ephemeral", "28:9: type"),
        ("node_declaration", 0, "apart", "20:1: spec"),
        ("node_declaration", 0, "cpu_request", "20:1: spec"),
        ("acl_declaration", 1, "changes", "42:9: operations"),
        ("acl_declaration", 1, "every", "41:11: name"),
        ("strimzi_connect", 0, "replication", "49:59: config.storage.replication.factor"),
        ("strimzi_connect", 0, "sources_in_clear", "53:9: bootstrapServers"),
        ("strimzi_connector", 0, "inner_replication", "56:11: offset-syncs"),
        ("strimzi_connector", 0, "in_clear", "57:11: password"),
        ("strimzi_connector", 0, "restarts", "54:7: sourceConnector"),
        ("strimzi_resource", 2, "cluster", "32:23: labels"),
    ],
)
def test_a_cell_has_the_line_of_its_field(tmp_path: Path, probe: str, row: int, column: str, line: str) -> None:
    file, at, place, starts = *fact(tmp_path, probe).columns["places"][row][column].rsplit(":", 2), line.split(": ")[1]
    assert f"{at}:{place}" == line.split(": ", maxsplit=1)[0]
    assert Path(file).read_text().splitlines()[int(at) - 1][int(place) - 1 :].startswith(starts)


@pytest.mark.parametrize("file", ["deploy/kafka.yaml", "a.yml", "a.json", "stdin"])
def test_no_place_is_withheld_for_the_name_of_its_column(file: str) -> None:
    places = {"authorization": f"{file}:37:7", "in_clear": f"{file}:8:1", "superUserPassword": f"{file}:8:1"}
    assert Redaction(()).value({"places": [places]}) == {"places": [places]}
    assert Redaction(()).value({"password": f"{file}x7:1"}) == {"password": HIDDEN}


def test_pools_of_before_have_the_lines_of_the_kafka_resource(tmp_path: Path) -> None:
    text = (
        "apiVersion: kafka.strimzi.io/v1beta2\nkind: Kafka\nmetadata: {name: old}\nspec:\n  kafka:\n    replicas: 3\n"
    )
    places = fact(tmp_path, "node_declaration", f"{text}    storage:\n      type: ephemeral\n").columns["places"][0]
    assert places["replicas"].endswith(":6:5")
    assert places["ephemeral"].endswith(":8:7")


def test_each_field_that_is_refused_has_its_line(tmp_path: Path) -> None:
    text = (
        "apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nmetadata: {name: a}\nspec:\n  partitons: 3\n  replica: 3\n"
    )
    found = fact(tmp_path, "strimzi_resource", text)
    assert found.columns["refused"] == [
        ["spec.partitons is no field: partitions? (line 5)", "spec.replica is no field: replicas? (line 6)"]
    ]
    assert found.columns["places"][0]["refused"].endswith(":5:3")


POOL = """\
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: {name: more, labels: {strimzi.io/cluster: orders}}
spec: {replicas: REPLICAS, roles: [broker], storage: {type: ephemeral}}
"""


def with_pool(replicas: str) -> str:
    return f"{SOURCE}---\n{POOL.replace('REPLICAS', replicas)}"


def test_a_pool_that_can_not_be_read_leaves_the_number_of_its_nodes_unknown(tmp_path: Path) -> None:
    found = fact(tmp_path, "strimzi_kafka", with_pool("{{ .replicas }}"))
    assert found.columns["brokers"] == [None]
    assert "KafkaNodePool more is not judged" in found.columns["why"][0]
    assert found.complete
    other = with_pool("{{ .replicas }}").replace(
        "{name: more, labels: {strimzi.io/cluster: orders}}", "{labels: {strimzi.io/cluster: other}}"
    )
    assert fact(tmp_path, "strimzi_kafka", other).columns["brokers"] == [2]


def test_what_is_of_another_type_costs_its_own_resource(tmp_path: Path) -> None:
    found = fact(tmp_path, "node_declaration", with_pool("many"))
    assert found.columns["pool"] == ["brokers"]
    [gap] = found.gaps
    assert "KafkaNodePool more is not judged: KafkaNodePool more has 'many' as spec.replicas" in gap.reason
    assert gap.place.endswith(":60:1")


def test_of_a_pool_without_its_kafka_resource_only_what_it_says_is_known(tmp_path: Path) -> None:
    found = fact(tmp_path, "node_declaration", POOL.replace("REPLICAS", "3"))
    assert (found.columns["apart"], found.columns["heap_max"], found.columns["cpu_request"]) == ([None], [None], [0])
    assert found.columns["why"] == ["there is no Kafka resource orders, whose default counts"]
    own = POOL.replace("REPLICAS", "3, jvmOptions: {-Xmx: 1g}, template: {pod: {}}")
    found = fact(tmp_path, "node_declaration", own)
    assert (found.columns["apart"], found.columns["heap_max"], found.columns["why"]) == ([[]], [1 << 30], [""])


def test_a_kind_that_there_is_not_is_refused(tmp_path: Path) -> None:
    found = fact(tmp_path, "strimzi_resource", POOL.replace("KafkaNodePool", "KafkaNodepool").replace("REPLICAS", "1"))
    assert found.columns["refused"] == [["Strimzi 0.45.0 to 1.2.0 has no kind KafkaNodepool: KafkaNodePool? (line 2)"]]


def test_a_template_of_rebalances_belongs_to_no_cluster(tmp_path: Path) -> None:
    text = "apiVersion: kafka.strimzi.io/v1\nkind: KafkaRebalance\nmetadata: {name: a, annotations: {NOTE}}\nspec: {}\n"
    template = text.replace("NOTE", 'strimzi.io/rebalance-template: "true"')
    assert fact(tmp_path, "strimzi_resource", template).columns["owner"] == [""]
    assert fact(tmp_path, "strimzi_resource", text.replace("NOTE", "")).columns["owner"] == ["Kafka"]


def test_which_namespace_an_operator_watches_is_not_known_of_a_resource_without_one(tmp_path: Path) -> None:
    text = "apiVersion: kafka.strimzi.io/v1\nkind: Kafka\nmetadata: {name: orders}\nspec:\n  kafka: {}\n"
    seen = fact(tmp_path, "strimzi_kafka", f"{text}  entityOperator: {{userOperator: {{watchedNamespace: apps}}}}\n")
    assert seen.columns["user_operator"] == [None]
    assert seen.columns["topic_operator"] == [False]
