import re
from pathlib import Path
from typing import Any

import pytest

from runbook.answers.ssh.client_settings import CLIENT_SETTINGS, PATTERN
from runbook.connections import files
from runbook.formats.client_files.setting import JAVA_NAMES
from runbook.model.errors import Misconfigured
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.parse.runbook import parse_runbook
from runbook.probes import client_config
from runbook.safety.secret import is_secret
from runbook.views._client_defaults import _DEFAULTS
from runbook.views._producer_defaults import _LIBRDKAFKA, WITHIN
from support.recorded_hosts import look, recorded
from support.recorded_kubernetes import Played

RUNBOOKS = Path(__file__).parents[2] / "runbooks"


def observe(*clients: dict[str, Any]) -> Fact:
    connection = files.connect({"clients": list(clients)}, Deadline(5))
    return tabulate("client_config", client_config.PROBE.columns, client_config.observe(connection))


def test_a_later_file_overrides_an_earlier_one(tmp_path: Path):
    (tmp_path / "common.properties").write_text("bootstrap.servers=a:1\nacks=1\n")
    (tmp_path / "billing.properties").write_text("# ours\nacks=all\n")
    names = [str(tmp_path / "common.properties"), str(tmp_path / "billing.properties")]
    rows = {row["setting"]: row for row in observe({"name": "billing", "kind": "producer", "path": names}).rows()}
    assert rows["acks"] == {
        "client": "billing",
        "kind": "producer",
        "setting": "acks",
        "value": "all",
        "file": names[1],
        "line": 2,
        "earlier": 1,
        "spring": False,
        "framework": "",
        "plain": False,
        "refused": "",
        "ignored_because": "",
        "places": {"": f"{names[1]}:2:1"},
    }
    assert rows["bootstrap.servers"]["earlier"] == 0


def test_a_file_that_is_not_understood_is_a_gap_and_the_others_are_read(tmp_path: Path):
    (tmp_path / "a.json").write_text("{")
    (tmp_path / "b.properties").write_text("group.id=g\n")
    fact = observe(
        {"name": "a", "path": str(tmp_path / "a.json")},
        {"name": "b", "path": str(tmp_path / "*.properties")},
        {"name": "c", "path": str(tmp_path / "none.properties")},
    )
    assert fact.columns["client"] == ["b"]
    assert ["client a" in fact.gaps[1].reason, "client c" in fact.gaps[0].reason] == [True, True]


def test_a_file_too_large_for_a_configuration_is_a_gap(tmp_path: Path):
    (tmp_path / "x.properties").write_bytes(b"a=1\n" * 300_000)
    fact = observe({"name": "x", "path": str(tmp_path / "x.properties")})
    assert len(fact) == 0
    assert "too many for a configuration" in fact.gaps[0].reason


CONFIG_MAP = "/api/v1/namespaces/apps/configmaps/billing"
ENTRY = {"name": "billing", "config_map": "billing", "key": "application.yaml", "namespace": "apps"}


def played(text: str, **entry: str) -> Played:
    cluster = Played("healthy", clients=[ENTRY | entry])
    cluster.answers[CONFIG_MAP] = {"kind": "ConfigMap", "data": {"application.yaml": text, "log4j2.xml": "<x/>"}}
    return cluster


def test_a_config_map_is_read_by_its_name_and_told_by_the_ending_of_its_key():
    cluster = played(
        "spring:\n  kafka:\n    producer:\n      acks: 1\n      properties: {sasl.jaas.config: hunter22}\n"
    )
    rows = {row["setting"]: row for row in cluster.observe("client_config").rows()}
    assert (rows["acks"]["value"], rows["acks"]["kind"], rows["acks"]["line"]) == ("1", "producer", 4)
    assert rows["acks"]["file"] == "ConfigMap apps/billing, application.yaml"
    assert "hunter22" not in str(rows)
    assert CONFIG_MAP in cluster.asked


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({"config_map": "nothing"}, "has no ConfigMap nothing in namespace apps"),
        ({"key": "aplication.yaml"}, 'has no key "aplication.yaml": did you mean application.yaml'),
    ],
)
def test_a_config_map_that_is_not_there_is_a_gap(entry: dict[str, str], reason: str):
    [gap] = played("a: b", **entry).observe("client_config").gaps
    assert reason in gap.reason


def test_on_a_host_settings_are_read_by_name_and_keep_their_lines():
    printed = "2:acks=1\n5:  producer.linger.ms: 5\n"
    hosts = recorded({"app-1": {"client": printed}, "app-2": {}}, clients=[on_host()])
    rows = {row["setting"]: row for row in look("client_config", hosts).rows()}
    assert (rows["acks"]["value"], rows["acks"]["line"], rows["acks"]["file"]) == ("1", 2, f"app-1:{PATH}")
    assert rows["producer.linger.ms"]["line"] == 5


PATH = "/opt/billing/producer.properties"


def on_host(**entry: str) -> dict[str, str]:
    return {"name": "billing", "kind": "producer", "host": "app-1", "path": PATH} | entry


def test_a_setting_that_goes_on_in_the_next_line_is_not_half_read():
    hosts = recorded({"app-1": {"client": "2:bootstrap.servers=a:1,\\\n"}}, clients=[on_host()])
    fact = look("client_config", hosts)
    assert len(fact) == 0
    assert f"line 2 of {PATH} goes on in the next" in fact.gaps[0].reason


def test_a_host_that_is_not_listed_is_refused():
    with pytest.raises(Misconfigured, match='no host is called "app-7"'):
        recorded({"app-1": {}}, clients=[on_host(host="app-7")])


LINE = re.compile(PATTERN.replace("[:space:]", r"\s"))  # as grep reads it


@pytest.mark.parametrize(
    "line",
    ["acks=all", "  acks : 1", "producer.acks=1", "spring.kafka.consumer.group-id=x", "A->B.consumer.group.id=x"],
)
def test_settings_of_clients_are_recognised(line: str):
    assert LINE.match(line)


@pytest.mark.parametrize(
    "line",
    [
        "sasl.jaas.config=org.x.PlainLoginModule required password=hunter22;",
        "ssl.key.password=hunter22",
        "ssl.truststore.password=hunter22",
        "sasl.password=hunter22",
        "    password=hunter22;",
        "basic.auth.user.info=u:hunter22",
        "ssl.keystore.key=hunter22",
        "#acks=1",
    ],
)
def test_lines_that_may_hold_a_credential_stay_on_the_host(line: str):
    assert not LINE.match(line)


def test_no_setting_that_is_read_on_hosts_can_hold_a_credential():
    assert [name for name in CLIENT_SETTINGS if is_secret(name)] == []


def test_no_check_judges_a_setting_that_hosts_do_not_tell():
    named = set()
    for file in RUNBOOKS.glob("*.md"):
        for placed in parse_runbook(file.read_text("utf-8"), file.stem, str(file)).checks():
            if any(request.probe == "client_config" for request in placed.block.facts.values()):
                named |= set(re.findall(r'setting == "([^"]+)"', placed.block.expect.where or ""))
    assert named
    assert named <= set(CLIENT_SETTINGS)


def test_no_default_stands_for_a_setting_that_hosts_do_not_tell():
    """A file that says it would be read as one that leaves it to the library, and judged by the wrong value."""
    judged = {*_LIBRDKAFKA, *_DEFAULTS, *(name for names in WITHIN.values() for name in names)}
    assert judged | {"partitioner.class", "partitioner.ignore.keys"} <= {*CLIENT_SETTINGS}
    assert {*JAVA_NAMES} <= {*CLIENT_SETTINGS}
