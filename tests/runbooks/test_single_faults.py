"""Each of the 35 faults of the table beside kubeconform and conftest is found, and the page counts them as they are."""

import json
import re
from collections import defaultdict
from pathlib import Path

import pytest

from runbook.cli.followed_run import execute
from runbook.run.check_run import Options
from support.documented import ROOT
from support.platform_repository import files
from support.single_faults import MISTYPED, single_faults

READ = (
    "clusters/prod/orders",
    "clusters/prod/edge",
    "clusters/prod/bridge",
    "teams/checkout/prod",
    "teams/billing/prod",
)
"""Of the 300 resources those that the faults concern, as each fault is an environment of its own here."""
NONE = "none"
Finding = tuple[str, str, str]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[Finding]]:
    """Environment → check, row and message of what fails or is unknown; all are of one run."""
    folder = tmp_path_factory.mktemp("faults")
    absent = dict.fromkeys(("kubernetes", "kafka", "zookeeper"), "files only")
    environments = {}
    for number, edit in enumerate([lambda _: None, *single_faults().values()]):
        texts = files()
        edit(texts)
        for path, text in texts.items():
            if path.startswith((*READ, "teams/fraud/prod")):
                file = folder / str(number) / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, "utf-8")
        manifests = {"paths": [str(folder / str(number))]}
        environments[f"fault-{number}"] = {"manifests": manifests, "absent": absent, "labels": {"tier": "prod"}}
    inventory = folder / "environments.yaml"
    inventory.write_text(json.dumps({"environments": environments}))
    inventory.chmod(0o600)
    options = Options(runbooks=["kubernetes"], environments=["*"], inventory=inventory, deadline=300)
    names = dict(zip(environments, [NONE, *single_faults()], strict=True))
    said: dict[str, set[Finding]] = defaultdict(set)
    for result in execute(options).run.results:
        rows = [(str(row.key), row.message) for row in result.rows] or [("", result.reason)]
        if result.outcome in ("fail", "unknown"):
            said[names[result.environment]] |= {(result.check, *(_placeless(text) for text in row)) for row in rows}
    return said


def _placeless(text: str) -> str:
    """Without the folder of the environment."""
    return re.sub(r"/faults\d*/\d+/", "/", text)


@pytest.mark.parametrize("fault", single_faults())
def test_each_fault_is_found(found: dict[str, set[Finding]], fault: str) -> None:
    assert found[fault] - found[NONE]


def test_the_page_counts_the_faults_that_there_are() -> None:
    page = Path(ROOT, "docs/how-to/manifests.md").read_text("utf-8")
    [total] = re.findall(r"^\| together \| (\d+) \| (\d+) \|", page, re.MULTILINE)
    assert total == (str(len(single_faults())),) * 2
    [form] = re.findall(r"^\| form: .*? \| (\d+) \|", page, re.MULTILINE)
    assert int(form) == len(MISTYPED) - 1  # a name that stands twice is in a line of its own
