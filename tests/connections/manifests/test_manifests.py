"""What files declare is what an API server would give; what can't be read is not passed over."""

import os
from pathlib import Path
from typing import Any

import pytest

from runbook.answers.kubernetes.objects import Absent
from runbook.connections import manifests
from runbook.model.errors import Denied, Garbled, Misconfigured, NotThere, NoTurn
from runbook.model.probe import Deadline

GROUP = "kafka.strimzi.io"
TOPIC = """apiVersion: kafka.strimzi.io/v1
kind: KafkaTopic
metadata: {name: NAME}
spec: {replicas: 3}
"""


def connect(*paths: Path | str, **settings: Any) -> manifests.Manifests:
    return manifests.connect({"paths": [str(path) for path in paths], **settings}, Deadline(5))


def topic(name: str, namespace: str = "") -> str:
    return TOPIC.replace("NAME", f"{name}, namespace: {namespace}" if namespace else name)


def written(file: Path, *texts: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("---\n".join(texts), "utf-8")
    return file


def found(connection: manifests.Manifests, plural: str = "kafkatopics") -> dict[str, str]:
    """Name → where it stands."""
    _, things = connection.custom(GROUP, plural)
    return {thing["metadata"]["name"]: thing["source"] for thing in things}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "needs `paths`"),
        ({"paths": []}, "needs `paths`"),
        ({"paths": [""]}, "needs `paths`"),
        ({"paths": {"a": "b"}}, "needs `paths`"),
        ({"path": "x"}, "did you mean paths"),
        ({"paths": "x", "namespace": 3}, "must be text"),
    ],
)
def test_settings_that_can_not_be_used_are_told_with_the_remedy(settings: dict[str, Any], said: str):
    with pytest.raises(Misconfigured, match=said):
        manifests.connect(settings, Deadline(5))


def test_every_document_of_a_file_is_read_and_its_line_is_told(tmp_path: Path):
    file = written(tmp_path / "all.yaml", topic("a"), "# only a comment\n", topic("b"), topic("c"))
    assert found(connect(file)) == {"a": f"{file}:2", "b": f"{file}:9", "c": f"{file}:14"}


def test_a_list_is_taken_apart(tmp_path: Path):
    items = "".join(f"- {topic(name).replace(chr(10), chr(10) + '  ').rstrip()}\n" for name in "ab")
    file = written(tmp_path / "list.yaml", f"apiVersion: v1\nkind: List\nitems:\n{items}")
    assert found(connect(file)) == {"a": f"{file}:5", "b": f"{file}:9"}


def test_json_is_read_too(tmp_path: Path):
    file = written(
        tmp_path / "t.json", '{"apiVersion": "kafka.strimzi.io/v1", "kind": "KafkaTopic", "metadata": {"name": "a"}}'
    )
    assert found(connect(file)) == {"a": f"{file}:1"}


def test_folders_and_patterns_are_looked_through(tmp_path: Path):
    names = ["a.yaml", "deep/down/b.yml", "deep/c.yaml", ".git/d.yaml", "deep/notes.md"]
    for name in names:
        written(tmp_path / name, topic(Path(name).stem) if not name.endswith(".md") else "# not this\n")
    assert set(found(connect(tmp_path))) == {"a", "b", "c"}
    assert set(found(connect(tmp_path / "deep" / "*.yaml"))) == {"c"}
    assert set(found(connect(tmp_path / "**" / "*.y*ml"))) == {"a", "b", "c"}
    assert set(found(connect(tmp_path / "a.yaml", tmp_path / "a.yaml", tmp_path / "deep"))) == {"a", "b", "c"}


def test_a_relative_path_is_below_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    written(tmp_path / "deploy" / "t.yaml", topic("a"))
    monkeypatch.chdir(tmp_path)
    assert found(connect("deploy")) == {"a": "deploy/t.yaml:2"}


def test_what_is_no_resource_is_passed_over_and_other_groups_are_other_kinds(tmp_path: Path):
    written(tmp_path / "values.yaml", "replicas: 3\nkind: 7\n")
    written(tmp_path / "other.yaml", topic("x").replace("kafka.strimzi.io", "example.com"))
    written(tmp_path / "t.yaml", topic("a"))
    assert set(found(connect(tmp_path))) == {"a"}


def test_what_a_cluster_once_said_is_left_out(tmp_path: Path):
    written(tmp_path / "t.yaml", topic("a") + "status: {conditions: [{type: Ready, status: 'True'}]}\n")
    _, [thing] = connect(tmp_path).custom(GROUP, "kafkatopics")
    assert "status" not in thing


def test_a_kind_that_no_file_declares_is_absent(tmp_path: Path):
    written(tmp_path / "t.yaml", topic("a"))
    with pytest.raises(Absent, match=r"declare no kafkas\.kafka\.strimzi\.io"):
        connect(tmp_path).custom(GROUP, "kafkas")


