"""Names of blocks that stand as code in a page are links to their cards."""

import pytest
from msgspec.structs import replace

from runbook.parse.runbook import Runbook
from runbook.publish.block_links import places_of, with_block_links


@pytest.fixture
def places(book: Runbook) -> dict[str, str]:
    twin = next(placed for placed in book.placed() if placed.block.id == "rows-hold")
    return places_of([book, replace(book, name="other", parts=(twin,))])


@pytest.mark.parametrize(
    ("named", "place"),
    [
        ("hostile#restart-a-broker", "hostile.html#restart-a-broker"),
        ("hostile/restart-a-broker", "hostile.html#restart-a-broker"),
        ("restart-a-broker", "hostile.html#restart-a-broker"),
        ("runbook procedure walk hostile#restart-a-broker --set broker=2", "hostile.html#restart-a-broker"),
        ("rows-hold", "hostile.html#rows-hold"),  # of two, the one of this runbook
    ],
)
def test_a_name_of_a_block_is_a_link(places: dict[str, str], named: str, place: str) -> None:
    page = with_block_links(f"<p>Then <code>{named}</code>.</p>", "runbooks/hostile.md", places)
    assert page == f'<p>Then <a href="{place}"><code>{named}</code></a>.</p>'


def test_a_page_elsewhere_leads_there(places: dict[str, str]) -> None:
    page = with_block_links("<code>restart-a-broker</code>", "how-to/x.md", places)
    assert page.startswith('<a href="../runbooks/hostile.html#restart-a-broker">')
    assert with_block_links("<code>rows-hold</code>", "how-to/x.md", places) == "<code>rows-hold</code>"


@pytest.mark.parametrize(
    "text",
    [
        '<a href="#x"><code>restart-a-broker</code></a>',
        "<pre><code>restart-a-broker</code></pre>",
        "<h3><code>restart-a-broker</code></h3>",
        '<p class="rb-facts">check <code>hostile/restart-a-broker</code></p>',
        "<code>restart-a-broker now</code>",
        "<code>no-such-block</code>",
        "<code>acks=all</code>",
    ],
)
def test_what_is_no_name_or_a_link_already_stays(places: dict[str, str], text: str) -> None:
    assert with_block_links(text, "runbooks/hostile.md", places) == text
