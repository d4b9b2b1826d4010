"""Logins as a JAAS file or the setting `sasl.jaas.config` names them, out of the pieces that a host tells of them.

A piece is a line: the name of a section with its brace, a login module with or without its flag, an option with its
value where that is no credential, the bare name of any other option, and the marks that end a section or begin and end
a comment. What a comment holds counts for nothing.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct, field

_SETTING = re.compile(r"([A-Za-z0-9_.-]*sasl\.jaas\.config)\s*[=:]")
_MODULE = re.compile(r"([\w$.]+?)\s+(?:required|requisite|sufficient|optional)|([\w$.]+LoginModule)")
_OPTION = re.compile(r'([A-Za-z]+)\s*=\s*"?(.*?)"?')
_KNOWN = re.compile(r"([\w-]+\.)?(KafkaServer|KafkaClient|Client|Server|QuorumServer|QuorumLearner)")
_OPENS, _CLOSES = "/*", "*/"


class LoginModule(Struct):
    """One login module of one section.

    Attributes:
        section: name of the section, or of the setting.
        module: class of the login module.
        options: names of all its options.
        values: option -> value, of options that hold no credential.
        closed: whether its section ends with `};`, without which Java refuses the file; a setting needs no such end.
    """

    section: str
    module: str
    options: list[str] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)
    closed: bool = False

    @property
    def users(self) -> list[str]:
        """Users whose passwords its options are: `user_NAME`, as PLAIN and ZooKeeper's digest have them."""
        return [option.removeprefix("user_") for option in self.options if option.startswith("user_")]


def read_logins(pieces: Sequence[str]) -> list[LoginModule]:
    """Put the pieces together."""
    section, found, opened = "", list[LoginModule](), list[LoginModule]()
    for piece in _outside_comments(pieces):
        if piece[0] in "};":  # the semicolon after a brace may stand on another line
            if piece[0] == "}":
                section = ""
            if piece[-1] == ";" and not section:
                opened = _closed(opened)
        elif setting := _SETTING.fullmatch(piece):
            section = setting[1]
        elif piece.endswith("{"):
            section, opened = piece[:-1].strip(), []
        elif module := _MODULE.fullmatch(piece):
            closed = _SETTING.fullmatch(f"{section}=") is not None
            found.append(LoginModule(section=section, module=module[1] or module[2], closed=closed))
            opened.append(found[-1])
        elif _KNOWN.fullmatch(piece):
            section, opened = piece, []  # its brace is on the next line
        elif found and found[-1].section == section and section:
            _add_option(found[-1], piece)
        else:
            section = piece  # likewise
    return found


def _closed(logins: Sequence[LoginModule]) -> list[LoginModule]:
    for login in logins:
        login.closed = True
    return []


def _outside_comments(pieces: Sequence[str]) -> Iterator[str]:
    commented = False
    for piece in filter(None, map(str.strip, pieces)):
        if piece in (_OPENS, _CLOSES):
            commented = piece == _OPENS
        elif not commented:
            yield piece


def _add_option(login: LoginModule, piece: str) -> None:
    option = _OPTION.fullmatch(piece)
    if option:
        login.values[option[1]] = option[2]
    login.options.append(option[1] if option else piece)
