"""Results through a topic of a real broker: kept, brought into a folder, verified; and what a bad end leaves behind."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import IO

import pytest

from kafka_lab import LabState
from kafka_lab.admin import kafka_python, settings
from kafka_lab.content import delete_topics
from kafka_lab.processes import freeze, terminate, thaw
from kafka_lab.waiting import wait_until_all_see
from runbook.evidence.import_runs import import_runs
from runbook.evidence.store import NotKept, Store, keep_run, run_files
from runbook.evidence.store_layout import fault_of
from runbook.model.errors import UsageError
from runbook.stores import open_store
from runbook.stores.kafka_topic import topic as topics
from support.kept_runs import kept_run
from support.killed_collectors import reported_before_kills

KILLS = 3
pytestmark = pytest.mark.live


@pytest.fixture
def topic(healthy_lab: LabState, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a new topic of three partitions, on all brokers."""
    name = f"results-{request.node.name.replace('_', '-')[:60]}"
    create(healthy_lab, name)
    yield f"kafka://{healthy_lab.bootstrap}/{name}"
    delete_topics(healthy_lab, [name])  # from every broker: the next test may ask one that still has it


def create(lab: LabState, name: str, **config: str) -> None:
    from confluent_kafka.admin import AdminClient, NewTopic

    wanted = NewTopic(name, 3, 3, config={"min.insync.replicas": "2"} | config)
    client = AdminClient(settings(lab))
    client.create_topics([wanted])[name].result(20)
    # The controller has it; each broker learns of it a little later, and until then says that there is none.
    wait_until_all_see(lab, lambda seen: name in seen.topics, f"{name} on all brokers", within=240)


def contents(store: Store) -> dict[str, bytes]:
    return {file.path: file.content for file in store.read(lambda *_: True) if not file.trouble}


def test_runs_kept_in_a_topic_land_in_a_folder_as_they_were_written_and_only_once(topic: str, tmp_path: Path) -> None:
    runs = [kept_run("prod", "test", number=number) for number in range(5)]
    for run in runs:
        keep_run(open_store(topic), run)
    folder = open_store(str(tmp_path))
    first = import_runs(open_store(topic), folder)
    assert (len(first.written), first.present, first.left) == (10, 0, [])
    assert contents(folder) == {path: content for run in runs for path, content in run_files(run)}
    again = import_runs(open_store(topic), folder)
    assert (again.written, again.present, again.left) == ([], 10, [])


def test_a_broker_that_is_taken_down_in_order_costs_a_reader_nothing(healthy_lab: LabState, topic: str) -> None:
    keep_run(open_store(topic), kept_run())
    read = [open_store(topic).sizes()]
    ending = Thread(target=terminate, args=(healthy_lab.broker(2).process,), kwargs={"patience": 30})
    ending.start()
    while ending.is_alive():
        read.append(open_store(topic).sizes())
    ending.join()
    read.append(open_store(topic).sizes())
    assert healthy_lab.broker(2).condition == "stopped"
    assert len(read[0]) == 1
    assert [look for look in read if look != read[0]] == []


def test_several_collectors_write_into_one_topic_at_once(topic: str, tmp_path: Path) -> None:
    script = (
        "import sys\nfrom support.kept_runs import kept_run\nfrom runbook.evidence.store import keep_run\n"
        "from runbook.stores import open_store\nstore = open_store(sys.argv[1])\n"
        "for i in range(8): keep_run(store, kept_run('prod', 'test', number=100 * int(sys.argv[2]) + i))\n"
    )
    search = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    collectors = [subprocess.Popen([sys.executable, "-c", script, topic, str(i)], env=search) for i in (1, 2, 3)]
    assert [collector.wait(60) for collector in collectors] == [0, 0, 0]
    landed = import_runs(open_store(topic), open_store(str(tmp_path)))
    assert (len(landed.written), landed.left) == (48, [])
    assert [path for path, content in contents(open_store(str(tmp_path))).items() if fault_of(path, content)] == []


