"""Parts of a page that open with a tap: a phone shows the way through a long page, and its old addresses stay.

In the Markdown a part begins with `<!-- fold: WORDS -->`, where WORDS say what is in it, and ends with
`<!-- end of fold -->`; elsewhere, as on a code host, it is shown as it stands. Headings are addresses and stay outside.
"""

import re
from typing import Final

_MARK: Final = re.compile(r"(?P<p><p>)?<!-- (?:fold: (?P<words>[^<>]+?)|end of fold) -->(?(p)</p>)")
_BEGIN: Final = '<details class="rb-why"><summary>{}</summary>'
_END: Final = "</details>"


def with_folds(html: str) -> str:
    """A page's content with its marks replaced."""
    return _MARK.sub(lambda mark: _BEGIN.format(mark["words"]) if mark["words"] else _END, html)


def mistake_in(markdown: str) -> str:
    """What is wrong with the marks of a page; empty if nothing is."""
    folded = code = False
    for line in markdown.splitlines():
        code ^= line.lstrip().startswith("```")
        if mark := _MARK.fullmatch(line.strip()):
            if bool(mark["words"]) == folded:
                return f"{line}: a fold begins in a fold, or ends outside of one"
            folded = not folded
        elif folded and not code and line.startswith("#"):
            return f"{line}: a heading in a fold is an address that is out of sight"
    return "a fold has no end" if folded else ""
