"""The grammar of JAAS: why Java refuses a file of logins, and Kafka a login in `sasl.jaas.config`.

Both read words as java.io.StreamTokenizer gives them: a bare number is no word, `'` quotes for Kafka alone, `/` begins
a comment to the end of its line. Compared with both parsers (`tests/live/test_files_as_read.py`, Java 17, Kafka 4.3).
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

_FLAGS: Final = {"REQUIRED", "REQUISITE", "SUFFICIENT", "OPTIONAL"}
_NUMBER: Final = re.compile(r"-?(?=[0-9.])[0-9]*\.?[0-9]*")
_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\r\n]*|/(?:.[^\r\n]*)?", re.DOTALL)
_QUOTED: Final = re.compile(r"(['\"])((?:\\.|(?!\1)[^\\\r\n])*)(?:\1|(?=[\r\n])|\Z|\\\Z)", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_END: Final = "end of file"
_MORE_OF_JAVA, _MORE_OF_KAFKA = "$_*", "$_"  # characters of words beside letters, digits, dots and hyphens


class _Token(NamedTuple):
    """A token: what it is ("word", a quote, a sign, "number" or _END), its text if it has one, and its line."""

    kind: str
    text: str | None
    line: int


class JaasError(Exception):
    """It is refused; the message says why, in the words of its parser."""


def inline_mistake(text: str) -> str:
    """Why Kafka refuses the value of `sasl.jaas.config`; empty if it takes it (JaasConfig, JaasContext.load)."""
    tokens = _tokens(text, _MORE_OF_KAFKA)
    modules = 0
    try:
        while next(tokens).kind != _END:
            _entry(tokens)
            modules += 1
    except JaasError as error:
        return str(error)
    if not modules:
        return "Login module not specified in JAAS config"
    return "" if modules == 1 else f"JAAS config property contains {modules} login modules, should be 1 module"


def _entry(tokens: Iterator[_Token]) -> None:
    """The rest of an entry behind its login module (JaasConfig.parseAppConfigurationEntry)."""
    flag = next(tokens)
    if flag.kind == _END:
        raise JaasError("Login module control flag not specified in JAAS config")
    if flag.text is None:
        raise JaasError("Login module control flag is not available in the JAAS config")
    if flag.text.upper() not in _FLAGS:
        raise JaasError("Invalid login module control flag in JAAS config")
    key = next(tokens)
    while key.kind not in (_END, ";"):
        if next(tokens).kind != "=" or next(tokens).text is None:
            raise JaasError(
                "Value not specified for a key in JAAS config: each option is key=value, a number in quotes"
            )
        key = next(tokens)
    if key.kind == _END:
        raise JaasError("JAAS config entry not terminated by semi-colon")


def file_mistake(text: str, wanted: Sequence[str] = ()) -> str:
    """Why Java refuses a file of logins, or Kafka finds none of the wanted sections in it; empty if all is well.

    Args:
        text: the whole file: a mistake anywhere breaks all of it.
        wanted: names of sections, of which one is enough, as `sasl_ssl.KafkaServer` or KafkaServer; none: any will do.
    """
    try:
        found = _Sections(text).names()
    except JaasError as error:
        return f"Configuration Error: {error}"
    if not wanted or any(name in found for name in wanted):
        return ""
    return f"Could not find a {' or '.join(repr(name) for name in wanted)} entry in the JAAS configuration"


class _Sections:
    """A file as sun.security.provider.ConfigFile reads it, one token ahead."""

    def __init__(self, text: str) -> None:
        """Begin at its first token."""
        self._tokens = _tokens(text, _MORE_OF_JAVA)
        self._ahead = next(self._tokens)

    def names(self) -> set[str | None]:
        found: set[str | None] = set()
        while self._ahead.kind != _END:
            name = self._take().text
            self._sign("{")
            while self._ahead.kind != "}":
                self._module()
            self._sign("}")
            self._sign(";")
            if name in found:
                raise JaasError(f"Can not specify multiple entries for {name}")
            found.add(name)
        return found

    def _module(self) -> None:
        self._word("module class name")
        flag = self._word("controlFlag").upper()
        if flag not in _FLAGS:
            raise JaasError("Invalid control flag")
        while self._ahead.kind != ";":
            self._word("option key")
            self._sign("=")
            self._word("option value")
        self._take()

    def _take(self) -> _Token:
        taken = self._ahead
        self._ahead = next(self._tokens) if taken.kind != _END else taken
        return taken

    def _word(self, meaning: str) -> str:
        if self._ahead.kind not in ("word", '"'):
            self._refuse(meaning)
        return self._take().text or ""

    def _sign(self, sign: str) -> None:
        if self._ahead.kind != sign:
            self._refuse(sign)
        self._take()

    def _refuse(self, expected: str) -> None:
        at = f"Line {self._ahead.line}: " if self._ahead.kind != _END else ""
        read = "" if self._ahead.kind != _END else f", read [{_END}]"
        raise JaasError(f"{at}expected [{expected}]{read}")


def _tokens(text: str, more: str) -> Iterator[_Token]:
    """The tokens of a text, and then its end without an end, as java.io.StreamTokenizer gives them."""
    word = re.compile(rf"[A-Za-z{re.escape(more)}\u00a0-\U0010ffff][A-Za-z0-9.{re.escape(more)}\u00a0-\U0010ffff-]*")
    at, line, counted = 0, 1, 0
    while at < len(text):
        line, counted = line + text.count("\n", counted, at), at
        sign = text[at]
        if sign <= " ":
            at += 1
        elif found := _COMMENT.match(text, at):
            at = found.end()
        elif found := _NUMBER.match(text, at):
            at = found.end()
            yield _Token("number", None, line)
        elif found := word.match(text, at):
            at = found.end()
            yield _Token("word", found[0], line)
        elif sign in "'\"" and (found := _QUOTED.match(text, at)):
            at = found.end()
            yield _Token(sign, _ESCAPE.sub(r"\1", found[2]), line)
        else:
            at += 1
            yield _Token(sign, None, line)
    while True:
        yield _Token(_END, None, text.count("\n") + 1)
