"""The house keeps its order: where things are, what they may be called, and that what is documented works."""

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from runbook.judge.compiled import compile_check
from runbook.model.block import BLOCKS, Check
from runbook.parse.runbook import LocatedBlock
from runbook.parse.schema import convert
from runbook.parse.yaml_document import read_yaml
from runbook.plugins.catalog import catalog

ROOT = Path(__file__).parents[1]
CHECKS = ROOT / "checks"
PACKAGE = CHECKS / "runbook"
TESTS = ROOT / "tests"
LONGEST = 400  # lines of a module
SAY_NOTHING = {"utils", "util", "helpers", "helper", "common", "base", "misc", "manager"}

MODULES = sorted(CHECKS.rglob("*.py"))
SOURCES = sorted([*MODULES, *TESTS.rglob("*.py")])


def shown(file: Path) -> str:
    return str(file.relative_to(ROOT))


GIVEN = {"mkdocs.yml", "docs", "checks", "runbooks", "pyproject.toml", "tests", "README.md", "LICENSE", "Makefile"}
"""The top level, beside dotfiles, lock files, and `site/`, which is built."""


def test_nothing_is_added_to_the_top_level() -> None:
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    top = {line.partition("/")[0] for line in listed.splitlines()}
    assert {name for name in top if not name.startswith(".") and not name.endswith(".lock")} == GIVEN


def test_no_module_is_longer_than_one_can_read() -> None:
    lines = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in SOURCES}
    limits = {file: LONGEST if file.is_relative_to(CHECKS) else 2 * LONGEST for file in SOURCES}
    assert [f"{shown(file)}: {lines[file]}" for file in SOURCES if lines[file] > limits[file]] == []


