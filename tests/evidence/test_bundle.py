from pathlib import Path

import pytest

from runbook.evidence.bundle import FORMAT, Bundle, Kept, inventory_of, load_bundle, save_bundle
from runbook.model.ask import FactQuestion
from runbook.model.errors import UsageError
from runbook.model.fact import Gap
from runbook.model.link import Mirror
from runbook.parse.inventory import Environment
from support.small_runbooks import NOW, fact

pytestmark = pytest.mark.usefixtures("fakes")


def bundle() -> Bundle:
    kept = Kept(
        FactQuestion("prod", "fake", "fake_row"), {"": fact("fake_row", [{"name": "é"}], [Gap("x", {"broker": 1})])}
    )
    environments = {"prod": Environment(labels={"tier": "prod"}), "dr": Environment()}
    connections = {"prod": ["fake"], "dr": []}
    return Bundle(
        FORMAT, "1.0", "run", NOW, environments, connections, [Mirror("prod", "dr")], [kept], ["prod"], typed_gaps=True
    )


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    save_bundle(tmp_path / "b.json", bundle())
    assert load_bundle(tmp_path / "b.json") == bundle()


def test_equal_bundles_are_equal_to_the_byte(tmp_path: Path) -> None:
    for name in "ab":
        save_bundle(tmp_path / name, bundle())
    save_bundle(tmp_path / "c", load_bundle(tmp_path / "a"))
    assert len({(tmp_path / name).read_bytes() for name in "abc"}) == 1


def test_a_bundle_stands_for_an_inventory_without_settings() -> None:
    inventory = inventory_of(bundle(), "b.json")
    assert inventory.targets["prod"].connections == {"fake": {}}
    assert [mirror.name for mirror in inventory.mirrors] == ["prod→dr"]


def test_a_link_of_which_an_end_is_missing_is_left_out() -> None:
    cut = bundle()
    del cut.environments["dr"]
    assert inventory_of(cut, "b.json").mirrors == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is no bundle, or not a whole one"),
        (b"{", "is no bundle, or not a whole one"),
        (b"\xff\xfe", "is no bundle, or not a whole one"),
        (b"[1]", "is no bundle, or not a whole one"),
        (b'{"format": "runbook-bundle-1"}', "is no bundle, or not a whole one"),
    ],
)
def test_what_is_no_bundle_is_said_so(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "b.json").write_bytes(content)
    with pytest.raises(UsageError, match=said):
        load_bundle(tmp_path / "b.json")


def test_a_bundle_cut_off_anywhere_is_said_so(tmp_path: Path) -> None:
    save_bundle(tmp_path / "whole", bundle())
    whole = (tmp_path / "whole").read_bytes()
    for length in range(len(whole)):
        (tmp_path / "cut").write_bytes(whole[:length])
        with pytest.raises(UsageError, match="no bundle"):
            load_bundle(tmp_path / "cut")


def test_a_bundle_of_another_format_is_said_so(tmp_path: Path) -> None:
    other = bundle()
    other.format = "runbook-bundle-9"
    save_bundle(tmp_path / "b.json", other)
    with pytest.raises(UsageError, match=r"has the format 'runbook-bundle-9'; this version reads runbook-bundle-1"):
        load_bundle(tmp_path / "b.json")


def test_a_bundle_that_is_not_there_or_can_not_be_written_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="can't be read: No such file or directory; runbook check --save FILE writes"):
        load_bundle(tmp_path / "nowhere.json")
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="the bundle could not be written to"):
        save_bundle(tmp_path / "file" / "b.json", bundle())
