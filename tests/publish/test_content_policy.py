"""A page runs what it was built with, and nothing else."""

import base64
import hashlib

import pytest

from runbook.publish import mkdocs_hooks
from runbook.publish.content_policy import with_policy


def _hash(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def test_the_policy_stands_before_everything_else_in_the_head() -> None:
    page = with_policy("<html><head><script>a()</script></head></html>")
    assert page.startswith('<html><head><meta http-equiv="Content-Security-Policy" content="default-src ')


def test_scripts_of_the_page_are_named_by_their_text_and_no_others() -> None:
    page = with_policy(
        "<head><script>a &amp; b\n</script><script src=x.js>not this</script>"
        '<script type="application/json">{}</script><SCRIPT type="module">c()</SCRIPT></head>'
    )
    rules = page.partition('content="')[2].partition('"')[0].replace("&#x27;", "'")
    assert rules.split("; ")[-1].split() == ["script-src", "'self'", _hash("a &amp; b\n"), _hash("c()")]


def test_the_same_script_is_named_once() -> None:
    assert with_policy("<head></head><script>a</script><script>a</script>").count("sha256-") == 1


def test_a_page_without_a_head_is_left_as_it_is() -> None:
    assert with_policy("<p>words</p>") == "<p>words</p>"


@pytest.mark.parametrize(("command", "policies"), [("build", 2), ("serve", 0), ("gh-deploy", 2)])
def test_pages_that_are_reloaded_by_a_script_of_the_server_have_none(command: str, policies: int) -> None:
    mkdocs_hooks.on_startup(command=command, dirty=False)
    try:
        page = mkdocs_hooks.on_post_page("<head></head>", page=None, config=None)
        missing = mkdocs_hooks.on_post_template("<head></head>", template_name="404.html", config=None)
    finally:
        mkdocs_hooks.on_startup(command="build", dirty=False)
    assert (page + missing).count("Content-Security-Policy") == policies


def test_a_file_that_is_no_page_is_left_as_it_is() -> None:
    assert mkdocs_hooks.on_post_template("<head></head>", template_name="feed.xml", config=None) == "<head></head>"