def namespaces(connection: manifests.Manifests) -> dict[str, str]:
    _, things = connection.custom(GROUP, "kafkatopics")
    return {thing["metadata"]["name"]: thing["metadata"].get("namespace", "") for thing in things}


def test_the_namespace_that_counts_is_told_from_others(tmp_path: Path):
    written(tmp_path / "t.yaml", topic("a", "test"), topic("a", "prod"), topic("b"))
    assert found(connect(tmp_path, namespace="prod")) == {"a": f"{tmp_path}/t.yaml:7", "b": f"{tmp_path}/t.yaml:12"}
    assert namespaces(connect(tmp_path, namespace="prod")) == {"a": "prod", "b": "prod"}


def test_two_of_one_name_in_two_namespaces_are_two(tmp_path: Path):
    written(tmp_path / "t.yaml", topic("a", "test"), topic("a", "prod"))
    _, things = connect(tmp_path).custom(GROUP, "kafkatopics")
    assert len(things) == 2


def lost(connection: manifests.Manifests, plural: str = "kafkatopics") -> list[str]:
    """Why something that may be of a kind is not read."""
    return [str(each.gap().reason) for each in connection.lost(GROUP, plural)]


def test_two_of_one_name_in_one_namespace_are_not_judged_and_others_are(tmp_path: Path):
    file = written(tmp_path / "t.yaml", topic("a"), topic("a"), topic("b"))
    assert found(connect(file)) == {"b": f"{file}:12"}
    [says] = lost(connect(file))
    assert says.startswith(f"{file}:7: KafkaTopic a is not judged: it stands in {file}:2, too")
    [gap] = [each.gap() for each in connect(file).lost(GROUP, "kafkatopics")]
    assert gap.place == f"{file}:7:1"


def test_what_names_no_namespace_is_in_the_only_one_that_files_name(tmp_path: Path):
    written(tmp_path / "t.yaml", topic("a", "prod"), topic("b"))
    assert namespaces(connect(tmp_path)) == {"a": "prod", "b": "prod"}
    written(tmp_path / "more.yaml", topic("c", "test"))
    assert namespaces(connect(tmp_path)) == {"a": "prod", "b": "", "c": "test"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{{ if .Values.kafka }}\nkind: Kafka\n{{ end }}\n", "helm template"),
        ("kind: a\nkind: b\n", "t.yaml:2: duplicate key"),
        ("kafka: !planted-secret\n", "t.yaml:1: a value begins with !, which makes a tag of it: put it in quotes"),
        ("kafka: [1\n", "not valid YAML"),
        ("kafka: &x [*x]\n", "t.yaml:1: a value holds itself"),
        ("kafka: {a: ${NAME}-x}\n", "t.yaml:1: it has variables such as ${NAME}"),
        (topic("a").replace("{name: a}", "[a]"), "t.yaml:3: KafkaTopic is not judged: metadata is of another type"),
        (
            topic("a").replace("{name: a}", "{name: 7}"),
            "t.yaml:3: KafkaTopic is not judged: metadata.name is of another",
        ),
    ],
)
def test_what_can_not_be_read_is_told_with_its_place(tmp_path: Path, text: str, says: str):
    file = written(tmp_path / "t.yaml", text)
    assert connect(file).custom(GROUP, "kafkatopics") == ("", [])
    [said] = lost(connect(file))
    assert says in said


@pytest.mark.parametrize("text", ["x: 1\n", ""])
def test_files_without_a_resource_are_no_manifests(tmp_path: Path, text: str):
    with pytest.raises(Garbled, match="no resource of Kubernetes"):
        connect(written(tmp_path / "t.yaml", text)).custom(GROUP, "kafkatopics")


BROKEN = (
    "apiVersion: API\nkind: KIND\nmetadata:\n  labels: {strimzi.io/cluster: orders}\n  name: b\nspec: {x: {{ x }}}\n"
)


def broken(api: str, kind: str) -> str:
    return BROKEN.replace("API", api).replace("KIND", kind)


def test_a_document_that_can_not_be_read_costs_only_what_it_seems_to_declare(tmp_path: Path):
    texts = [topic("a"), broken("kafka.strimzi.io/v1", "KafkaTopic"), broken("apps/v1", "Deployment"), topic("c")]
    file = written(tmp_path / "t.yaml", *texts)
    assert set(found(connect(file))) == {"a", "c"}
    [unread] = connect(file).lost(GROUP, "kafkatopics")
    assert (unread.name, unread.cluster, unread.place.line) == ("b", "orders", 11)
    assert lost(connect(file), "kafkausers") == []


def test_a_document_that_does_not_say_what_it_declares_may_be_of_any_kind(tmp_path: Path):
    file = written(tmp_path / "t.yaml", topic("a"), broken("kafka.strimzi.io/v1", "{{ .kind }}"))
    for plural in ("kafkatopics", "kafkausers"):
        assert len(lost(connect(file), plural)) == 1


