"""A worker of Kafka Connect beside a lab that has none."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kafka_lab import LabState, connect, processes
from kafka_lab.admin import delete_group, partitions
from kafka_lab.connect import LabWorker
from kafka_lab.content import delete_topics
from kafka_lab.state import known
from kafka_lab.waiting import wait_until

_PATIENCE = 10.0  # seconds to end in good order: its group is empty at once then
_WITHIN = 240.0


@contextmanager
def a_worker(lab: LabState, jars: str, group: str) -> Iterator[LabWorker]:
    """Start it; in the end it is gone, with its group and the topics that were created meanwhile.

    Args:
        lab: where it works, as it is now.
        jars: the folder with its plugins.
        group: of its Connect cluster.
    """
    before = {*partitions(lab)}
    lab.parts[connect.PART] = {"jars": jars, "workers": [], "group": group}
    [worker, *_] = connect.planned()
    worker.options = ["-Xmx192m"]
    try:
        connect.start(lab, worker)
        connect.note(lab, [worker])
        connect.wait_for_workers(lab, [worker])
        yield worker
    finally:
        processes.terminate(worker.process, patience=_PATIENCE)
        lab.parts.pop(connect.PART)
        now = known(lab.name, Path(lab.folder).parent)  # brokers may have been started anew meanwhile
        now.parts.pop(connect.PART)
        now.save()
        wait_until(lambda: delete_group(lab, group), f"group {group} to go", within=_WITHIN)
        delete_topics(lab, {*partitions(lab)} - before)
