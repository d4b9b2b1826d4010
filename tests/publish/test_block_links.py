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
        ("hostile#restart-a-broker", "hostile/restart-a-broker.html"),
        ("hostile/restart-a-broker", "hostile/restart-a-broker.html"),
        ("restart-a-broker", "hostile/restart-a-broker.html"),
        ("runbook procedure walk hostile#restart-a-broker --set broker=2", "hostile/restart-a-broker.html"),
        ("rows-hold", "hostile/rows-hold.html"),  # of two, the one of this runbook
    ],
)
def test_a_name_of_a_block_is_a_link(places: dict[str, str], named: str, place: str) -> None:
    page = with_block_links(f"<p>Then <code>{named}</code>.</p>", "runbooks/hostile.md", places)
    assert page == f'<p>Then <a href="{place}"><code>{named}</code></a>.</p>'


@pytest.mark.parametrize(
    ("page", "link", "place"),
    [
        ("runbooks/hostile.md", "#rows-hold", "hostile/rows-hold.html"),
        ("runbooks/other.md", "hostile.html#rows-hold", "hostile/rows-hold.html"),
        ("runbooks/hostile/rows-hold.md", "../hostile.html#restart-a-broker", "restart-a-broker.html"),
        ("how-to/x.md", "../runbooks/other.html#rows-hold", "../runbooks/other/rows-hold.html"),
        ("how-to/x.md", "../runbooks/hostile.html#a-heading", "../runbooks/hostile.html#a-heading"),
        ("how-to/x.md", "#rows-hold", "#rows-hold"),
        ("index.md", "https://elsewhere.example/runbooks/hostile.html#rows-hold", None),
    ],
)
def test_a_link_to_a_block_leads_to_its_page(places: dict[str, str], page: str, link: str, place: str | None) -> None:
    assert with_block_links(f'<a href="{link}">x</a>', page, places) == f'<a href="{place or link}">x</a>'


def test_a_page_of_a_block_knows_its_runbook_and_does_not_link_itself(places: dict[str, str]) -> None:
    page = "runbooks/hostile/restart-a-broker.md"
    assert with_block_links("<code>rows-hold</code>", page, places).startswith('<a href="rows-hold.html">')
    assert with_block_links("<code>restart-a-broker</code>", page, places) == "<code>restart-a-broker</code>"


def test_a_page_elsewhere_leads_there(places: dict[str, str]) -> None:
    page = with_block_links("<code>restart-a-broker</code>", "how-to/x.md", places)
    assert page.startswith('<a href="../runbooks/hostile/restart-a-broker.html">')
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


def test_an_old_name_leads_to_the_block_as_it_is_called_now(book: Runbook) -> None:
    parts = [
        replace(one, block=replace(one.block, was=["old-name"])) for one in book.placed() if one.block.id == "rows-hold"
    ]
    places = places_of([replace(book, parts=tuple(parts))])
    page = with_block_links(
        '<p><code>hostile#old-name</code>, <a href="#old-name">it</a></p>', "runbooks/hostile.md", places
    )
    assert page.count('href="hostile/rows-hold.html"') == 2
