"""What the pages on platforms show is taken as it stands, and they list what fails on the platform they are about."""

import re
from typing import Any

import pytest
import yaml

from runbook.answers.kubernetes.labels import parse_selector
from runbook.parse.inventory import parse_inventory
from runbook.plugins.catalog import catalog
from runbook.safety.secret import plain_secrets
from support.built_in import checks_of
from support.documented import ROOT, fences
from support.platforms import TODAY, failing, names, platform, run_on

PAGES = {
    "strimzi": "strimzi",
    "confluent-kubernetes": "confluent_on_kubernetes",
    "bitnami": "bitnami_chart",
    "machines": "machines",
    "managed-services": "managed",
    "development": "development",
}
"""Page → the platform of support/platforms that it is about."""
_LISTED = re.compile(r"^\| `([a-z0-9-]+)` \| (critical|high|medium|low|info) \| (.+) \|$", re.MULTILINE)
INVENTORIES = [
    pytest.param(fence.text, id=f"{page}: {fence.title}")
    for page in PAGES
    for fence in fences(f"docs/how-to/{page}.md")
    if fence.language == "yaml" and fence.text.startswith("environments:")
]


@pytest.mark.parametrize("text", INVENTORIES)
def test_an_inventory_is_read_names_what_there_is_and_holds_no_secret(text: str) -> None:
    known = {f"{name}/{check.id}": {*check.params} for name in _runbooks() for check in checks_of(name)}
    for target in parse_inventory(text, "environments.yaml", TODAY).targets.values():
        for kind, settings in target.connections.items():
            assert plain_secrets(settings) == []
            _takes(kind, settings)
        for check, values in target.environment.params.items():
            assert {*values} <= known[check]
        assert {waiver.check for waiver in target.environment.waivers} <= known.keys()


@pytest.mark.parametrize("page", PAGES)
def test_the_first_inventory_leaves_no_connection_unsaid_that_its_checks_ask_over(page: str) -> None:
    first = fences(f"docs/how-to/{page}.md")[0]
    assert first.title == "environments.yaml"
    [target] = parse_inventory(first.text, "environments.yaml", TODAY).targets.values()
    said = {*target.connections, *target.environment.absent, *target.environment.unobserved}
    asked = {"kafka", "ssh", "jolokia", "kubernetes", "zookeeper", "tls", "files"}
    assert asked - said == set()


@pytest.mark.parametrize(("page", "name"), PAGES.items())
def test_a_page_lists_what_fails_on_its_platform_and_where_it_is_mended(page: str, name: str) -> None:
    listed = {check: severity for check, severity, _ in _LISTED.findall((ROOT / f"docs/how-to/{page}.md").read_text())}
    failed = {result.check.rpartition("/")[2]: str(result.severity) for result in failing(run_on(name))}
    assert listed == failed
    assert platform(name).mended_by.keys() == failed.keys()


def test_the_rights_of_strimzis_user_are_those_that_are_documented() -> None:
    [text] = [fence.text for fence in fences("docs/how-to/strimzi.md") if fence.title == "runbook-user.yaml"]
    document = yaml.safe_load(text)["spec"]["authorization"]["acls"]
    operations = {right["resource"]["type"]: set(right["operations"]) for right in document}
    commands = next(
        fence.text for fence in fences("docs/how-to/least-privilege.md") if fence.title == "Rights of the principal"
    )
    assert operations == {
        kind: {*re.findall(r"--operation (\w+)", line)}
        for line in commands.replace("\\\n", " ").splitlines()
        for kind, option in (
            ("topic", "topic"),
            ("group", "group"),
            ("cluster", "cluster"),
            ("transactionalId", "transactional-id"),
        )
        if f"--{option}" in line
    }


def test_every_platform_of_an_operator_or_a_service_has_its_page() -> None:
    assert {*PAGES.values()} <= {*names()}


def _runbooks() -> list[str]:
    return sorted(file.stem for file in (ROOT / "runbooks").glob("*.md") if not file.stem.startswith("index"))


def _takes(kind: str, settings: dict[str, Any]) -> None:
    """Whether a connection knows these settings; what they lead to is not here."""
    module = catalog("connections").load(kind)
    assert hasattr(module, "connect")
    if kind == "kubernetes":
        from runbook.connections.kubernetes.settings import SETTINGS

        assert {*settings} <= {*SETTINGS}
        assert settings.get("cluster") or {"brokers", "controllers"} <= {*settings}
        for role in {"brokers", "controllers"} & {*settings}:
            assert parse_selector(settings[role], role)