def messages(file: Path) -> Iterator[str]:
    """The sentences in a module's strings; what only its readers see, docstrings, is none."""
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    alone = {node.value for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in alone and " " in node.value:
            yield node.value


def test_no_message_sends_its_reader_to_a_file_that_an_installed_package_lacks() -> None:
    page = re.compile(r"(?<![\w./])(?<!runbook show )docs/[a-z][\w/-]*\.\w")
    found = {text for file in MODULES for text in messages(file) if page.search(text)}
    assert found == set()  # a command of ours tells it everywhere: runbook COMMAND -h, runbook show, runbook list


def test_every_name_says_what_is_in_the_file() -> None:
    named = {file: {file.stem.removeprefix("test_"), file.parent.name} for file in SOURCES}
    assert [shown(file) for file in SOURCES if named[file] & SAY_NOTHING] == []


def classes(file: Path) -> Iterator[str]:
    """The names of a module's classes that others may use."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    yield from (
        node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )


def test_a_class_name_has_one_meaning() -> None:
    places: dict[str, list[str]] = {}
    for module in MODULES:
        for name in classes(module):
            places.setdefault(name, []).append(shown(module))
    assert len(places) > len(MODULES) / 2
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


# Where a file is found by its name, or holds plain records and functions, its tests are found by its name too.
# In the other rooms tests follow what a person can do (a command, a page, a lab), which several modules serve together.
MIRRORED = (
    *("evidence", "judge", "model", "parse", "plugins", "procedure", "safety"),
    *("probes", "reports", "views"),
)


def test_a_module_that_is_found_by_name_has_its_tests_by_name() -> None:
    modules = [module for room in MIRRORED for module in sorted((PACKAGE / room).glob("[a-z]*.py"))]
    assert len(modules) > len(MIRRORED)
    places = [TESTS / module.parent.name / f"test_{module.name}" for module in modules]
    assert [shown(place) for place in places if not place.exists()] == []


ROOMS = {init.parent.name for init in (*CHECKS.glob("*/__init__.py"), *PACKAGE.glob("*/__init__.py"))} - {PACKAGE.name}


def test_every_room_has_a_folder_of_tests() -> None:
    assert [room for room in sorted(ROOMS) if not (TESTS / room).is_dir()] == []


BELOW = ("safety", "model", "plugins", "parse", "judge", "evidence", "run", "procedure")
TECHNOLOGY = re.compile(
    r"kafka|zookeeper|kubernetes|jolokia|prometheus|jvm|\b(broker|topic|partition|rack|pod|connector|consumer|producer)s?\b",
    re.IGNORECASE,
)
NAMED_BELOW = {
    "model/block.py": "what a procedure may lose",
    "model/canary.py": "where a canary writes, as inventories say it",
    "model/consequence.py": "what a failure costs, in the words in which the page on severity asks it",
    "model/column.py": "the entities that rows of different probes are joined by",
    "model/link.py": "what a link between two clusters carries, as inventories and checks say it",
    "model/right.py": "the kinds of resources that a right is about, as checks say it",
    "model/quantity.py": "the types of those entities",
    "model/old_gaps.py": "how connections worded their reasons before gaps had kinds",
    "plugins/extras.py": "the name of this distribution, and of modules that are not called as their packages",
    "plugins/shipped.py": "the name of this distribution",
    "parse/inventory.py": "which connection's settings canaries and stores take, and an example for an empty file",
    "parse/connection_lines.py": "what the lines of an inventory look like, one for each kind of connection",
    "judge/common_cause.py": "the finest of the entities",
    "parse/unobserved.py": "the connections that tell of what every cluster has",
    "judge/judge.py": "an example of what a key may be",
    "judge/summary.py": "a key column that is a plural already",
    "safety/secret.py": "words of keys of records, which are none of the keys that open something",
    "run/sources/addresses.py": "the setting that the commands of first actions are filled in from",
    "run/diagnosis/contrasts.py": "the finest of the entities, and how who leads is said",
    "run/planning/plan.py": "the probe that tells what an environment is",
    "run/judgement/runner.py": "what that probe tells",
    "run/sources/inventories.py": "an example of an inventory",
    "procedure/ends.py": "what a mirror of an inventory says, turned round",
    "procedure/loss_monitor.py": "the probe that tells which brokers serve",
    "procedure/loss_seen.py": "what a drill saw of the loss of a broker or rack",
    "procedure/seen_names.py": "the probes that tell the connectors and topics of a mirror",
    "procedure/walk_start.py": "what the block of a drill's procedure must say it loses",
    "procedure/placeholders.py": "the connections of an inventory that commands are filled in from",
}
"""Module → why a word of some technology stands in its strings; docstrings are free to say it."""


def strings(file: Path) -> Iterator[str]:
    """Every string of a module but its docstrings and other texts that stand alone."""
    tree = ast.parse(file.read_text("utf-8"))
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.value


def test_what_runs_and_judges_names_no_technology_but_where_it_is_said_why() -> None:
    modules = [module for room in BELOW for module in (PACKAGE / room).rglob("*.py")]
    named = {shown(module) for module in modules if any(map(TECHNOLOGY.search, strings(module)))}
    assert named == {shown(PACKAGE / name) for name in NAMED_BELOW}


FLOORS = [
    {room.strip() for room in floor.split("|")}
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    if contract["type"] == "layers"
    for floor in contract["layers"]
]


def floor_of(module: str) -> int:
    """Which floor of the house a module is on, counted from the top; the lowest of all where none names it."""
    return next((n for n, rooms in enumerate(FLOORS) if any(f"{module}.".startswith(f"{room}.") for room in rooms)), 99)


def imported_for_types(file: Path) -> Iterator[str]:
    """The modules that a module imports for its types alone, which the import contracts do not see."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            yield from (inner.module or "" for inner in node.body if isinstance(inner, ast.ImportFrom))


def test_types_come_from_no_higher_floor_either() -> None:
    module = {file: ".".join(file.relative_to(CHECKS).with_suffix("").parts) for file in MODULES}
    found = [(module[file], of) for file in MODULES for of in imported_for_types(file) if of.startswith("runbook.")]
    assert ("runbook.probes.kafka_topic", "runbook.connections.kafka") in found
    assert [(one, of) for one, of in found if floor_of(of) < floor_of(one)] == []


def broad_handlers(file: Path) -> Iterator[int]:
    """The lines that catch whatever comes; those that raise it again have only cleaned up."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ExceptHandler) and not isinstance(node.body[-1], ast.Raise):
            caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            if any(class_ is None or (isinstance(class_, ast.Name) and class_.id in _ANY) for class_ in caught):
                yield node.lineno


_ANY = {"Exception", "BaseException"}


def test_any_exception_is_caught_in_one_module_only() -> None:
    broad = {module: list(broad_handlers(module)) for module in MODULES}
    assert [shown(module) for module in MODULES if broad[module]] == ["checks/runbook/plugins/guard.py"]


@pytest.mark.parametrize("name", catalog("probes").names())
def test_a_probe_declares_what_it_asks_needs_and_gives(name: str) -> None:
    probe = catalog("probes").load(name).PROBE
    assert set(probe.connections) <= set(catalog("connections").names())
    assert probe.connections
    assert probe.help
    assert probe.requests
    assert probe.rights
    assert [column.name for column in probe.columns if not column.help] == []
    assert any(column.key for column in probe.columns)
    assert [parameter for parameter, declared in probe.parameters.items() if not declared.help] == []


def blocks(text: str, line: int = 1) -> Iterator[tuple[str, str, int]]:
    """Every block of a Markdown text, and of Markdown shown in it: kind, YAML and line."""
    for token in MarkdownIt("commonmark").parse(text):
        if token.type != "fence" or token.map is None:
            continue
        start = line + token.map[0] + 1
        if token.info.strip() == "markdown":
            yield from blocks(token.content, start)
        for kind in BLOCKS:
            if token.info.replace(" ", "").startswith(f"yaml{{.{kind}"):
                yield kind, token.content, start


SAMPLES = [
    pytest.param(kind, text, file, line, id=f"{shown(file)}:{line}")
    for folder in ("docs", "runbooks")
    for file in sorted((ROOT / folder).rglob("*.md"))
    for kind, text, line in blocks(file.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(("kind", "text", "file", "line"), SAMPLES)
def test_every_block_that_is_shown_works(kind: str, text: str, file: Path, line: int) -> None:
    document = read_yaml(text, shown(file), line=line)
    placed = LocatedBlock(convert(document, BLOCKS[kind], kind), document, file.stem)
    if isinstance(placed.block, Check):
        assert compile_check(placed).check is placed.block


def test_what_is_installed_from_elsewhere_is_pinned_with_its_hash() -> None:
    """Also the installer itself, which is fetched first."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    fetching = [line for line in makefile.splitlines() if "pip install" in line or "pip sync" in line]
    assert len(fetching) >= 3
    assert [line for line in fetching if "--require-hashes" not in line and "--no-deps" not in line] == []
    wanted = next(line.partition(":=")[2].strip() for line in makefile.splitlines() if line.startswith("UV "))
    lock = (ROOT / "requirements-uv.lock").read_text("utf-8")
    assert f"uv=={wanted} " in lock
    assert "--hash=sha256:" in lock
