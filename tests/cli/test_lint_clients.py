"""`runbook lint-clients` tells at which line of a repository a client is set otherwise than runbooks want."""

import json
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
    assert "    Set `acks` to `all`, or take it out of that configuration; idempotence," in lines
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
    assert "::error file=billing.properties,line=4,col=1,title=high ha/producers-wait-for-all-in-sync::" in said
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
