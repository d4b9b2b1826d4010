"""What a block cites, with a link for each proposal, issue and standard that it names."""

import re
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import quote_plus

from markupsafe import Markup

from runbook.publish import prose

TITLES: Final = Path(__file__).with_name("kip_titles.txt")
"""The pages of Kafka's improvement proposals in its wiki, a title on each line, as documentations link them."""

_WIKI: Final = "https://cwiki.apache.org/confluence/display/KAFKA/"
_LIST: Final = "Kafka+Improvement+Proposals"  # of all: where the page of one is not known
_CITED: Final = re.compile(
    r"<a\b.*?</a>|<[^>]*>|KIP-(?P<kip>\d+)\b|(?P<issue>(?:KAFKA|ZOOKEEPER)-\d+)\b|RFC (?P<rfc>\d+)\b|JEP (?P<jep>\d+)\b"
)


def cited(text: str) -> Markup:
    """A source as HTML: one line of Markdown, and its references as links."""
    return Markup(_CITED.sub(_linked, str(prose.inline(text))))  # noqa: S704 - made of what is inert already


def _linked(found: re.Match[str]) -> str:
    match found.lastgroup:
        case "kip":
            place = _WIKI + _page(found["kip"])
        case "issue":
            place = f"https://issues.apache.org/jira/browse/{found['issue']}"
        case "rfc":
            place = f"https://www.rfc-editor.org/rfc/rfc{found['rfc']}"
        case "jep":
            place = f"https://openjdk.org/jeps/{found['jep']}"
        case _:
            return found[0]
    return f'<a href="{place}">{found[0]}</a>'


def _page(number: str) -> str:
    title = _titles().get(number)
    return _LIST if title is None else quote_plus(title, safe="()'!*")


@cache
def _titles() -> dict[str, str]:
    """The title of each proposal, by its number."""
    titles = TITLES.read_text("utf-8").splitlines()
    return {re.split(r"\D", title.removeprefix("KIP-"), maxsplit=1)[0]: title for title in titles}
