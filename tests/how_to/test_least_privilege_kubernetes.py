"""The page, the Role it ships and what probes declare say the same; live tests try the Role on a real server."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from runbook.connections.kubernetes import READS
from runbook.connections.kubernetes.settings import SETTINGS
from runbook.plugins.catalog import catalog
from runbook.plugins.request import artefacts, requests
from support.documented import titled

ROOT = Path(__file__).parents[2]
PAGE = "docs/how-to/least-privilege-kubernetes.md"
ROLE = ROOT / "docs" / "how-to" / "kubernetes-role.yaml"
PROBES = [
    name for name in catalog("probes").names() if catalog("probes").load(name).PROBE.connections[0] == "kubernetes"
]
TEXT = ROOT.joinpath(PAGE).read_text("utf-8")

_OF_OPERATORS = (".strimzi.io", "confluent.io", "openshift.io")


def rules() -> list[tuple[str, str, str]]:
    """Verb, resource and API group of everything that the Role and the ClusterRole grant."""
    documents: list[dict[str, Any]] = list(yaml.safe_load_all(ROLE.read_text("utf-8")))
    return [
        (verb, resource, group)
        for document in documents
        for rule in document.get("rules", ())
        for verb in rule["verbs"]
        for resource in rule["resources"]
        for group in rule["apiGroups"]
    ]


def test_the_role_that_is_shown_is_the_one_that_is_tested():
    shipped = ROOT / "checks" / "runbook" / "connections" / "kubernetes" / "role.yaml"
    assert ROLE.read_text("utf-8") == shipped.read_text("utf-8") == artefacts()["kubernetes-role"]


def test_the_role_grants_listing_and_getting_and_no_logs():
    assert {verb for verb, _, _ in rules()} == {"get", "list"}
    assert [resource for verb, resource, _ in rules() if verb == "get"] == ["namespaces", "configmaps"]
    assert not {"secrets", "pods/log", "pods/exec", "*"} & {resource for _, resource, _ in rules()}
    assert "*" not in {group for _, _, group in rules()}


def test_every_request_is_granted_and_nothing_is_granted_without_a_request():
    # without what is public
    listed = [request.parts for request in requests(["kubernetes"]) if "verb" in request.parts]
    apart = {"{resource}", "pods/log"}  # an operator's; a right of its own, where the inventory has `logs: true`
    asked = {
        (request["verb"], request["resource"], request["group"])
        for request in listed
        if request["resource"] not in apart
    }
    operators = {rule for rule in rules() if rule[2].endswith(_OF_OPERATORS)}
    assert asked == set(rules()) - operators


@pytest.mark.parametrize("probe", PROBES)
def test_the_rights_a_probe_declares_are_granted(probe: str):
    granted = {resource for _, resource, _ in rules()}
    for right in catalog("probes").load(probe).PROBE.rights:
        if right.startswith(("none", "read the files")):
            continue
        named = re.findall(r"\b([a-z]{4,}s)\b(?:\.[a-z0-9.]+)?", right.split(" in the ")[0])
        assert set(named) <= granted | {"namespaces"}, right


def test_the_requests_listed_are_those_a_connection_may_make():
    assert tuple(titled(PAGE, "Requests").splitlines()) == READS


def test_every_setting_is_explained():
    assert {name for name in SETTINGS if f"`{name}`" in TEXT} == set(SETTINGS)


def test_every_resource_of_the_role_is_explained():
    core = {resource for _, resource, group in rules() if not group.endswith(_OF_OPERATORS)}
    assert {resource for resource in core - {"namespaces"} if resource in TEXT} == core - {"namespaces"}


def granted_by(title: str) -> dict[str, Any]:
    [rule] = yaml.safe_load(titled(PAGE, title))["rules"]
    return dict(rule)


def test_the_rights_that_may_be_added_are_those_that_are_asked_for():
    assert granted_by("logs-role.yaml") == {"apiGroups": [""], "resources": ["pods/log"], "verbs": ["get"]}
    applications = granted_by("applications-role.yaml")
    assert (applications["resources"], applications["verbs"]) == (["configmaps"], ["get"])
    assert applications["resourceNames"] == ["billing"]
