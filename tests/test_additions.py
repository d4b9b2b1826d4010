"""One more of each kind takes the files that the layout promises, and no list kept by hand: tried with a scratch one.

The other file that a kind takes is its test or its golden file, which `tests/test_layout.py` and the tests of reports
ask for. Each is added to a copy of the code, and seen where people meet it.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.built_in import checks_of
from support.small_runbooks import FRONT, check_text

ROOT = Path(__file__).parents[1]
HEALTHY = ROOT / "tests" / "cases" / "ha" / "healthy.json"

PROBE = '''"""Whether the sun shines."""

from typing import TYPE_CHECKING, Annotated

from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class Scratch(Row):
    """A sky."""

    sky: Annotated[str, Cell("Which sky.", key=True, entity="host")]


PROBE = Probe(connections=("kafka",), help="A scratch probe.", row=Scratch, requests=("Metadata",), rights=("none",))


def observe(kafka: "Kafka") -> Observed:
    return Observed(rows=[Scratch(sky="blue")])
'''
VIEW = '''"""Brokers by first letter."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class Scratch(Row):
    """A count."""

    host: Annotated[str, Cell("Whose.", key=True, entity="host")]


VIEW = View(help="A scratch view.", inputs={"process": Input("host_process", ("host",))}, row=Scratch)


def compute(*, process: Fact) -> Observed:
    return Observed(rows=[Scratch(host=row["host"]) for row in process.rows("host")][:1])
'''
REPORT = '''"""The number of results."""

from runbook.model.run import Run
from runbook.reports import ReportOptions


def report(run: Run, options: ReportOptions) -> str:
    """The number."""
    return f"scratch: {len(run.results)} results\\n"
'''
COMMAND = '''"""`runbook scratch`."""

EXAMPLES = ("runbook scratch",)


def command() -> int:
    """A scratch command."""
    print("scratched")
    return 0
'''
FAULT = '''"""Scratches broker 2."""

SEEN_IN = "gc"


def inject(lab): ...
def heal(lab): ...
def evident(lab): return {}
'''
METRIC = '''"""A scratch metric of a scorecard."""


def compute(*_):
    raise NotImplementedError
'''
RECOVERY = '"""Nothing is different."""\n'
CHECK = FRONT + check_text(
    """
facts: {broker: {probe: kafka_broker}}
expect: {each: broker, that: broker.port > 0, message: "{broker.port}"}
""",
    "brokers-have-ports",
)
SEEN = "import sys; from {module} import {name}; print(*{what})"


def of_code(module: str, name: str, what: str) -> list[str]:
    return [sys.executable, "-c", SEEN.format(module=module, name=name, what=what)]


def runbook(*words: str) -> list[str]:
    return [sys.executable, "-m", "runbook", *words]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The code, copied."""
    folder = tmp_path_factory.mktemp("copy")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "checks", folder / "checks", ignore=ignored)
    shutil.copytree(ROOT / "runbooks", folder / "runbooks")
    return folder


@pytest.mark.parametrize(
    ("file", "text", "line", "said"),
    [
        ("checks/runbook/probes/scratch.py", PROBE, runbook("probe"), "A scratch probe."),
        ("checks/runbook/probes/scratch.py", PROBE, runbook("list", "--probes"), "scratch"),
        ("checks/runbook/views/scratch.py", VIEW, runbook("list", "--views"), "scratch"),
        (
            "checks/runbook/reports/scratch.py",
            REPORT,
            runbook("check", "ha", "--from", str(HEALTHY), "--format", "scratch"),
            f"scratch: {len([check for check in checks_of('ha') if not check.gate])} results",
        ),
        ("checks/runbook/cli/commands/scratch.py", COMMAND, runbook("--help"), "A scratch command."),
        ("checks/runbook/cli/commands/scratch.py", COMMAND, runbook("scratch"), "scratched"),
        (
            "checks/runbook/cli/commands/scratch.py",
            COMMAND,
            of_code("runbook.cli.reference", "reference", "reference().values()"),
            "# runbook scratch",
        ),
        ("checks/kafka_lab/faults/scratch.py", FAULT, runbook("lab", "break"), "Scratches broker 2."),
        (
            "checks/runbook/scorecard/metrics/scratch.py",
            METRIC,
            of_code("runbook.plugins.catalog", "catalog", "catalog('scorecard.metrics').names()"),
            "scratch",
        ),
        (
            "checks/runbook/recoveries/scratch.py",
            RECOVERY,
            of_code("runbook.plugins.catalog", "catalog", "catalog('recoveries').names()"),
            "scratch",
        ),
        ("runbooks/scratch.md", CHECK, runbook("list", "--all"), "brokers-have-ports"),
        (
            "runbooks/scratch.md",
            CHECK,
            runbook("check", "scratch", "--from", str(HEALTHY), "--format", "json"),
            '"scratch/brokers-have-ports"',
        ),
    ],
)
def test_one_file_adds_it(copy: Path, file: str, text: str, line: list[str], said: str) -> None:
    added = copy / file
    assert said not in ran(copy, line)
    added.write_text(text, "utf-8")
    try:
        assert said in ran(copy, line)
    finally:
        added.unlink()


def ran(copy: Path, line: list[str]) -> str:
    """What a command of the copied code prints."""
    environment = {**os.environ, "PYTHONPATH": str(copy / "checks"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(line, capture_output=True, text=True, check=False, env=environment, cwd=copy, timeout=800)
    return done.stdout


def test_the_copy_is_what_runs(copy: Path) -> None:
    assert json.loads(ran(copy, of_code("runbook", "__file__", "[f'\"{__file__}\"']"))).startswith(str(copy))
