"""The pictures of the documentation: pages of a site over a made-up half year, taken in Chromium.

Run: .venv/bin/python tests/browser/pictures.py     # writes docs/images; look at what changed before you keep it
The history is the same each time; every page of it says that it is generated.
"""

import datetime as dt
import shutil
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.conftest import ARGUMENTS
from browser.made_site import ROOT, build, copy_ours
from kafka_lab.history import HistorySize, write_history
from runbook.folders import cache_folder
from runbook.java import spark_java_home
from runbook.scorecard.job import roll_up

HISTORY = HistorySize(dt.date(2026, 11, 20), environments=12, checks=60, weeks=26)
LOOKED_AT = dt.datetime(2026, 11, 16, 9, 0, tzinfo=dt.UTC)
"""When the pages say that they are looked at: on the morning of the last round, so that nothing is late."""

SHOTS = {
    "scorecard": ("scorecard/index.html", 1280, 860, "light"),
    "scorecard-phone": ("scorecard/index.html", 390, 844, "dark"),
    "scorecard-wide": ("scorecard/index.html", 1920, 1080, "light"),
    "environment": ("scorecard/environments/prod-eu-1.html", 1280, 860, "light"),
    "runbook": ("runbooks/ha.html", 1280, 860, "light"),
}
"""Name -> the page (the first that fits), how wide and high the window is, and on which ground."""

COLOURS = 64


def take(site: Path, out: Path) -> None:
    """Take the pictures of a built site, in few colours: text needs no more, and a page loads faster."""
    out.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        for name, (pattern, width, height, ground) in SHOTS.items():
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=ground)  # type: ignore[arg-type] # a name of one
            page.clock.set_fixed_time(LOOKED_AT)
            page.goto(min(site.glob(pattern)).as_uri())
            page.wait_for_load_state("networkidle")
            picture = Image.open(BytesIO(page.screenshot())).convert("RGB").quantize(COLOURS)
            picture.save(out / f"{name}.png", optimize=True)
            say(f"{name}: {(out / f'{name}.png').stat().st_size // 1024} KB")
            page.close()
        browser.close()


def say(what: str) -> None:
    """Tell whoever runs this."""
    sys.stderr.write(f"{what}\n")


def main() -> None:
    """Make the history, its scorecard and the site, and take the pictures."""
    with tempfile.TemporaryDirectory(prefix="runbook-pictures-") as passing:
        root = Path(passing)
        copy_ours(root)
        data = root / "site-data"
        write_history(data / "results", HISTORY, say)
        roll_up(str(data / "results"), data / "scorecard", progress=say, java_home=spark_java_home(cache_folder()))
        take(build(root, root / "site"), ROOT / "docs" / "images")


if __name__ == "__main__":
    main()
