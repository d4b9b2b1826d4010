"""Every `runbook` command that a page shows is one that the command line takes."""

import re
import shlex
import subprocess
from collections.abc import Iterator

import pytest
import typer.main

from runbook.cli.app import app
from runbook.cli.completion import complete_probes
from runbook.model.block import Procedure
from support.built_in import all_built_in
from support.documented import ROOT, fences

PAGES = ["README.md", *(str(page.relative_to(ROOT)) for page in sorted((ROOT / "docs").rglob("*.md")))]
RUNBOOKS = [str(page.relative_to(ROOT)) for page in sorted((ROOT / "runbooks").glob("*.md"))]
SHELL = {"sh", "bash", "text", "console", "crontab"}
BEFORE = {"step", "if", "then", "do", "else", "!", "{", "("}  # words after which a command may begin
COMMAND = typer.main.get_command(app)


def commands(text: str) -> Iterator[str]:
    """The `runbook` commands of a line of shell."""
    tokens = shlex.shlex(re.sub(r"(^|\s)#.*", "", text), posix=True, punctuation_chars=True)
    tokens.whitespace_split, tokens.commenters = True, ""
    words: list[str] = []
    for token in [*tokens, ";"]:
        if set(token) <= set(";&|()<>{}"):
            if words[:1] == ["runbook"]:
                yield shlex.join(words)
            words = []
        elif words or token not in BEFORE:
            words.append(token)


def shown() -> Iterator[tuple[str, str]]:
    """Page and command, of every fence: lines with a prompt, and scripts."""
    for page in [*PAGES, *RUNBOOKS]:
        for fence in fences(page):
            if fence.language not in SHELL:
                continue
            for line in fence.text.replace("\\\n", " ").splitlines():
                prompt = re.match(r"\s*\$ (runbook .*)", line)
                script = fence.language in {"sh", "bash"} and "runbook " in line
                if prompt or script:
                    yield from ((page, command) for command in commands(prompt[1] if prompt else line))


def named() -> Iterator[tuple[str, str]]:
    """Page and command, of what no fence of shell shows: code in sentences, and what steps of procedures run."""
    for page in [*PAGES, *RUNBOOKS]:
        if "changelog" in page or "decisions" in page:  # they tell what was
            continue
        for code in re.findall(r"(?<!`)`(runbook\s+[a-z][^`]*)`(?!`)", (ROOT / page).read_text("utf-8")):
            yield from ((page, command) for command in commands(" ".join(code.split())))
    for book in all_built_in():
        for placed in book.placed():
            for step in placed.block.steps if isinstance(placed.block, Procedure) else ():
                for line in (step.command or "").replace("\\\n", " ").splitlines():
                    yield from ((placed.name, command) for command in commands(line) if "runbook " in line)


def parse(words: list[str]) -> None:
    """Parse a command line as the program would, without running it; wrong options and commands raise."""
    command, context = COMMAND, None
    while True:
        context = command.make_context(command.name, words, parent=context)
        if not hasattr(command, "resolve_command"):
            return
        _, command, words = command.resolve_command(context, [*context._protected_args, *context.args])


@pytest.mark.parametrize(("page", "line"), sorted(set(shown())))
def test_a_command_that_is_shown_is_taken(page: str, line: str):
    try:
        parse(shlex.split(line)[1:])
    except typer.Exit:
        pytest.skip("help and version end at once")
    except typer.BadParameter.__mro__[2] as error:
        pytest.fail(f"{page}: {line}: {error}")


@pytest.mark.parametrize(("page", "line"), sorted({*named()}))
def test_a_command_that_is_named_is_there(page: str, line: str):
    """A mention may leave out arguments and values; commands and options that it has are those of the command line."""
    assert unknown(line) == "", page


def unknown(line: str) -> str:
    """What is said of a command or option that there is not."""
    try:
        parse(shlex.split(line)[1:])
    except typer.Exit:
        return ""
    except typer.BadParameter.__mro__[2] as error:
        return str(error) if str(error).startswith("No such ") or type(error).__name__ == "NoSuchOption" else ""
    return ""


@pytest.mark.parametrize(
    "line", ["runbook changes a.bundle b.bundle", "runbook diff --no-such-option", "runbook procedure go"]
)
def test_a_command_that_is_not_there_would_be_noticed(line: str):
    assert unknown(line)


def test_a_probe_that_is_named_is_there():
    """A word in capitals stands for the name of any probe; pages of docs/ name probes that their reader writes."""
    known = {*complete_probes("")}
    pages = [(page, line) for page, line in named() if not page.startswith("docs/")]
    asked = {(page, word) for page, line in pages for word in re.findall(r"^runbook probe ([a-z]\w*)", line)}
    assert len(asked) > 1
    assert sorted((page, probe) for page, probe in asked if probe not in known) == []


def test_mentions_and_steps_are_among_them():
    found = {*named()}
    assert any(page == "throughput-latency/measure-then-change-one-thing" for page, _ in found)
    assert ("runbooks/producers.md", "runbook probe kafka_producer") in found


def test_a_wrong_option_would_be_noticed():
    with pytest.raises(typer.BadParameter.__mro__[2]):
        parse(["check", "--no-such-option"])


def test_commands_are_found_in_scripts_and_after_prompts():
    found = list(
        commands('if step runbook check --env "$NAME" > out; then runbook lint a.md && runbook test; fi # runbook no')
    )
    assert found == ["runbook check --env '$NAME'", "runbook lint a.md", "runbook test"]


def test_links_between_pages_lead_somewhere_in_the_repository():
    """So they do for whoever reads it as files; those of the site, and all anchors, are checked by its strict build."""
    for page in [*PAGES, *RUNBOOKS]:
        text = re.sub(r"```.*?```", "", (ROOT / page).read_text("utf-8"), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text):
            assert ((ROOT / page).parent / target).resolve().exists(), f"{page}: {target}"


@pytest.mark.parametrize("page", RUNBOOKS)
def test_runbooks_are_plain_markdown(page: str):
    """Terminal and site read them alike; an admonition of MkDocs would be shown as it is written."""
    assert not [
        line for line in ROOT.joinpath(page).read_text("utf-8").splitlines() if line.startswith(("!!!", "???", ":::"))
    ]


def targets() -> list[str]:
    """What the Makefile says that it can make."""
    [line] = re.findall(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    return line.split()


@pytest.mark.parametrize("target", [target for target in targets() if target != "setup"])  # which may be up to date
def test_make_does_something_for_every_target(target: str):
    done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, timeout=800, check=False)
    assert done.returncode == 0, done.stderr
    assert "Nothing to be done" not in done.stdout
    assert done.stdout.strip()


def test_the_commands_of_the_readme_are_targets():
    shown = re.findall(r"^\$ make (\w+)", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert len(shown) >= 2
    assert set(shown) <= set(targets())


def test_the_answer_on_the_home_page_is_a_part_of_that_in_the_readme() -> None:
    home = (ROOT / "docs" / "index.md").read_text(encoding="utf-8").partition("```text\n")[2].partition("```")[0]
    whole = iter((ROOT / "README.md").read_text(encoding="utf-8").splitlines())
    assert [line for line in home.splitlines() if line not in whole] == []
