"""What shows how a lab's Connect is, asked of its workers and of the agents in their JVMs, without any probe."""

from typing import Any

import msgspec

from kafka_lab import connect, http, processes
from kafka_lab.errors import LabError
from kafka_lab.state import LabState

_OK, _NOBODY = 200, 404

configured = connect.configuration
states = connect.states


def traces(lab: LabState, connector: str) -> str:
    """What the tasks of a connector that have failed say of it.

    Raises:
        LabError: No worker answered.
    """
    return "\n".join(task.get("trace", "") for task in _status(lab, connector).get("tasks", []))


def runs(lab: LabState, connector: str) -> bool:
    """Whether a connector runs and has tasks, all of which run.

    Raises:
        LabError: No worker answered.
    """
    status = _status(lab, connector)
    tasks = [task["state"] for task in status.get("tasks", [])]
    return status.get("connector", {}).get("state") == "RUNNING" and set(tasks) == {"RUNNING"}


def workers_of_tasks(lab: LabState) -> set[str]:
    """Host and port of the workers that run tasks, as the cluster says, or the state of a task that does not run.

    Raises:
        LabError: No worker answered.
    """
    connectors = connect.asked(lab, "/connectors?expand=status") or {}
    tasks = [task for connector in connectors.values() for task in connector["status"]["tasks"]]
    return {task["worker_id"] if task["state"] == "RUNNING" else task["state"] for task in tasks}


def counted(lab: LabState, connector: str, attribute: str) -> float:
    """What the JVMs of all workers count of a connector's errors, added up: `total-records-skipped`, say.

    Raises:
        LabError: One did not answer or refused, or the workers have no agents.
    """
    ports = lab.parts[connect.PART].get("jolokia")
    if not ports:
        raise LabError(f"The workers of lab {lab.name} have no Jolokia agents: {lab.anew_with('jmx,connect')}")
    bean = f"kafka.connect:type=task-error-metrics,connector={connector},task=*"
    body = msgspec.json.encode({"type": "read", "mbean": bean, "attribute": attribute})
    total = 0.0
    for worker, port in zip(connect.workers_of(lab), ports, strict=True):
        if processes.condition(worker.process) == "alive":
            answer = http.ask(f"http://127.0.0.1:{port}/jolokia/", method="POST", body=body)
            if answer["status"] not in (_OK, _NOBODY):
                raise LabError(f"The agent of {worker.name} did not tell {attribute}: {answer.get('error')}")
            total += sum(attributes[attribute] for attributes in answer.get("value", {}).values())
    return total


def _status(lab: LabState, connector: str) -> dict[str, Any]:
    answer: dict[str, Any] = connect.asked(lab, f"/connectors/{connector}/status") or {}
    return answer
