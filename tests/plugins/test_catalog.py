import subprocess
import sys
from pathlib import Path

import pytest

from runbook.model.errors import UsageError
from runbook.plugins.catalog import Catalog, add_user_checks, catalog

pytestmark = pytest.mark.usefixtures("clean_catalogs")


def write(folder: Path, name: str, text: str = "PROBE = 5\n") -> Path:
    file = folder / "probes" / f"{name}.py"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    return file


def test_a_file_is_found_by_its_name_and_loaded_once(tmp_path: Path) -> None:
    write(tmp_path, "mine")
    add_user_checks(tmp_path)
    assert "mine" in catalog("probes")
    assert catalog("probes").load("mine").PROBE == 5
    assert catalog("probes").load("mine") is catalog("probes").load("mine")


def test_a_folder_with_a_package_is_one_name(tmp_path: Path) -> None:
    package = tmp_path / "probes" / "mine"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("PROBE = 7\n")
    (package / "inside.py").write_text("")
    add_user_checks(tmp_path)
    assert catalog("probes").load("mine").PROBE == 7
    assert "inside" not in catalog("probes")


def test_listing_imports_nothing(tmp_path: Path) -> None:
    write(tmp_path, "explosive", "raise SystemExit('loaded')\n")
    add_user_checks(tmp_path)
    assert "explosive" in catalog("probes").names()
    script = "import sys; from runbook.plugins.catalog import catalog; catalog('probes').names(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert [name for name in loaded if name.startswith(("runbook.probes", "runbook.connections", "confluent"))] == []


def test_a_name_that_is_taken_is_an_error_with_both_files(tmp_path: Path) -> None:
    file = write(tmp_path, "kafka_topic")
    with pytest.raises(UsageError, match=r"has the name of .*kafka_topic\.py: rename one of them") as caught:
        add_user_checks(tmp_path)
    assert str(file) in str(caught.value)


def test_the_same_folder_may_be_named_twice_however_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "mine")
    add_user_checks(tmp_path)
    monkeypatch.chdir(tmp_path)
    add_user_checks(Path())
    assert "mine" in catalog("probes")


def test_a_users_folder_may_hold_connections_probes_and_views_as_far_as_needed(tmp_path: Path) -> None:
    (tmp_path / "connections").mkdir()
    (tmp_path / "connections" / "mine.py").write_text("")
    add_user_checks(tmp_path)
    assert "mine" in catalog("connections")


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no folder: --checks names one"):
        add_user_checks(tmp_path / "nowhere")


def test_a_name_that_is_not_there_says_what_was_meant() -> None:
    with pytest.raises(UsageError, match="no probe named kafka_topics: did you mean kafka_topic\\?"):
        catalog("probes").load("kafka_topics")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import nothing_like_that", "ModuleNotFoundError"),
        ("def (", "SyntaxError"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("raise RuntimeError('broken\\nlines')", r"RuntimeError: broken \(runbook --debug shows where\)$"),
    ],
)
def test_a_file_that_can_not_be_loaded_is_an_error_that_names_it(tmp_path: Path, text: str, said: str) -> None:
    write(tmp_path, "broken", text)
    add_user_checks(tmp_path)
    with pytest.raises(UsageError, match=f"broken.py can't be loaded: .*{said}"):
        catalog("probes").load("broken")


def test_hidden_and_upper_case_files_are_no_names(tmp_path: Path) -> None:
    for name in ("_private", ".hidden", "Upper"):
        write(tmp_path, name)
    add_user_checks(tmp_path)
    assert not {"_private", ".hidden", "Upper"} & set(catalog("probes").names())


@pytest.mark.parametrize("room", ["probes", "views", "connections", "reports", "scorecard.metrics"])
def test_every_room_that_is_found_by_file_name_has_something_in_it(room: str) -> None:
    assert Catalog(room).names()


def test_only_a_command_that_there_is_is_named_as_the_one_that_lists_all() -> None:
    with pytest.raises(UsageError, match=r"no view named topic_readr: .*runbook list --views names all"):
        catalog("views").load("topic_readr")
    with pytest.raises(
        UsageError, match=r"no recovery named reassignment_complete: did you mean reassignment_completed\?$"
    ) as refused:
        catalog("recoveries").load("reassignment_complete")
    assert "runbook list" not in str(refused.value)