@pytest.mark.parametrize(
    "text",
    [
        b"{\n // comment\n}\n",
        b"Resources: !Ref x\n",
        b"name: Gr\xfc\xdfe\n",
        b"{{- range .Values.kafka }}\n",
        b"{{/* the topics of kafka */}}\n{{- $all := .Values.topics }}\nx: {{ $all }}\n",
        b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: Gr\xfc\xdfe}\ndata: {strimzi: x}\n",
    ],
)
def test_what_can_not_be_read_and_has_no_word_of_kafka_costs_nothing(tmp_path: Path, text: bytes):
    written(tmp_path / "t.yaml", topic("a"))
    (tmp_path / "odd.yaml").write_bytes(text)
    read = connect(tmp_path / "t.yaml", tmp_path / "odd.yaml")
    assert (set(found(read)), lost(read)) == ({"a"}, [])


@pytest.mark.parametrize(
    "text",
    [
        b'{{ include "resources" . }}\n',
        b"{{- toYaml .Values.extra }}\n",
        b"kind: {{ .kind }}\nx: {{ y }}\n",
        b"{% include 'x' %}\n",
    ],
)
def test_a_template_that_may_print_a_resource_may_be_of_any_kind(tmp_path: Path, text: bytes):
    written(tmp_path / "t.yaml", topic("a"))
    (tmp_path / "odd.yaml").write_bytes(text)
    assert len(lost(connect(tmp_path / "t.yaml", tmp_path / "odd.yaml"))) == 1


def test_a_link_to_a_file_of_the_same_folder_is_no_second_resource(tmp_path: Path):
    written(tmp_path / "t.yaml", topic("a"))
    (tmp_path / "alias.yaml").symlink_to("t.yaml")
    assert [item["source"] for item in connect(tmp_path).custom(GROUP, "kafkatopics")[1]] == [f"{tmp_path}/t.yaml:2"]


def test_a_folder_that_can_not_be_listed_is_no_empty_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    written(tmp_path / "t.yaml", topic("a"))

    def walk(top: Path, onerror: Any) -> Any:
        yield str(top), ["closed"], ["t.yaml"]
        onerror(PermissionError(13, "Permission denied", f"{top}/closed"))

    monkeypatch.setattr("os.walk", walk)
    with pytest.raises(Denied, match="closed may not be read"):
        connect(tmp_path).custom(GROUP, "kafkatopics")


def test_anchors_stand_for_what_they_name_and_have_its_line(tmp_path: Path):
    text = topic("a").replace(
        "{replicas: 3}", "\n  replicas: &n 3\n  partitions: *n\n  config: {<<: &c {x: 1, y: 1}, y: 2}\n"
    )
    _, [thing] = connect(written(tmp_path / "t.yaml", text)).custom(GROUP, "kafkatopics")
    assert thing["spec"] == {"replicas": 3, "partitions": 3, "config": {"y": 2, "x": 1}}
    assert thing["marks"].at(("spec", "partitions")).endswith(":6:3")
    assert thing["marks"].at(("spec", "config", "x")).endswith(":7:20")


def test_what_is_called_nearly_so_is_told(tmp_path: Path):
    texts = [topic("a"), topic("b").replace("KafkaTopic", "KafkaTopik"), topic("c").replace("strimzi", "strimizi")]
    texts += [topic("d").replace("kafka.strimzi.io", "example.com"), topic("e").replace("KafkaTopic", "KafkaBridge")]
    file = written(tmp_path / "t.yaml", *texts)
    others = connect(file).others(GROUP, ["kafkatopics"])
    assert [thing["metadata"]["name"] for thing in others] == ["b", "e", "c"]


def test_files_that_are_not_there_are_no_empty_manifests(tmp_path: Path):
    for path in (tmp_path / "not-here.yaml", tmp_path / "*.yaml", tmp_path):
        with pytest.raises(NotThere, match="manifests"):
            connect(path).custom(GROUP, "kafkatopics")


def test_a_pipe_is_not_waited_for_and_a_large_file_not_read(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.yaml")
    assert "no regular file" in lost(connect(tmp_path / "pipe.yaml"))[0]
    with (tmp_path / "large.yaml").open("wb") as file:
        file.truncate((16 << 20) + 1)
    assert (
        "it has 16,777,217 bytes, more than the 16,777,216 that are read: split it"
        in lost(connect(tmp_path / "large.yaml"))[0]
    )
    (tmp_path / "odd.yaml").write_bytes(b"kafka: \xff\xfe\x00")
    written(tmp_path / "t.yaml", topic("a"))
    assert "no text in UTF-8" in lost(connect(tmp_path / "odd.yaml", tmp_path / "t.yaml"))[0]
    assert set(found(connect(tmp_path / "odd.yaml", tmp_path / "t.yaml"))) == {"a"}


def test_time_that_is_up_is_no_end_of_the_files(tmp_path: Path):
    written(tmp_path / "t.yaml", topic("a"))
    with pytest.raises(NoTurn, match="no time left"):
        manifests.connect({"paths": str(tmp_path)}, Deadline(0)).custom(GROUP, "kafkatopics")
