"""What the page on manifests shows is what happens to a pull request; and files say what an API server says."""

import json
import subprocess
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from runbook.cli.app import run
from runbook.connections import manifests
from runbook.model.fact import tabulate
from runbook.model.probe import Deadline
from runbook.plugins.catalog import catalog
from runbook.run.sources import stdin_inventory
from support import strimzi_platform
from support.built_in import checks_of
from support.documented import fences, titled
from support.strimzi_played import platform

PAGE = "docs/how-to/manifests.md"
KINDS = {
    "kafkas": "Kafka",
    "kafkanodepools": "KafkaNodePool",
    "kafkatopics": "KafkaTopic",
    "kafkausers": "KafkaUser",
    "kafkaconnects": "KafkaConnect",
    "kafkaconnectors": "KafkaConnector",
    "kafkamirrormaker2s": "KafkaMirrorMaker2",
    "kafkabridges": "KafkaBridge",
    "kafkarebalances": "KafkaRebalance",
}
OF_OTHERS = ("cluster_access", "planned_change")
"""What an API server tells nothing of."""
PROBES = [
    name
    for name in catalog("probes").names()
    if "manifests" in catalog("probes").load(name).PROBE.connections and name not in OF_OTHERS
]
DECLARED = {
    f"kubernetes/{check.id}"
    for check in checks_of("kubernetes")
    if all(fact.probe in PROBES for fact in check.facts.values())
}


def deploy(folder: Path) -> Path:
    """The platform that is well as its owners keep it in a repository, with the page's inventory beside it."""
    for plural, kind in KINDS.items():
        things = strimzi_platform.answers()[f"/apis/kafka.strimzi.io/v1/namespaces/kafka/{plural}"]["items"]
        whole = [{"apiVersion": "kafka.strimzi.io/v1", "kind": kind, **thing} for thing in things]
        file = folder / "deploy" / f"{kind.lower()}.yaml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(yaml.dump_all(whole, Dumper=_Plain, sort_keys=False))
    inventory = titled(PAGE, "environments.yaml").replace(', "teams/*/kafka.yaml"', "")
    (folder / "environments.yaml").write_text(inventory)
    (folder / "environments.yaml").chmod(0o600)
    return folder


