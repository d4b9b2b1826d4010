"""What the page on labs says of Connect at the primary, which the way back needs, carried out."""

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from kafka_lab import LabState, http
from kafka_lab.admin import partitions
from kafka_lab.content import delete_topics
from kafka_lab.ports import free_ports
from kafka_lab.tools import write_tools
from kafka_lab.waiting import wait_until
from support.documented import ROOT

pytestmark = pytest.mark.live

_SHOWN = "http://127.0.0.1:18083"


def test_a_worker_with_mirrormaker_starts_at_the_primary(sites: LabState, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "how-to" / "lab.md").read_text("utf-8")
    [block] = re.findall(r"```sh\n(printf [^`]*connect-distributed\.sh[^`]*)```", page)
    [port] = free_ports(1)
    here = f"http://127.0.0.1:{port}"
    script = tmp_path / "way-back.sh"
    script.write_text(block.replace("PRIMARY", sites.bootstrap).replace(_SHOWN, here), "utf-8")
    tools = write_tools(sites, tmp_path / "tools")
    started = subprocess.Popen(
        ["sh", script],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        wait_until(lambda: _has_mirrormaker(here), "the worker to answer", within=240)
    finally:
        os.killpg(started.pid, signal.SIGTERM)
        started.wait(60)
        delete_topics(sites, {topic for topic in partitions(sites) if topic.startswith("back-connect-")})


def _has_mirrormaker(worker: str) -> bool:
    return any(plugin["class"].endswith(".MirrorSourceConnector") for plugin in http.ask(f"{worker}/connector-plugins"))
