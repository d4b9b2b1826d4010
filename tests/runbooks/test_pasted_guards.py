"""Commands that guard what can't be undone hold where they are pasted line by line, and nothing ends at a failure."""

import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from support.kept_walks import procedures

pytestmark = pytest.mark.skipif(shutil.which("jq") is None, reason="there is no jq on the PATH: apt-get install jq")
PARTITIONS: Final = 3
OFFSETS: Final = ",".join(
    f'{{"partition": {{"cluster": "c", "topic": "t", "partition": {number}}}, "offset": {{"offset": 4}}}}'
    for number in range(PARTITIONS)
)
TOOLS: Final = {
    "kafka-topics.sh": r"""case "$*" in *--delete*) echo deleted;; *) grep -h . described.txt;; esac""",
    "kafka-get-offsets.sh": "cat told.txt",
    "curl": """case "$*" in
  *PUT*) ;;
  *PATCH*) test -e go-on.json && echo set;;
  *reached.json) cp offsets.json reached.json;;
  *) cat offsets.json;;
esac""",
}
"""Name → what it does: as the true ones print, of a topic whose partitions all end at 5."""


@pytest.mark.parametrize(("told", "done"), [(PARTITIONS, "deleted\nset"), (PARTITIONS - 1, "")])
def test_where_the_tool_leaves_a_partition_out_nothing_is_deleted_or_set(tmp_path: Path, told: int, done: str) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, text in TOOLS.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n", "utf-8")
        (folder / name).chmod(0o755)
    described = (f"Topic: t\tPartition: {number}\tLeader: 1\n" for number in range(PARTITIONS))
    (tmp_path / "described.txt").write_text("".join(described), "utf-8")
    (tmp_path / "told.txt").write_text("".join(f"t:{number}:5\n" for number in range(told)), "utf-8")
    (tmp_path / "offsets.json").write_text(f'{{"offsets": [{OFFSETS}]}}', "utf-8")
    steps = procedures()["dr/fail-back-where-names-are-kept"].steps
    pasted = "\n".join(steps[number - 1].command for number in (3, 4, 9))
    shell = subprocess.run(
        ["bash", "-c", pasted],
        cwd=tmp_path,
        env={"PATH": f"{folder}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=800,
        check=False,
    )
    assert shell.stdout.strip() == done
    assert ("missing.txt" in shell.stderr) is (not done)  # who pastes is told
