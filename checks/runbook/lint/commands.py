"""What can be said against the commands that a runbook shows without running them: that they can't run."""

import re
import shlex
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from runbook.lint.texts import WrittenText, texts
from runbook.model.block import Check, Procedure
from runbook.model.errors import Problem
from runbook.parse.runbook import LocatedBlock, Runbook
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
_ACTED_BY: Final = ("first", "remedy", "look", "avoid", "do", "stop", "undo")
"""Fields that somebody acts by; commands in them are pasted as they stand."""
_ASKS: Final = (
    *("acls", "broker-api-versions", "client-metrics", "cluster", "configs", "console-consumer", "console-producer"),
    *("console-share-consumer", "consumer-groups", "consumer-perf-test", "delegation-tokens", "delete-records"),
    *("features", "get-offsets", "groups", "leader-election", "log-dirs", "metadata-quorum", "reassign-partitions"),
    *("share-consumer-perf-test", "share-groups", "streams-groups", "topics", "transactions"),
)
"""Kafka's tools that end with an error where no server is named: each was run so, of Kafka 4.3."""
_SERVER: Final = "--bootstrap"  # -server or -controller; the tools take an option also by the first part of its name
# Of the groups' tool and of features these ask nobody, as of Kafka 4.3; before 4.0 an authorizer was reached by itself.
_ASKS_NOBODY: Final = {
    *("--help", "--version", "--validate-regex", "--authorizer-properties", "version-mapping", "feature-dependencies"),
}
_ACTIONS: Final = (
    *("list", "describe", "describe-producers", "abort", "find-hanging", "cluster-id", "unregister", "list-endpoints"),
    *("upgrade", "downgrade", "disable", "version-mapping", "feature-dependencies", "add-controller"),
    "remove-controller",
)
"""What stands between a tool and its options, where the tool takes it; any other word there makes a sentence of it."""
_NAMED: Final = rf"(?P<tool>kafka-(?:{'|'.join(_ASKS)}))(?:\.sh|\.bat)?"
_ASKING_TOOL: Final = re.compile(rf"(?:.*/)?{_NAMED}")
_IN_WORDS: Final = re.compile(rf"(?<![\w-]){_NAMED}(?=(?:\s+(?:{'|'.join(_ACTIONS)}))?\s+--[a-z])")
_ENDS: Final = re.compile(rf"[.:;?!](?:\s|$)|(?<![\w-]){_NAMED}(?!\S)")
_CODE: Final = re.compile(r"(?<!`)(?P<mark>`+)(?!`)(?P<code>.+?)(?<!`)(?P=mark)(?!`)", re.DOTALL)
_FILLED_IN: Final = re.compile(r"\{[^{}]*\}")
_WHOLE: Final = "--bootstrap-server HOST:PORT; or, where the option alone is meant: `{}` of {}"


def unrunnable_commands(book: Runbook) -> Iterator[Problem]:
    """Yield a problem for each command with a quote that is never closed, or that Kafka's tools do not take.

    That is in audits, in steps, and in blocks of shell in prose, remedies and the like. And for steps with commands of
    this tool that name no environment: where an inventory has several, they ask back. In what somebody acts by, also
    for each command of Kafka's tools that names no server.
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
        if shown.field in _ACTED_BY and "kafka-" in shown.words:
            for at, message, remedy in _serverless(shown.words):
                yield Problem(shown.place(at), message, remedy)


def _shell_of(shown: WrittenText) -> Iterator[tuple[int, str]]:
    """The fenced blocks of shell in a text, each with where its first line begins."""
    if not _FENCE.search(shown.words):
        return
    lines = shown.words.split("\n")
    for token in MarkdownIt("commonmark").disable("inline").parse(shown.words):
        if token.type == "fence" and token.map and token.info.partition(" ")[0] in _SHELL:
            yield sum(len(line) + 1 for line in lines[: token.map[0] + 1]), token.content


def _commands(placed: LocatedBlock) -> Iterator[tuple[Field, str]]:
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


def holds_a_body(text: str) -> bool:
    """Whether a command is the body of a request, or hands a text to another: then its words are no shell's."""
    return text.lstrip()[:1] in ("{", "[") or _HEREDOC.search(text) is not None


