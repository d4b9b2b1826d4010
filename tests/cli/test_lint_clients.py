"""`runbook lint-clients` tells at which line of a repository a client is set otherwise than runbooks want."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from runbook.lint.client_repository import look_through
from runbook.lint.client_review import review
from runbook.plugins.catalog import catalog
from runbook.reports import ReportOptions

JAAS = 'org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="hunter22";'
WELL = "bootstrap.servers=a:1,b:1\nkey.serializer=x.Y\nacks=all\n"
FORMATS = ["lines", "console", "json", "sarif", "junit", "github", "markdown"]


@pytest.fixture
def there(here: Path) -> Path:
    (here / "billing.properties").write_text(f"{WELL}acks=1\nsasl.jaas.config={JAAS}\n")
    (here / "application.yml").write_text("spring:\n  kafka:\n    producer:\n      security-protocol: SSL\n")
    (here / "application-prod.yml").write_text("spring.kafka.producer.retries: 3\n")
    (here / "notes.yaml").write_text("kafka: bootstrap it\n")
    return here


@pytest.mark.usefixtures("there")
def test_each_finding_begins_with_the_place_of_its_setting(command: Any) -> None:
    done = command("lint-clients", ".")
    assert done.code == 1
    lines = done.out.splitlines()
    assert "billing.properties:4:1: high: acks=1" in lines
    [dropped] = [line for line in lines if line.startswith("application.yml:4:26: medium: spring.kafka.producer.sec")]
    assert "write spring.kafka.producer.properties.security.protocol" in dropped
    assert any(line.startswith("    Set `acks` to `all`, or remove the setting; idempotence,") for line in lines)
    assert "4 files of configuration, 0 of other kinds: 3 files with settings of 3 clients, 1 skipped" in done.out


@pytest.mark.usefixtures("there")
def test_what_is_skipped_is_listed_on_demand(command: Any) -> None:
    assert "skipped" not in command("lint-clients", ".").err
    said = command("lint-clients", ".", "-v").err
    assert "skipped notes.yaml: YAML without settings of clients" in said


@pytest.mark.usefixtures("there")
def test_a_password_is_found_and_never_shown() -> None:
    done = review(look_through(["."]), None)
    for form in FORMATS:
        said = catalog("reports").load(form).report(done.run, ReportOptions(full=True, rows=None))
        assert "hunter22" not in said
        assert "repositories-hold-no-client-passwords" in said


@pytest.mark.usefixtures("there")
def test_places_are_those_of_a_code_host(command: Any) -> None:
    said = command("lint-clients", ".", "--format", "github").out
    title = "title=high ha/producers-wait-for-all-in-sync%2C and 1 more check::"
    assert f"::error file=billing.properties,line=4,col=1,{title}" in said
    sarif = json.loads(command("lint-clients", ".", "--format", "sarif").out)
    places = [
        (place["artifactLocation"]["uri"], place["region"]["startLine"], place["region"]["startColumn"])
        for result in sarif["runs"][0]["results"]
        if result["ruleId"] == "ha/frameworks-hand-on-client-settings"
        for place in [result["locations"][0]["physicalLocation"]]
    ]
    assert places == [("application.yml", 4, 26)]


def test_a_repository_that_is_well_or_has_nothing_is_told_by_the_exit_code(command: Any, here: Path) -> None:
    assert command("lint-clients", ".").code == 4
    (here / "connect.properties").write_text(
        "bootstrap.servers=a:1,b:1\nacks=all\nkey.serializer=x.Y\ncompression.type=zstd\n"
    )
    done = command("lint-clients", ".", "--library", "java-4.3")
    assert (done.code, "Unknown" in done.out) == (0, False)
    assert command("lint-clients", ".", "nowhere").code == 2


def test_what_is_left_to_a_variable_is_unknown(command: Any, here: Path) -> None:
    (here / "a.properties").write_text("bootstrap.servers=${BROKERS}\nacks=all\nlinger.ms=${LINGER}\n")
    done = command("lint-clients", ".", "--library", "java-4.3", "--fail-on", "high")
    assert done.code == 3
    said = " ".join(done.out.split())
    assert "ha/clients-know-more-than-one-broker: config.value could not be found out (1 row)" in said


def test_an_environment_gives_its_parameters_and_waivers(command: Any, there: Path) -> None:
    waiver = "{check: ha/producers-wait-for-all-in-sync, owner: me, reason: they may be lost, expires: 2026-12-31}"
    (there / "environments.yaml").write_text(
        f"environments:\n  prod:\n    files: {{clients: []}}\n    waivers: [{waiver}]\n"
    )
    (there / "environments.yaml").chmod(0o600)
    lines = command("lint-clients", ".", "--env", "prod", "-i", "environments.yaml").out.splitlines()
    assert "billing.properties:4:1: high: acks=1" not in lines


@pytest.mark.parametrize(
    ("library", "meant"),
    [
        ("jav-4.3", "did you mean java-4.3?"),
        ("java-9.9", "did you mean java-4"),
        ("java-", "no release"),
        ("x", "known"),
    ],
)
def test_a_library_that_is_none_is_a_mistake(command: Any, here: Path, library: str, meant: str) -> None:
    (here / "a.properties").write_text(WELL)
    done = command("lint-clients", ".", "--library", library)
    assert done.code == 2
    assert meant in done.err


def test_a_file_that_can_not_be_read_has_one_line_and_makes_the_run_unknown(command: Any, here: Path) -> None:
    (here / "a.properties").write_text(f"{WELL}compression.type=zstd\n")
    assert command("lint-clients", ".", "--library", "java-4.3").code == 0
    (here / "application.yml").write_text("spring:\n  kafka:\n    producer: {acks: 1, acks: 0}\n")
    done = command("lint-clients", ".", "--library", "java-4.3")
    assert (done.code, done.out.count("application.yml")) == (3, 1)
    assert 'can\'t be read: line 3: duplicate key "acks"; it stands already in line 3' in done.out
    assert "application.yml" in command("lint-clients", ".", "--format", "github").err


PLACES = """\
spring:
  kafka:
    bootstrap-servers: a:9092,b:9092
    consumer:
      group-id: g
    producer:
      acks: all
      properties:
        schema.registry.url: http://sr:8081
      value-serializer: org.apache.kafka.common.serialization.StringSerializer
"""


def test_a_finding_about_what_is_absent_stands_at_its_own_client(command: Any, here: Path) -> None:
    (here / "application.yml").write_text(PLACES)
    lines = command("lint-clients", ".").out.splitlines()
    at = {name: line.split(": ")[0] for line, name in pairwise(lines) if line.startswith("appl")}
    places = {name.rpartition("(")[2].rstrip(")").rpartition("/")[2]: place for name, place in at.items()}
    assert places["producers-compress"] == "application.yml:7:13"
    assert places["what-decides-about-loss-is-written-down"] == "application.yml:5:17"
    assert places["clients-reach-the-registry-encrypted"] == "application.yml:9:30"
    assert places["serializers-are-the-registrys"] == "application.yml:10:25"


def test_a_password_is_told_at_its_line_even_where_it_holds_no_longer(command: Any, here: Path) -> None:
    (here / "a.properties").write_text(f"{WELL}ssl.key.password=hunter22\nssl.key.password=${{PW}}\n")
    (here / "jaas.conf").write_text('KafkaClient {\n  x.PlainLoginModule required\n  password="hunter22";\n};\n')
    out = command("lint-clients", ".").out
    assert "a.properties:4:1: high: ssl.key.password" in out
    assert "jaas.conf:3:1: high: java.security.auth.login.config" in out
