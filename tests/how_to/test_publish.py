"""Stepping back to an older build, as the page shows it, on links as `runbook publish` makes them."""

import subprocess
from pathlib import Path

from support.documented import titled


def test_stepping_back_shows_the_older_build(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / "releases" / name).mkdir(parents=True)
        (tmp_path / "releases" / name / "index.html").write_text(name)
    current = tmp_path / "current"
    current.symlink_to(Path("releases") / "two")
    script = titled("docs/how-to/publish.md", "Step back to an older build")
    script = script.replace("/srv/runbooks", str(tmp_path)).replace("OLDER", "one")
    listed = subprocess.run(["sh", "-e", "-c", script], check=True, capture_output=True, text=True, timeout=10)
    assert listed.stdout.split() == ["one", "two"]
    assert (current / "index.html").read_text() == "one"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["current", "releases"]