def _words_of(command: str, remarks: str = "#") -> list[str]:
    """The words of a command, with what stands between two of them.

    Raises:
        ValueError: a quote is never closed.
    """
    lexer = shlex.shlex(command, posix=True, punctuation_chars=_BETWEEN)
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, remarks
    return list(lexer)


def _faults(text: str) -> Iterator[tuple[str, str]]:
    """What is wrong with a command of one or several lines, and what to write."""
    if holds_a_body(text):
        return
    try:
        words = _words_of(text.replace("\\\n", " "))
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


def _serverless(words: str) -> Iterator[tuple[int, str, str]]:
    """Where a text has a command of Kafka's tools that names no server, what is wrong with it, and what to write."""
    begins = [0, *accumulate(len(line) + 1 for line in words.split("\n"))]
    for token in MarkdownIt("commonmark").disable("inline").parse(words):
        if token.map and token.type == "inline":
            first, last = token.map
            yield from _in_paragraph(words[begins[first] : begins[last]], begins[first])
        elif token.map and _is_shell(token):
            line = token.map[0] + (token.type == "fence")
            for command in re.split(r"(?<!\\)\n", token.content):
                if not command.lstrip().startswith("#"):
                    yield from ((begins[line], *told) for told in _in_code(command.replace("\\\n", " ")))
                line += command.count("\n") + 1


def _is_shell(token: Token) -> bool:
    """Whether this is a block of commands that are carried out, and not handed on as a text."""
    shell = token.type == "code_block" or (token.type == "fence" and token.info.partition(" ")[0] in _SHELL)
    return shell and not _HEREDOC.search(token.content)


def _in_paragraph(words: str, begins: int) -> Iterator[tuple[int, str, str]]:
    at = 0
    for code in _CODE.finditer(words):
        yield from _in_words(words[at : code.start()], begins + at)
        yield from ((begins + code.start("code"), *told) for told in _in_code(code["code"].replace("\n", " ")))
        at = code.end()
    yield from _in_words(words[at:], begins + at)


def _in_words(words: str, begins: int) -> Iterator[tuple[int, str, str]]:
    """Commands in a sentence: they are wrapped with it, so that nobody can paste them."""
    for found in _IN_WORDS.finditer(words):
        ends = _ENDS.search(words, found.end())
        sentence = words[found.end() : ends.start() if ends else None]
        if option := _unasked(found["tool"], re.findall(r"[^\s,()]+", sentence)):
            message = f'"{found[0]} {option}" names no server, and stands among words, where it is wrapped'
            yield begins + found.start(), message, f"write it as code, whole, with {_WHOLE.format(option, found[0])}"


def _in_code(code: str) -> Iterator[tuple[str, str]]:
    try:
        words = _words_of(_FILLED_IN.sub("VALUE", code), remarks="")
    except ValueError:
        return  # a quote that is never closed is told of commands; in code among words it may be a word's own
    tool, given = None, list[str]()
    for word in [*words, ";"]:
        if set(word) <= set(_BETWEEN):
            if tool and (option := _unasked(tool[1], given)):
                yield f'"{tool[0]} {option}" names no server', f"write it whole, with {_WHOLE.format(option, tool[0])}"
            tool, given = None, []
        elif tool:
            given.append(word)
        else:
            tool = _ASKING_TOOL.fullmatch(word)


def _unasked(tool: str, words: Sequence[str]) -> str:
    """The first option of a command that names no server and needs one; "" if it has none, or may name one.

    A variable of the shell may hold the server. One that is named in a way that is gone is told as that, of commands.
    """
    options = [word.partition("=")[0] for word in words if re.match("--[a-z]", word)]
    named = (
        any(option.startswith(_SERVER) for option in options)
        or any(word.startswith("$") for word in words)
        or any([*_option(tool, option)] for option in options)
    )
    return "" if named or not options or _ASKS_NOBODY & {*options, *words} else options[0]
