"""The picture and the sample of the page on manifests: what a reviewer sees of the pull request of `support`.

Run: .venv/bin/python tests/browser/pull_request.py     # writes the page, and docs/images/pull-request.png
Annotations are those that `--format github` prints, laid beneath their lines of the diff, as a code host lays them out.
"""

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote

from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.conftest import ARGUMENTS
from browser.made_site import ROOT
from support.documented import titled
from support.pull_request import BASE, git, repository

PAGE: Final = "docs/how-to/manifests.md"
SAMPLE: Final = "One of the five, in the log"
PICTURE: Final = ROOT / "docs" / "images" / "pull-request.png"
CHECK: Final = ("check", "kubernetes", "--manifests", "clusters", "--manifests", "teams", "--base", BASE)
ONLY: Final = ("--only", "declared-topics-outlive-a-broker")
SHOWN: Final = 3
"""Annotations in the picture: more of the same kind say nothing more."""
_RUNBOOK: Final = str(Path(sys.executable).with_name("runbook"))
_COMMAND: Final = re.compile(r"::(\w+) file=([^,]+),line=(\d+),col=\d+,title=([^:]*)::(.*)")
_COLOURS: Final = 64
_STYLE: Final = """
body { margin: 0; padding: 16px; background: #fff; color: #1f2328; font: 14px/1.45 "DejaVu Sans", sans-serif; }
section { border: 1px solid #d1d9e0; border-radius: 6px; margin-bottom: 16px; overflow: hidden; }
h2 { margin: 0; padding: 8px 12px; background: #f6f8fa; font: 600 13px "DejaVu Sans Mono", monospace; }
pre { margin: 0; font: 12px/20px "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
pre div { padding-left: 12px; }
.plus { background: #dafbe1; } .minus { background: #ffebe9; } .head { background: #ddf4ff; color: #59636e; }
aside { margin: 8px 12px; padding: 8px 12px; border: 1px solid; border-left-width: 5px; border-radius: 6px; }
aside p { margin: 4px 0 0; overflow-wrap: anywhere; }
.error { border-color: #cf222e; } .warning { border-color: #9a6700; } .notice { border-color: #0969da; }
"""


class Annotation(NamedTuple):
    """What is said of a line."""

    level: str
    file: str
    line: int
    title: str
    text: str


def check(folder: Path, *options: str) -> str:
    """What the command prints in a checked-out pull request."""
    done = subprocess.run([_RUNBOOK, *CHECK, *options], cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout


def annotations(printed: str) -> list[Annotation]:
    """The annotations that a runner reads in what is printed."""
    found = filter(None, map(_COMMAND.fullmatch, printed.splitlines()))
    return [Annotation(one[1], unquote(one[2]), int(one[3]), unquote(one[4]), unquote(one[5])) for one in found]


def digest(found: list[Annotation]) -> str:
    """Changes with what the annotations say."""
    return hashlib.sha256(repr(found).encode()).hexdigest()


def sample(folder: Path) -> str:
    """The findings of one check on the console, without the lines that change with the time."""
    whole = check(folder, *ONLY)
    return whole[whole.index("FAIL ") : whole.index("\n\n", whole.index("FAIL "))] + "\n"


def laid_out(folder: Path, found: list[Annotation]) -> str:
    """A page with each annotation beneath its line."""
    parts = [
        f"<section><h2>{escape(one.file)}</h2><pre>{''.join(_lines(folder, one))}</pre></section>" for one in found
    ]
    return f"<!doctype html><meta charset=utf-8><style>{_STYLE}</style>{''.join(parts)}"


def _lines(folder: Path, one: Annotation) -> Iterator[str]:
    """The hunk of the diff that has the line, with what is said beneath it."""
    number, inside = 0, False
    for line in git(folder, "diff", "-U3", BASE, "--", one.file).splitlines():
        if head := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            number = int(head[1]) - 1
            inside = number < one.line <= number + int(head[2] or 1)
            if inside:
                yield f"<div class=head>{escape(line)}</div>"
        elif inside:
            kind = {"+": "plus", "-": "minus"}.get(line[:1], "")
            yield f"<div class='{kind}'>{escape(line)}</div>"
            number += line[:1] != "-"
            if number == one.line and line[:1] != "-":
                said = "".join(f"<p>{escape(text)}</p>" for text in one.text.splitlines() if text)
                yield f"<aside class={one.level}><b>{escape(one.title)}</b>{said}</aside>"


def take(page: str, found: list[Annotation], width: int, out: Path) -> None:
    """Take the picture of a page, which holds what it is of."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        window = browser.new_page(viewport={"width": width, "height": 400})
        window.set_content(page)
        picture = Image.open(BytesIO(window.screenshot(full_page=True))).convert("RGB").quantize(_COLOURS)
        browser.close()
    about = PngInfo()
    about.add_text("annotations", digest(found))
    picture.save(out, optimize=True, pnginfo=about)


def main() -> None:
    """Renew both."""
    with tempfile.TemporaryDirectory() as name:
        folder = repository(Path(name))
        found = annotations(check(folder, "--format", "github"))
        worst = [one for one in found if one.level == "error"][: SHOWN - 1]
        mild = [one for one in found if one.level == "warning"][: SHOWN - len(worst)]
        take(laid_out(folder, worst + mild), found, 960, PICTURE)
        page = ROOT / PAGE
        head = f'title="{SAMPLE}"\n'
        text = page.read_text("utf-8").replace(head + titled(PAGE, SAMPLE), head + sample(folder))
        page.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
