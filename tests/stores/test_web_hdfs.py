from pathlib import Path

from runbook.evidence.import_runs import import_runs
from runbook.evidence.store import keep_run
from runbook.stores import open_store
from support.kept_runs import kept_run
from support.web_hdfs import web_hdfs

RUNS = 12


def test_runs_are_brought_there_several_at_once_and_once_only(tmp_path: Path) -> None:
    source = open_store(str(tmp_path))
    for number in range(RUNS):
        keep_run(source, kept_run(number=number))
    with web_hdfs(seconds=0.01) as (held, where):
        target = open_store(where)
        landed = import_runs(source, target)
        assert landed.written == [*source.sizes()]
        assert 1 < held.most <= target.at_once
        assert {found.path: found.content for found in target.read(lambda *_: True)} == {
            found.path: found.content for found in source.read(lambda *_: True)
        }
        assert not [path for path in held.files if not path.endswith(".jsonl")]
        again = import_runs(source, target)
        assert (again.written, again.present, again.left) == ([], RUNS, [])