class _Plain(yaml.SafeDumper):
    """Writes what is said twice twice: the reader takes no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        del data
        return True


def check(folder: Path, monkeypatch: pytest.MonkeyPatch, *options: str, env: str = "pull-request") -> int:
    monkeypatch.chdir(folder)
    monkeypatch.setattr("sys.argv", ["runbook", "check", "kubernetes.md", "--env", env, *options])
    return run()


def test_a_repository_that_is_well_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    assert check(deploy(tmp_path), monkeypatch, "--format", "json") == 0
    results = json.loads(capfd.readouterr().out)["results"]
    assert {result["outcome"] for result in results} == {"pass", "not_applicable"}
    unjudged = {result["check"] for result in results if result["check"] in DECLARED and result["outcome"] != "pass"}
    assert unjudged == {
        "kubernetes/declared-memory-leaves-room-beside-the-heap",  # nobody set a heap
        "kubernetes/declared-connectors-create-three-copies",  # no connector makes topics
    }
    said = {result["reason"] for result in results if "every-broker-pod-is-ready" in result["check"]}
    assert said == {"pull-request has no kubernetes: what only a running cluster shows, manifests do not say"}


def test_a_pull_request_that_lowers_the_minimum_fails_with_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    file = deploy(tmp_path) / "deploy" / "kafka.yaml"
    file.write_text(file.read_text().replace("min.insync.replicas: 2", "min.insync.replicas: 1"))
    assert check(tmp_path, monkeypatch, "--only", "declared-minimum-keeps-two-copies") == 1
    [shown] = [fence.text for fence in fences(PAGE) if "declared-minimum-keeps-two-copies" in fence.text]
    assert shown in capfd.readouterr().out
    assert check(tmp_path, monkeypatch, "--format", "junit") == 1
    failures = [
        case_ for case_ in ET.fromstring(capfd.readouterr().out).iter("testcase") if case_.find("failure") is not None
    ]
    assert [failure.get("name") for failure in failures] == [
        "declared-minimum-keeps-two-copies",
        "declared-topics-have-three-copies",
    ]
    texts = [str(failure.findtext("failure")) for failure in failures]
    assert "deploy/kafka.yaml:37:7" in texts[0]
    assert "deploy/kafka.yaml:37:7" in texts[1]  # where the topic takes it from
    assert [(failure.get("file"), failure.get("line")) for failure in failures] == [
        ("deploy/kafka.yaml", "37"),
        ("deploy/kafka.yaml", "37"),
    ]


def test_a_template_that_was_not_rendered_is_no_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = deploy(tmp_path) / "deploy" / "chart.yaml"
    file.write_text('{{ include "kafka" . }}\n')
    assert check(tmp_path, monkeypatch) == 3


def test_two_of_one_name_are_told_with_their_line_and_as_environments_they_are_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    whole = "\n---\n".join(file.read_text() for file in sorted(deploy(tmp_path).glob("deploy/*.yaml")))
    for tier in ("dev", "prod"):
        (tmp_path / "clusters" / tier).mkdir(parents=True)
        (tmp_path / "clusters" / tier / "all.yaml").write_text(whole)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["runbook", "check", "kubernetes", "--manifests", "clusters"])
    assert run() == 3
    shown = " ".join(capfd.readouterr().out.split())
    assert "clusters/prod/all.yaml:2: Kafka orders is not judged: it stands in clusters/dev/all.yaml:2, too" in shown
    assert "UNSEEN" not in shown
    (tmp_path / "environments.yaml").write_text(titled(PAGE, "Dev and prod in one repository"))
    assert check(tmp_path, monkeypatch, "--only", "declared-minimum-keeps-two-copies", env="*") == 0


def test_what_is_piped_in_is_judged_as_a_file_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    whole = "\n---\n".join(file.read_text() for file in sorted(deploy(tmp_path).glob("deploy/*.yaml")))
    (tmp_path / "environments.yaml").write_text(titled(PAGE, "Piped in"))
    only = ("--only", "declared-minimum-keeps-two-copies")
    for text, code in ((whole, 0), (whole.replace("min.insync.replicas: 2", "min.insync.replicas: 1"), 1), ("", 3)):
        stdin_inventory._file.cache_clear()
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(text.encode())))
        assert check(tmp_path, monkeypatch, *only, env="rendered") == code
    assert "(stdin:" in capfd.readouterr().out


def test_what_is_piped_in_or_named_needs_no_inventory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    file = deploy(tmp_path) / "deploy" / "kafka.yaml"
    file.write_text(file.read_text().replace("min.insync.replicas: 2", "min.insync.replicas: 1"))
    (tmp_path / "environments.yaml").unlink()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    stdin_inventory._file.cache_clear()
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(file.read_bytes())))
    monkeypatch.chdir(tmp_path)
    for words, place in ((["-"], "stdin:37"), (["--manifests", "deploy/"], "deploy/kafka.yaml:37")):
        monkeypatch.setattr("sys.argv", ["runbook", "check", "kubernetes", *words])
        assert run() == 1
        shown = capfd.readouterr().out
        assert f"({place})" in shown
        assert "unobserved" not in shown


def test_only_what_a_commit_does_not_have_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    file = deploy(tmp_path) / "deploy" / "kafka.yaml"
    file.write_text(file.read_text().replace("min.insync.replicas: 2", "min.insync.replicas: 1"))
    committed(tmp_path)
    monkeypatch.chdir(tmp_path)
    words = ["--manifests", "deploy", "--base", "main", "--format", "github"]
    monkeypatch.setattr("sys.argv", ["runbook", "check", "kubernetes", *words])
    file.write_text("# moved\n" + file.read_text())
    assert run() == 0
    assert "::" not in capfd.readouterr().out
    file.write_text(file.read_text().replace("default.replication.factor: 3", "default.replication.factor: 2"))
    assert run() == 1
    assert "declared-topics-get-three-copies" in capfd.readouterr().out


def test_a_new_path_excuses_what_is_old_and_a_topic_that_is_gone_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    file = deploy(tmp_path) / "deploy" / "kafka.yaml"
    file.write_text(file.read_text().replace("min.insync.replicas: 2", "min.insync.replicas: 1"))
    topic = "apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nmetadata: {name: sales}\nspec: {topicName: sales}\n"
    (tmp_path / "deploy" / "topic.yaml").write_text(topic)
    committed(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "new.yaml").write_text(topic.replace("sales", "stock"))
    words = ["--manifests", f"{tmp_path}/deploy", "--manifests", "new.yaml", "--base", "main"]
    monkeypatch.setattr("sys.argv", ["runbook", "check", "kubernetes", *words])
    run()
    assert "KNOWN" in (before := capfd.readouterr().out)
    assert "no-plan-deletes-records" not in before
    (tmp_path / "deploy" / "topic.yaml").unlink()
    assert run() == 1
    assert "delete topic sales: its KafkaTopic is gone" in " ".join(capfd.readouterr().out.split())


def test_files_that_are_named_stand_for_those_of_an_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    deploy(tmp_path)
    bad = tmp_path / "bad.yaml"
    bad.write_text((tmp_path / "deploy" / "kafka.yaml").read_text().replace("min.insync.replicas: 2", ""))
    assert check(tmp_path, monkeypatch, "--manifests", "bad.yaml", "--only", "declared-minimum-keeps-two-copies") == 1
    assert "pull-request" in capfd.readouterr().out


def test_where_nothing_can_be_piped_in_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    (deploy(tmp_path) / "environments.yaml").write_text(titled(PAGE, "Piped in"))
    stdin_inventory._file.cache_clear()
    monkeypatch.setattr("sys.stdin", None)
    assert check(tmp_path, monkeypatch, env="rendered") == 2
    assert "nothing is piped in" in capfd.readouterr().err


def test_a_code_host_is_told_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    file = deploy(tmp_path) / "deploy" / "kafka.yaml"
    file.write_text(file.read_text().replace("min.insync.replicas: 2", "min.insync.replicas: 1"))
    assert check(tmp_path, monkeypatch, "--format", "sarif") == 1
    [run] = json.loads(capfd.readouterr().out)["runs"]
    places = {
        result["ruleId"]: result["locations"][0]["physicalLocation"]
        for result in run["results"]
        if result["kind"] == "fail"
    }
    assert places["kubernetes/declared-minimum-keeps-two-copies"] == {
        "artifactLocation": {"uri": "deploy/kafka.yaml"},
        "region": {"startLine": 37, "startColumn": 7},
    }


@pytest.mark.parametrize("probe", PROBES)
def test_files_say_what_an_api_server_says(tmp_path: Path, probe: str):
    deploy(tmp_path)
    module = catalog("probes").load(probe)
    read = manifests.connect({"paths": str(tmp_path / "deploy")}, Deadline(5))
    from_files = tabulate(probe, module.PROBE.columns, module.observe(read))
    from_server = platform().observe(probe)
    assert from_files.gaps == from_server.gaps == []
    assert len(from_server) > 0
    for column, cells in from_server.columns.items():
        if column == "source":
            assert all(str(tmp_path) in cell for cell in from_files.columns[column])
        elif column == "places":
            assert not any(cells)
            assert all(str(tmp_path) in place for cell in from_files.columns[column] for place in cell.values())
        else:
            assert from_files.columns[column] == cells, column


def committed(folder: Path) -> None:
    for words in (["init", "-qb", "main"], ["add", "-A"], ["-c", "commit.gpgsign=false", "commit", "-qm", "x"]):
        git = ["git", "-c", "user.email=a@example.com", "-c", "user.name=a", *words]
        subprocess.run(git, cwd=folder, check=True, capture_output=True)


def test_excluded_files_are_not_read_before_and_now_and_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    chart = deploy(tmp_path) / "deploy" / "charts" / "a"
    chart.mkdir(parents=True)
    (chart / "one.yaml").write_text('{{ include "kafka" . }}\n')
    topic = "apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nmetadata: {name: sales}\nspec: {topicName: sales}\n"
    (chart / "two.yaml").write_text(topic)
    committed(tmp_path)
    (chart / "two.yaml").unlink()
    monkeypatch.chdir(tmp_path)
    for pattern in ("charts/", "deploy/charts", "deploy/**/one.yaml,"):
        excluded = pattern.removesuffix(",")
        words = ["--manifests", "deploy", "--base", "main", "--exclude", excluded, "--exclude", "two.yaml"]
        monkeypatch.setattr("sys.argv", ["runbook", "check", "kubernetes", *words])
        assert run() == 0
        shown = " ".join(capfd.readouterr().out.split())
        assert f"1 file is left out by exclude ({excluded}, two.yaml), and not read: deploy/charts/a/one.yaml" in shown
    monkeypatch.setattr("sys.argv", ["runbook", "check", "kubernetes", "--manifests", "deploy", "--exclude", "*.yaml"])
    assert run() == 3
    assert "leaves out every file" in capfd.readouterr().out


def test_exclude_without_manifests_is_refused_and_the_inventory_has_it_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    file = deploy(tmp_path) / "deploy" / "chart.yaml"
    file.write_text('{{ include "kafka" . }}\n')
    assert check(tmp_path, monkeypatch, "--exclude", "chart.yaml") == 2
    assert "in an inventory write exclude beneath manifests" in capfd.readouterr().err
    inventory = tmp_path / "environments.yaml"
    inventory.write_text(inventory.read_text().replace("paths: [deploy/]", "paths: [deploy/], exclude: chart.yaml"))
    assert check(tmp_path, monkeypatch) == 0
    assert "1 file is left out by exclude (chart.yaml)" in " ".join(capfd.readouterr().out.split())


def test_an_inventory_that_is_named_counts_without_env(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    deploy(tmp_path)
    monkeypatch.chdir(tmp_path)
    one = ["runbook", "check", "kubernetes", "-i", "environments.yaml", "--manifests", "deploy"]
    monkeypatch.setattr("sys.argv", one)
    assert run() == 0
    assert "pull-request" in capfd.readouterr().out
    with (tmp_path / "environments.yaml").open("a") as inventory:
        inventory.write("  other: {kafka: {bootstrap.servers: 'a:1'}}\n")
    assert run() == 2
    assert "which environment? --env NAME" in capfd.readouterr().err
    monkeypatch.setattr("sys.argv", [*one, "--env", "other"])
    assert run() == 2
    assert "other has no manifests: name another environment" in capfd.readouterr().err
