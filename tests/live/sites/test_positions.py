"""The records in which a real MirrorMaker keeps positions, read by the command line."""

import json
import subprocess
from pathlib import Path

import pytest

from kafka_lab import LabState, mirrors
from support.evidence.making import RUNBOOK

pytestmark = [pytest.mark.live, pytest.mark.thorough]


@pytest.mark.parametrize(
    ("probe", "site", "log"),
    [
        ("mirror_checkpoint", mirrors.STANDBY, mirrors.remote("checkpoints.internal")),
        ("mirror_offset_sync", mirrors.PRIMARY, f"mm2-offset-syncs.{mirrors.STANDBY}.internal"),
    ],
)
def test_positions_that_mirrormaker_notes_may_be_read_by_the_labs_own_inventory(
    sites: LabState, probe: str, site: str, log: str
):
    name = mirrors.standby_of(sites).name if site == mirrors.STANDBY else sites.name
    words = [RUNBOOK, "probe", probe, "-i", str(Path(sites.folder, "environments.yaml")), "-e", name]
    done = subprocess.run([*words, "-f", "json", "--deadline", "30s"], capture_output=True, timeout=800, check=False)
    assert done.returncode == 0, done.stderr
    assert set(json.loads(done.stdout)[name]["columns"]["log"]) == {log}
