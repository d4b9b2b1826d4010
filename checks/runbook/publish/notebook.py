"""Rendered notebooks without what their converter adds: 300 KB of styles, and scripts that fetch from elsewhere."""

import hashlib
import re
import shutil
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
_ADDED = re.compile(r"<(script|style)\b.*?</\1\s*>|<link\b[^>]*>|<!--.*?-->", re.DOTALL | re.IGNORECASE)
_COPIES = re.compile(
    r'<div class="zeroclipboard-container">.*?</clipboard-copy>\s*</div>|<div[^>]*"clipboard-copy-txt"[^>]*>.*?</div>',
    re.DOTALL,
)
_CODE = re.compile(r'<div class="highlight[^"]*"><pre>(?:<span></span>)?(.*?)</pre>\s*</div>', re.DOTALL)


def slim(html: str) -> str:
    """Keep the words, code and outputs of a notebook; code looks as on other pages, the rest as in runbook.css."""
    html = _COPIES.sub("", _ADDED.sub("", html)).replace('class="anchor-link"', 'class="headerlink"')
    html = _CODE.sub(r'<div class="highlight"><pre><code>\1</code></pre></div>', html)
    return re.sub(r"<pre>(?!<code>)", '<pre tabindex="0">', html)  # wide outputs scroll, by keyboard, too


def cache_folder(root: Path, data: Path) -> Path:
    """Where executed notebooks are kept as long as the scorecard they read and the code they import stay the same.

    Folders of other states are removed, so that the cache does not grow.
    """
    digest = hashlib.sha256(f"{sys.version} {data.resolve()}".encode())
    for folder, pattern in ((data / "scorecard", "*"), (PACKAGE, "**/*.py")):
        for file in sorted(folder.glob(pattern)):
            if file.is_file():
                digest.update(str(file.relative_to(folder)).encode() + hashlib.sha256(file.read_bytes()).digest())
    folder = root / ".cache" / "notebooks" / digest.hexdigest()[:16]
    for other in folder.parent.glob("*"):
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)
    return folder
