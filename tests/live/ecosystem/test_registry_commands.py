"""The commands that the runbook on schemas shows, run as they stand there against a real registry."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kafka_lab import LabState, registry
from support import wrong_schemas
from support.documented import titled

pytestmark = pytest.mark.live

PAGE = "runbooks/schema-governance.md"


@pytest.fixture
def folder(ecosystem: LabState, tmp_path: Path) -> Iterator[Path]:
    """A folder with the schemas of the page; what the samples ask for is in the registry."""
    if missing := [tool for tool in ("curl", "jq", "bash") if shutil.which(tool) is None]:
        pytest.skip(f"not installed: {', '.join(missing)}")
    for name in ("purchase.avsc", "purchase.proto", "envelope.avsc"):
        tmp_path.joinpath(name).write_text(titled(PAGE, name), "utf-8")
    registry.register(ecosystem, "purchases-value", titled(PAGE, "purchase.avsc"))
    yield tmp_path
    for subject in ("purchases-value", "purchases-proto-value", "envelope"):
        wrong_schemas.forget_subject(ecosystem, subject)


def shell(ecosystem: LabState, folder: Path, title: str) -> str:
    """Run a sample of the page; gives what it printed."""
    variables = os.environ | {"REGISTRY": registry.required(ecosystem), "no_proxy": "127.0.0.1"}
    command = ["bash", "-eu", "-o", "pipefail", "-c", titled(PAGE, title)]
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=800, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def compatible(printed: str) -> bool:
    [found] = [line for line in printed.splitlines() if "is_compatible" in line]
    return "true" in found


def test_the_commands_of_the_page_look_try_and_register(ecosystem: LabState, folder: Path):
    printed = shell(ecosystem, folder, "Look, try, register: Avro")
    assert printed.replace(" ", "").count('"name":"Purchase"') == 2
    assert compatible(printed)
    assert int(printed.splitlines()[-1]) > 0
    assert int(shell(ecosystem, folder, "Register: Protobuf")) > 0


def test_trying_a_change_that_does_not_do_stores_nothing(ecosystem: LabState, folder: Path):
    schema: dict[str, Any] = json.loads(titled(PAGE, "purchase.avsc"))
    schema["fields"].append({"name": "new", "type": "string"})
    folder.joinpath("purchase.avsc").write_text(json.dumps(schema), "utf-8")
    tried = titled(PAGE, "Look, try, register: Avro").partition("# register;")[0]
    variables = os.environ | {"REGISTRY": registry.required(ecosystem), "no_proxy": "127.0.0.1"}
    done = subprocess.run(
        ["bash", "-euc", tried], cwd=folder, env=variables, capture_output=True, text=True, timeout=800, check=True
    )
    assert not compatible(done.stdout)
    assert registry.request("GET", registry.required(ecosystem), "/subjects/purchases-value/versions") == [1]


def test_the_envelope_of_the_page_is_a_schema(ecosystem: LabState, folder: Path):
    assert registry.register(ecosystem, "envelope", folder.joinpath("envelope.avsc").read_text("utf-8")) > 0
