"""`runbook lab demo`: the main job from end to end, on two real clusters of which one is broken on purpose."""

import sys
from collections.abc import Callable
from pathlib import Path

from kafka_lab.breaking import break_
from kafka_lab.cluster import down, up
from kafka_lab.errors import LabError
from kafka_lab.inventory import running_inventory
from runbook.model.errors import RunbookError
from runbook.plugins.content import builtin_runbooks
from runbook.safety.child_process import finish_text, for_children, python_module, start

HEALTHY, BROKEN = "healthy", "broken"
FAULTS = ("unsafe-topic", "stop-broker")  # a setting that is unsafe, and an outage that it makes worse


def run_demo(data: Path, progress: Callable[[str], None], *, keep: bool) -> int:
    """Start two clusters, break one, check both, roll the results up, build the site.

    Args:
        data: the folder for results and scorecard; the site goes to `site/` of the checkout.
        progress: told of every step.
        keep: whether the clusters go on running.

    Raises:
        LabError: a step did not bring what it should.
    """
    site = _site_folder()
    try:
        for name in (HEALTHY, BROKEN):
            up(name, progress=progress)
        for fault in FAULTS:
            progress(f"Breaking {BROKEN}: {fault}")
            break_(BROKEN, fault)
        codes = {name: _check(name, data, progress) for name in (HEALTHY, BROKEN)}
        if codes != {HEALTHY: 0, BROKEN: 1}:
            raise LabError(f"The demo expects exit code 0 of {HEALTHY} and 1 of {BROKEN}; they gave {codes}")
    finally:
        if not keep:
            for name in (HEALTHY, BROKEN):
                progress(f"Stopping {name}")
                down(name)
    progress("Computing the scorecard with Spark")
    if _runbook("scorecard", str(data / "results"), "--out", str(data / "scorecard")):
        raise LabError("The demo expects a scorecard, and there is none")
    page = _build_site(site, data, progress)
    print(f"\nThe site is built: open {page}")
    print(
        "Try it yourself:   . .venv/bin/activate;  runbook lab up;  runbook check ha;  runbook lab break stop-broker;  "
        "runbook check ha"
    )
    return 0


def _check(name: str, data: Path, progress: Callable[[str], None]) -> int:
    progress(f"Checking {name}: runbook check ha --env {name}")
    where = ("--inventory", str(running_inventory()), "--results", str(data / "results"))
    code = _runbook("check", "ha", "--env", name, *where, "--trigger", "scheduled")
    print(f"exit code {code}\n", flush=True)
    return code


def _runbook(*words: str) -> int:
    """Run the command as a user would, at this terminal; give its exit code."""
    sys.stdout.flush()
    return start(python_module("runbook", *words), stdin=None, stdout=None, stderr=None).wait()


def _site_folder() -> Path:
    """The checkout, which holds mkdocs.yml and the pages.

    Raises:
        LabError: this is an installed package.
    """
    checkout = builtin_runbooks().parent
    if not (checkout / "mkdocs.yml").is_file():
        raise LabError("The demo builds the site from a checkout of the project: clone it and run make demo there")
    return checkout


def _build_site(checkout: Path, data: Path, progress: Callable[[str], None]) -> Path:
    progress("Building the site")
    command = python_module("mkdocs", "build", "--strict")
    environment = for_children({"RUNBOOK_SITE_DATA": str(data.resolve()), "NO_MKDOCS_2_WARNING": "1"})
    built = finish_text(command, folder=checkout, environment=environment)
    if built.returncode:
        raise RunbookError(f"the site could not be built:\n{built.stdout}{built.stderr}")
    return checkout / "site" / "index.html"
