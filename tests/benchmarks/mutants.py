"""Mutation testing: how many small changes to the code that judges and keeps gaps does some test notice?

Run: .venv/bin/python tests/benchmarks/mutants.py [--folder FOLDER] [--beside 2] [MODULE …]
Modules are names such as judge/judge, of `checks/runbook`. A folder that is given is kept, and a run that was stopped
goes on there; `mutmut results` and `mutmut show NAME` in it say what survived. Takes about an hour on two cores.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
MUTMUT = "mutmut==3.8.1"
MODULES = (
    "judge/judge",
    "judge/scope",
    "judge/waiver",
    "model/fact",
    "model/view",
    "procedure/loss_seen",
    "run/collection/fact_assembly",
)
"""What turns facts into verdicts, and what keeps gaps from getting lost on the way."""
_TESTED = (
    *("evidence/kept_once", "judge/common_cause", "judge/hard_checks", "judge/judge", "judge/judge_forms"),
    *("judge/effect_words", "judge/judge_promise", "judge/scope", "judge/waiver", "model/fact", "model/view"),
    *("procedure/loss_seen", "run/collection/fact_assembly", "run/judgement/runner"),
)
TESTS = (*("tests/{}/test_{}.py".format(*module.split("/")) for module in _TESTED), "tests/views/test_proved_drill.py")
"""Tests that take seconds together: each is run for every change to a function that it calls."""
GOAL = 80.0  # percent


def prepare(folder: Path, modules: list[str]) -> None:
    """Copy what git knows, with `checks` under the one name that mutmut looks for."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in filter(None, names.split("\0")):
        to = folder / (f"src/{name.removeprefix('checks/')}" if name.startswith("checks/") else name)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, to)
    settings = {
        "source_paths": ["src"],
        "only_mutate": [f"src/runbook/{module}.py" for module in modules],
        "also_copy": ["docs", "runbooks", "mkdocs.yml", "README.md", "Makefile"],
        "pytest_add_cli_args": ["-p", "no:xdist", "-p", "no:cacheprovider", "-q"],
        "pytest_add_cli_args_test_selection": list(TESTS),
    }
    # Python looks no more into a folder that was not there when it started, and would take the code as it is.
    (folder / "mutants" / "src").mkdir(parents=True)
    with (folder / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write("\n[tool.mutmut]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items()))


def mutmut(folder: Path, *words: str) -> None:
    """Run it beside what the project has installed, which it is no part of."""
    environment = os.environ | {"PYTHONPATH": str(folder / "mutants" / "src"), "VIRTUAL_ENV": sys.prefix}
    uv = [str(Path(sys.prefix, "bin", "uv")), "run", "--no-project", "--active", "--with", MUTMUT, "mutmut"]
    subprocess.run([*uv, *words], cwd=folder, env=environment, check=True)


def main() -> None:
    """Measure, and say what share was noticed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", default=list(MODULES), metavar="MODULE")
    parser.add_argument("--folder", type=Path, help="where the copy goes, and stays")
    parser.add_argument("--beside", type=int, default=2, help="how many changes are tried at a time")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutants-") as passing:
        folder = (asked.folder or Path(passing)).resolve()
        if not (folder / "src").exists():
            prepare(folder, asked.modules)
        mutmut(folder, "run", "--max-children", str(asked.beside))
        mutmut(folder, "export-cicd-stats")
        counts = json.loads((folder / "mutants" / "mutmut-cicd-stats.json").read_bytes())
    noticed = counts["killed"] + counts["timeout"] + counts["segfault"]
    share = 100 * noticed / max(1, counts["total"])
    print(f"{noticed} of {counts['total']} changes noticed, {share:.1f} %: {'met' if share >= GOAL else 'MISSED'}")


if __name__ == "__main__":
    main()
