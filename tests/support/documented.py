"""What the pages of docs/ show in fences, for the tests that load and run it."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
_OPENING = r"^( *)```(\w+)[^\S\n]*(?:\{[^}\n]*\})?(?: ?title=\"([^\"]*)\")?\n"
_FENCE = re.compile(_OPENING + r"(.*?)^\1```$", re.MULTILINE | re.DOTALL)


class Fence(NamedTuple):
    """One fence: its language, its title ("" without one), and its text without the page's indentation."""

    language: str
    title: str
    text: str


def fences(page: str) -> list[Fence]:
    """All fences of a page, given below the project's folder."""
    found = _FENCE.finditer((ROOT / page).read_text("utf-8"))
    return [
        Fence(match[2], match[3] or "", re.sub(f"^{match[1]}", "", match[4], flags=re.MULTILINE)) for match in found
    ]


def titled(page: str, title: str) -> str:
    """The text of the one fence of a page with this title."""
    [text] = [fence.text for fence in fences(page) if fence.title == title]
    return text
