"""A Schema Registry of two instances that keeps its schemas in the lab's Kafka."""

from typing import Any, Final

from kafka_lab import deliveries, registry
from kafka_lab.parts import Progress
from kafka_lab.ports import free_ports
from kafka_lab.registry_content import SCHEMAS
from kafka_lab.state import LabState
from runbook.java import JavaError, find_java

HELP: Final = "a Schema Registry of two instances, with schemas of the lab's topics"

_INSTANCES = 2


def lacking() -> str:
    """Why there can be no registry on this machine."""
    try:
        find_java(registry.JAVA)
    except JavaError as error:
        return str(error)
    return ""


def start(lab: LabState, progress: Progress) -> dict[str, Any]:
    """Start the instances, one after the other as the first makes the topic, and register schemas.

    Raises:
        LabError: one did not come up, or refused.
    """
    registry.software(progress)
    ports = free_ports(2 * _INSTANCES)
    state: dict[str, Any] = {"instances": []}
    lab.parts[registry.PART] = state
    for number in range(1, _INSTANCES + 1):
        progress(f"Starting instance {number} of the Schema Registry")
        pair = {"api": ports.pop(), "management": ports.pop()}
        state["instances"].append(registry.start_instance(lab, pair, number))
        lab.save()
        registry.wait_for_instance(lab, state["instances"][-1], number)
    progress("Registering schemas")
    registry.set_level(lab, registry.LEVEL)
    for subject, kind, versions in SCHEMAS:
        for schema in versions:
            registry.register(lab, subject, schema, kind)
    deliveries.create(lab)
    return state


def stop(lab: LabState, state: dict[str, Any]) -> None:
    """Stop the instances."""
    del lab
    for instance in state["instances"]:
        registry.stop_instance(instance)


def connections(lab: LabState, state: dict[str, Any]) -> dict[str, Any]:
    """The registry at both its addresses."""
    del lab
    return {"schema_registry": {"url": [registry.url(instance["ports"]["api"]) for instance in state["instances"]]}}


def environment(lab: LabState, state: dict[str, Any]) -> dict[str, Any]:
    """Records may be read of the topic that is written as the registry's serializers write."""
    del lab, state
    return {"may_read": [deliveries.TOPIC]}