def test_a_collector_killed_at_any_moment_loses_nothing_it_reported(topic: str, tmp_path: Path) -> None:
    def a_little_later(kill: int, printed: IO[str]) -> list[str]:
        first = printed.readline().strip()
        time.sleep(0.05 * kill)
        return [first]

    reported = reported_before_kills(topic, KILLS, a_little_later)
    landed = import_runs(open_store(topic), open_store(str(tmp_path)))
    kept = {Path(path).stem for path in landed.written}
    assert set(reported) - kept == set()
    assert [why for _, why in landed.left if not why.startswith("incomplete")] == []
    assert [path for path, content in contents(open_store(str(tmp_path))).items() if fault_of(path, content)] == []


def test_strangers_messages_are_left_and_named_and_the_runs_land_all_the_same(
    healthy_lab: LabState, topic: str, tmp_path: Path
) -> None:
    from confluent_kafka import Producer

    run = kept_run()
    [(path, content)] = run_files(run)
    producer = Producer(settings(healthy_lab))
    name = topic.rpartition("/")[2]
    for line in content.splitlines():
        producer.produce(name, key=b"../../../tmp/evil", value=line)
        producer.produce(name, key=b"prod/20261101T100000Z-00000000beef", value=line)  # a run under another's name
    for line in content.splitlines()[:-1]:
        producer.produce(name, key=b"test/20261101T100000Z-00000000cafe", value=line)
    producer.produce(name, value=b"\xff\x00 no JSON")
    producer.flush(20)
    keep_run(open_store(topic), run)
    landed = import_runs(open_store(topic), open_store(str(tmp_path)))
    assert landed.written == [path]
    reasons = " | ".join(sorted(why for _, why in landed.left))
    assert "no run or snapshot of ours is filed as" in reasons
    assert "its run is not the one it is filed under" in reasons
    assert "incomplete: 3 lines" in reasons
    assert [file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*") if file.is_file()] == [path]


def test_reading_leaves_no_consumer_group_behind(healthy_lab: LabState, topic: str) -> None:
    keep_run(open_store(topic), kept_run())
    assert len(open_store(topic).sizes()) == 1
    with kafka_python(healthy_lab) as admin:
        assert [group for group in admin.list_groups() if "runbook-results" in str(group)] == []


def test_a_topic_that_is_not_there_is_not_created(healthy_lab: LabState) -> None:
    with pytest.raises(NotKept, match=r"there is no such topic, or we may not see it\. Create it first"):
        keep_run(open_store(f"kafka://{healthy_lab.bootstrap}/nobody-made-this"), kept_run())
    with pytest.raises(
        UsageError, match=r"there is no such topic, or we may not see it\. (did you mean|known:|kafka-)"
    ):
        open_store(f"kafka://{healthy_lab.bootstrap}/nobody-made-this").sizes()
    with kafka_python(healthy_lab) as admin:
        assert "nobody-made-this" not in admin.list_topics()


def test_a_compacted_topic_is_refused_as_it_would_keep_one_line_of_each_run(healthy_lab: LabState) -> None:
    create(healthy_lab, "results-compacted", **{"cleanup.policy": "compact"})
    with pytest.raises(NotKept, match="is compacted: of each run only the last line would stay"):
        keep_run(open_store(f"kafka://{healthy_lab.bootstrap}/results-compacted"), kept_run())


def test_without_enough_replicas_in_sync_nothing_is_reported_as_kept(
    healthy_lab: LabState, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (topics, sys.modules["runbook.stores.kafka_topic.client_settings"]):
        monkeypatch.setattr(module, "PATIENCE", 4.0)
    store = open_store(topic)
    keep_run(store, kept_run(number=1))
    frozen = [broker.process for broker in healthy_lab.brokers[1:]]
    for process in frozen:
        freeze(process)
    try:
        with pytest.raises(NotKept, match="did not take"):
            keep_run(store, kept_run(number=2))
    finally:
        for process in frozen:
            thaw(process)
