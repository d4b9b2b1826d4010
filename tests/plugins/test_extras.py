"""What is missing is said by the name of the extra that brings it, with a command that works from where we came."""

import importlib.metadata
import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from runbook.model.errors import CannotLook, Misconfigured, Mistake
from runbook.plugins import extras
from runbook.plugins.guard import attempt

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]


class Installed:
    """An installed distribution, with what its installer wrote of where it came from."""

    def __init__(self, source: dict[str, object] | None) -> None:
        self._source = source
        self.requires = [f'{package}; extra == "{extra}"' for extra, named in EXTRAS.items() for package in named]

    def read_text(self, name: str) -> str | None:
        """A file of its metadata."""
        assert name == "direct_url.json"
        return None if self._source is None else json.dumps(self._source)


@pytest.fixture
def came_from(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, object] | None], None]:
    """Pretend that this was installed from somewhere."""

    def pretend(source: dict[str, object] | None) -> None:
        monkeypatch.setattr(extras, "distribution", lambda _: Installed(source))

    return pretend


def test_from_an_index_the_name_is_enough(came_from: Callable[[dict[str, object] | None], None]) -> None:
    came_from(None)
    assert extras.install("ssh") == "pip install 'kafka-runbook[ssh]'"


def test_from_a_checkout_or_a_wheel_it_is_named_by_where_it_lies(
    came_from: Callable[[dict[str, object] | None], None], tmp_path: Path
) -> None:
    came_from({"url": tmp_path.as_uri(), "dir_info": {"editable": True}})
    assert extras.install("ssh") == f"pip install -e '{tmp_path}[ssh]'"
    came_from({"url": tmp_path.as_uri(), "dir_info": {}})
    assert extras.install("ssh") == f"pip install '{tmp_path}[ssh]'"
    came_from({"url": tmp_path.as_uri(), "archive_info": {}})
    assert extras.install("ssh") == f"pip install 'kafka-runbook[ssh] @ {tmp_path.as_uri()}'"
    came_from({"url": "https://example.org/runbook.whl", "archive_info": {}})
    assert extras.install("ssh") == "pip install 'kafka-runbook[ssh] @ https://example.org/runbook.whl'"


def test_where_that_is_gone_its_packages_are_named(
    came_from: Callable[[dict[str, object] | None], None], tmp_path: Path
) -> None:
    came_from({"url": (tmp_path / "gone.whl").as_uri(), "archive_info": {}})
    assert extras.install("tls") == "pip install 'cryptography>=45' 'pyopenssl>=25'"


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("paramiko", "paramiko", "ssh"),
        ("kubernetes.client", "kubernetes", "kubernetes"),
        ("OpenSSL", "pyopenssl", "tls"),
        ("kazoo.client", "kazoo", "zookeeper"),
        ("proto_schema_parser", "proto_schema_parser", "schemas"),
        ("matplotlib", "matplotlib", "site"),
        ("snappy", "python-snappy", "records"),
        ("requests", "requests", "metrics"),
    ],
)
def test_a_module_leads_to_the_extra_that_brings_it(
    came_from: Callable[[dict[str, object] | None], None], module: str, package: str, extra: str
) -> None:
    came_from(None)
    hint = extras.missing(module)
    assert hint.startswith(f"the package {package} is missing, which the extra {extra} brings")
    assert hint.endswith(f": pip install 'kafka-runbook[{extra}]'")


def test_a_package_of_several_extras_names_all_of_them(
    came_from: Callable[[dict[str, object] | None], None],
) -> None:
    came_from(None)
    assert "(so do remote, zookeeper, schemas, lab)" in extras.missing("requests")


def test_one_other_extra_is_told_in_the_singular(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "_bringing", lambda _: ["scorecard", "site"])
    assert "(so does site)" in extras.missing("pyarrow")


def test_what_no_extra_brings_stays_a_mistake() -> None:
    assert extras.missing("no_such_module") == ""

    def load() -> None:
        raise ModuleNotFoundError("No module named 'no_such_module'", name="no_such_module")

    assert isinstance(attempt(load), Mistake)


def test_nothing_of_ours_is_told_as_a_mistake_where_a_package_is_missing() -> None:
    def load() -> None:
        raise ModuleNotFoundError("No module named 'paramiko'", name="paramiko")

    def wrapped() -> None:
        try:
            load()
        except ImportError as error:
            raise CannotLook("in other words") from error

    for call in (load, wrapped):
        found = attempt(call)
        assert isinstance(found, Misconfigured)
        assert "which the extra ssh brings" in str(found)


def test_without_any_record_of_an_installation_nothing_is_made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_: str) -> None:
        raise importlib.metadata.PackageNotFoundError

    monkeypatch.setattr(extras, "distribution", none)
    assert extras.missing("paramiko") == ""
    assert extras.install("ssh") == "pip install 'kafka-runbook[ssh]'"
