"""What can be said against the commands that a runbook shows without running them: that they can't run."""

import re
import shlex
from collections.abc import Iterator
from typing import Final

from markdown_it import MarkdownIt

from runbook.lint.texts import WrittenText, texts
from runbook.model.block import Check, Procedure
from runbook.model.errors import Problem
from runbook.parse.runbook import Placed, Runbook
from runbook.parse.yaml_document import Path as Field

_BOOTSTRAP: Final = "write --bootstrap-server HOST:PORT"
# Kafka's notes on upgrading to 2.0, 3.0 and 4.0, and the KIPs named; from 4.0 on no tool speaks to ZooKeeper.
_ZOOKEEPER_GONE: Final = {
    "kafka-topics": "since 3.0 (KIP-377)",
    "kafka-reassign-partitions": "since 3.0 (KIP-455)",
    "kafka-console-consumer": "since 2.0",
    "kafka-consumer-groups": "since 2.0",
}
_ZOOKEEPER_FROM_4 = "since 4.0 (KIP-500)"
# KIP-499 gave them all --bootstrap-server in 2.5; the old name went in 4.0 (KAFKA-17387, KAFKA-17388 and others). The
# console consumer never had it; kafka-reassign-partitions and kafka-log-dirs have, of broker ids.
_BROKER_LIST_GONE: Final = "since 4.0, and it was deprecated in 2.5 (KIP-499)"
_BROKER_LIST: Final = {
    "kafka-console-producer": _BROKER_LIST_GONE,
    "kafka-verifiable-producer": _BROKER_LIST_GONE,
    "kafka-verifiable-consumer": _BROKER_LIST_GONE,
    "kafka-consumer-perf-test": _BROKER_LIST_GONE,
    "kafka-console-consumer": "in any release that is still run",
}
_TOOLS_GONE: Final = {"kafka-preferred-replica-election": ("since 3.0 (KIP-460)", "write kafka-leader-election.sh")}
_ASKING: Final = ("check", "what-if")
_BETWEEN: Final = "|&;()\n"
_TOOL: Final = re.compile(r"(?:.*/)?(kafka-[a-z-]+?)(?:\.sh|\.bat)?")
_SHELL: Final = ("sh", "bash", "shell")
_FENCE: Final = re.compile(r"`{3}|~{3}")
_HEREDOC: Final = re.compile(r"<<-?\s*['\"]?\w")


def unrunnable_commands(book: Runbook) -> Iterator[Problem]:
    """Yield a problem for each command with a quote that is never closed, or that Kafka's tools do not take.

    That is in audits, in steps, and in blocks of shell in prose, remedies and the like. And for steps with commands of
    this tool that name no environment: where an inventory has several, they ask back.
    """
    for placed in book.placed():
        for field, text in _commands(placed):
            for command in _asking(text) if isinstance(placed.block, Procedure) else ():
                message = f'"{command}" names no environment in {placed.name}'
                remedy = "write --env ENVIRONMENT, which a walk fills in; or the one that is always meant"
                yield Problem(placed.document.place(field), message, remedy)
            for message, remedy in _faults(text):
                yield Problem(placed.document.place(field), f"{message} in {placed.name}", remedy)
    for shown in texts(book.own or book):
        for at, code in _shell_of(shown):
            yield from (Problem(shown.place(at), message, remedy) for message, remedy in _faults(code))


def _shell_of(shown: WrittenText) -> Iterator[tuple[int, str]]:
    """The fenced blocks of shell in a text, each with where its first line begins."""
    if not _FENCE.search(shown.words):
        return
    lines = shown.words.split("\n")
    for token in MarkdownIt("commonmark").disable("inline").parse(shown.words):
        if token.type == "fence" and token.map and token.info.partition(" ")[0] in _SHELL:
            yield sum(len(line) + 1 for line in lines[: token.map[0] + 1]), token.content


def _commands(placed: Placed) -> Iterator[tuple[Field, str]]:
    match placed.block:
        case Check(audit=text) if text:
            yield ("audit",), text
        case Procedure(steps=steps):
            yield from ((("steps", i, "command"), step.command) for i, step in enumerate(steps) if step.command)


def _asking(text: str) -> Iterator[str]:
    """The commands of this tool that ask an environment and name none."""
    for command in re.split(r"\n|;|&&|\|", text.replace("\\\n", " ")):
        words = command.split()
        if words[:1] == ["runbook"] and words[1:2] and words[1] in _ASKING and not {"--env", "-e", "--from"} & {*words}:
            yield command.strip()


def _faults(text: str) -> Iterator[tuple[str, str]]:
    """What is wrong with a command of one or several lines, and what to write."""
    if text.lstrip()[:1] in ("{", "[") or _HEREDOC.search(text):
        return  # the body of a request, or a text that is handed to a command
    lexer = shlex.shlex(text.replace("\\\n", " "), posix=True, punctuation_chars=_BETWEEN)
    lexer.whitespace, lexer.whitespace_split = " \t\r", True
    try:
        words = list(lexer)
    except ValueError as error:
        first = text.strip().splitlines()[0]
        yield f"no shell takes this command ({str(error).lower()}): {first}", "close the quote, or escape it"
        return
    tool = ""
    for word in words:
        if set(word) <= set(_BETWEEN):
            tool = ""
        elif found := _TOOL.fullmatch(word):
            tool = found[1]
            if tool in _TOOLS_GONE:
                since, remedy = _TOOLS_GONE[tool]
                yield f"{tool} is gone {since}", remedy
        elif tool:
            yield from _option(tool, word.partition("=")[0])


def _option(tool: str, option: str) -> Iterator[tuple[str, str]]:
    if option == "--zookeeper":
        yield f"{tool} has no --zookeeper {_ZOOKEEPER_GONE.get(tool, _ZOOKEEPER_FROM_4)}", _BOOTSTRAP
    elif option == "--broker-list" and tool in _BROKER_LIST:
        yield f"{tool} has no --broker-list {_BROKER_LIST[tool]}", _BOOTSTRAP
