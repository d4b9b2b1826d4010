"""Secrets that give themselves away: by the name before them, by what stands around them, or by their own form.

`password=…` and `--storepass …` go by what `runbook.safety.secret` knows of names; `https://user:…@host` and a key in
PEM by what is around them; `ghp_…` by itself.

Facts hold what others wrote, so every pattern takes time in proportion to the text, whatever it is: what may repeat is
bounded, or consumed, and no two starts look at the same characters for long. A test tries the worst of each.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from runbook.safety.secret import HIDDEN, is_secret

_QUOTE = r"\\{0,16}[\"']"  # also quoted several times over
_OPEN = rf"(?!{HIDDEN}|\\{{0,16}}[\"']?(?:(?:null|true|false)(?![\w-])|\$\{{))"  # hidden, nothing, or a reference
_BARE = r"(?![=\[{]|[\w.-]{1,128}\}|-----BEGIN|[\w.$]{0,128}LoginModule\b)"  # no list, key, class or expression
_LONGEST = 4096  # characters in quotes; a longer one ends where its line does. Our judgement
_MIXED = r"(?=[\w+/=]{0,64}[0-9])(?=[\w+/=]{0,64}[a-z])"  # digits and letters: no word of a sentence
_TO = r"\b[^\n]{0,256}?\s"  # from a program to one of its options
_FLAGS = re.IGNORECASE | re.DOTALL | re.MULTILINE
_NAME = r"(?<![\w.-])([\w.-]{1,128})"


class _Named(NamedTuple):
    """Where a name stands before a value, and what the value is; None: it ends at the quote that is group 2."""

    name: re.Pattern[str]
    value: re.Pattern[str] | None


def _named(name: str, value: str = "") -> _Named:
    return _Named(re.compile(name, _FLAGS), re.compile(_OPEN + value, _FLAGS) if value else None)


_SETTINGS: Final = (
    _named(rf"{_NAME}\\{{0,16}}[\"']?\s{{0,8}}[=:]\s{{0,8}}({_QUOTE})"),  # password = "…"
    _named(
        rf"{_NAME}\\{{0,16}}[\"']?(?:[ \t]{{0,8}}=[ \t]{{0,8}}|:)(?![\s\"'])",  # password=…
        rf"{_BARE}(?:(?:basic|bearer|token|apikey)[ \t]{{1,8}})?[^\s\"'\\,;&]+(?:,(?>[^\s\"'\\,;&=:]+)(?![=:\"']))*",
    ),
    _named(  # a line of YAML
        r"^[ \t]{0,64}[#!]?[ \t]{0,8}(?:- )?([\w.-]{1,128})[ \t]{0,8}:[ \t]{1,8}",
        rf"{_BARE}\S{{1,4096}}(?=[ \t]{{0,64}}$)",
    ),
    _named(  # a line of a properties file, whose separator may be a space
        r"^[ \t]{0,64}([\w-]{1,64}\.[\w.-]{1,128})[ \t]{1,8}", r"[^\s=:]\S{0,4096}(?=[ \t]{0,64}$)"
    ),
    _named(r"(?<![\w-])(--?[\w.-]{0,64}\w)[ \t]{1,8}", r"[^\s-]\S*"),  # --password …
    _named(r"<([\w.:-]{1,128})>", rf"[^<]{{1,{_LONGEST}}}(?=</)"),  # XML
    _named(  # <name>…</name><value>, name="…" value="…", "name": "…", "value": "…"
        r"(?<![\w.-])([\w.-]{1,128})(?:</name>\s{0,64}<value>"
        r"|\\{0,16}[\"'][\s,]{1,8}\\{0,16}[\"']?value\\{0,16}[\"']?\s{0,4}[=:]\s{0,4}\\{0,16}[\"'])",
        rf"[^<\"'\\]{{1,{_LONGEST}}}",
    ),
)
_WORDS: Final = ("pass", "pw", "pin", "pat", "secret", "credential", "token", "jaas", "user", "auth", "cookie", "key")
_WORDS_MORE: Final = ("webhook", "salt")
"""What the name of every credential holds."""


class _Shape(NamedTuple):
    """A pattern, and what a text must hold, in small letters, for it to be tried: patterns are slow over megabytes."""

    hints: tuple[str, ...]
    pattern: re.Pattern[str]


def _shape(hints: str, pattern: str) -> _Shape:
    """A shape whose first group stays, so that what follows it is hidden."""
    return _Shape(tuple(hints.split()), re.compile(pattern, _FLAGS))


_TOKENS = {
    "ghp_ gho_ ghu_ ghs_ ghr_": r"gh[pousr]_[A-Za-z0-9]{36,255}",
    "github_pat_": r"github_pat_\w{22,255}",
    "xox xapp-": r"(?:xox[a-z]-|xapp-)[\w-]{10,255}",
    "glpat- gldt- glrt- glcbt- glptt- glft-": r"gl(?:pat|dt|rt|cbt|ptt|ft)-[\w-]{20,255}",
    "k_live_ k_test_ whsec_": r"(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,255}",
    "sg.": r"SG\.[\w-]{16,64}\.[\w-]{16,128}",
    "aiza": r"AIza[\w-]{35}",
    "ya29.": r"ya29\.[\w-]{20,1024}",
    "npm_": r"npm_[A-Za-z0-9]{36}",
    "pypi-": r"pypi-AgE[\w-]{50,1024}",
    "hvs. hvb. hvr.": r"hv[sbr]\.[\w-]{24,1024}",
    "_v1_": r"do[opr]_v1_[a-f0-9]{64}",
    "dapi": r"dapi[a-f0-9]{32}",
    "dt0c01.": r"dt0c01\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}",
    "glsa_ glc_": r"gl(?:sa|c)_[A-Za-z0-9+/=_]{32,512}",
    "sk-": r"sk-(?:proj-|ant-)?[A-Za-z0-9_-]{32,255}",
    "shp": r"shp(?:at|ca|pa|ss)_[a-f0-9]{32}",
    "key-": r"key-[a-f0-9]{32}",
    ":aa": r"[0-9]{8,10}:AA[\w-]{33}",
    "hcaik_ hcbik_ hcxik_": r"hc[a-z]ik_[A-Za-z0-9]{58}",
    "nral": r"[a-z0-9]{36}NRAL",
    "nrak- nrii- nrjs-": r"NR(?:AK|II|JS)-[\w-]{19,64}",
}
"""Hints -> a credential that shows by its own form, as its provider documents it (for scanners of secrets)."""

_SHAPES: Final = (
    _shape(
        "hooks.slack.com discord webhook.office.com",
        r"((?:hooks\.slack\.com/[a-z]{1,16}|discord(?:app)?\.com/api/webhooks/\d{1,32}"
        rf"|webhook\.office\.com/[a-z0-9]{{1,16}})/){_OPEN}(?:[^\s\"'<>]+)",
    ),
    _shape("user_", rf"((?<![\w.-])user_[\w.-]{{1,128}}=({_QUOTE})){_OPEN}(?:.{{1,{_LONGEST}}}?)(?=\2)"),  # of JAAS
    _shape(  # the password is "…", IDENTIFIED BY '…'
        "pass identified",
        r"((?:\bpass(?:word|phrase|wd)(?:\s{1,4}for\s{1,4}(?:user\s{1,4})?[\w.-]{1,64})?(?:\s{1,4}(?:is|was))?"
        rf"|\bidentified\s{{1,4}}by)\s{{1,4}}({_QUOTE})){_OPEN}(?:.{{1,{_LONGEST}}}?)(?=\2)",
    ),
    _shape("pass", rf"(\bpass(?:word|phrase|wd)(?:\s{{1,4}}is)?\s{{1,4}}){_OPEN}{_MIXED}(?:[\w+/=]{{8,}})"),
    _shape("token key", rf"(\b(?:token|key)\s{{1,4}}){_OPEN}{_MIXED}(?:[\w+/=]{{24,}})"),
    _shape("cookie", rf"(\bcookie[\"']?:[ \t]{{0,8}}){_OPEN}(?:[^\r\n\"']+)"),
    _shape(
        "authorization",
        r"(\bauthorization\\{0,16}[\"']?\s{0,4}[=:]\s{0,4}\\{0,16}[\"']?(?:(?!«)[\w-]{1,32}[ \t]{1,8}(?=[^\s\"']{8}))?)"
        rf"{_OPEN}(?:[^\s\"'\\,;{{\[]{{8,}})",
    ),
    _shape(
        "x- private-token",
        rf"(\b(?:x-[\w-]{{0,40}}(?:token|key|secret)|private-token)[\"']?:[ \t]{{1,8}}){_OPEN}(?:[^\s\"',;]{{8,}})",
    ),
    _shape("bearer ssws", rf"(\b(?:bearer|ssws)\s{{1,8}}){_OPEN}(?:[\w.~+/=-]{{20,}})"),
    _shape(  # options whose letter says nothing by itself
        "curl sshpass redis-cli mysql ldap",
        rf"((?:\bcurl{_TO}(?:-u|--user)[ =]{{0,4}}[\"']?[^\s:\"']{{1,64}}:|\bsshpass{_TO}-p[ \t]{{0,4}}"
        rf"|\bredis-cli{_TO}-a[ \t]|\bmysql\w{{0,10}}{_TO}-p|\bldap\w{{1,16}}{_TO}-w[ \t])[\"']?)"
        rf"{_OPEN}(?:[^\s\"'-][^\s\"']*)",
    ),
    _shape("snmp", rf"(\bsnmp\w{{1,16}}{_TO}-A[ \t]|\s-X[ \t]){_OPEN}(?:[^\s\"'-][^\s\"']*)"),
    _shape('"auth', r"(\"auth\":\s{0,8}\")(?:[\w+/=]{12,})"),  # of Docker's config.json
    _shape("eyj", r"((?<![\w-])eyJ)(?:[\w-]{6,}\.[\w-]{6,}\.[\w-]*)"),  # a token of JSON, signed
    _shape("sig= signature= auth= code=", rf"((?:[?&](?:sig|auth|code)|\bsignature)=){_OPEN}(?:[^\s&\"'#,;]+)"),
    _shape("oracle:", rf"(\boracle:[a-z0-9]{{1,8}}:[^/@\s:\"']{{1,128}}/){_OPEN}(?:[^/@\s\"']{{1,256}})(?=@)"),
    _shape("@", rf"(://[^/@\s:\"']{{0,256}}:){_OPEN}(?:[^/@\s\"']{{1,1024}})(?=@)"),  # a login in an address
    _shape("@", r"(://)(?:[0-9a-f]{32,64})(?=@)"),  # the key in an address of Sentry
    _shape(  # a login in the name of an image, which has no scheme
        "@", rf"((?<![\w.@/:-])[\w.-]{{1,64}}:){_OPEN}(?:[^/@\s\"',]{{1,256}})(?=@[\w.-]{{1,253}}(?::[0-9]{{1,5}})?/)"
    ),
    _shape("-----begin", rf"(-----BEGIN [A-Z ]{{0,40}}PRIVATE KEY(?: BLOCK)?-----){_OPEN}(?:.*?)(?=-----END|\Z)"),
    *(_shape(hints, rf"((?<![\w-]))(?-i:{pattern})(?![\w-])") for hints, pattern in _TOKENS.items()),
)
_HINTS: Final = frozenset({*_WORDS, *_WORDS_MORE, *(hint for shape in _SHAPES for hint in shape.hints)})


def has_shape(text: str) -> bool:
    """Whether something in a text gives itself away."""
    held = _held(text)
    return next(_of_settings(text, held), None) is not None or any(one.search(text) for one in _patterns(held))


def without_shapes(text: str) -> str:
    """The text without it."""
    held = _held(text)
    if spans := sorted(_of_settings(text, held)):
        pieces, done = [], 0
        for start, end in spans:
            if start >= done:
                pieces += [text[done:start], HIDDEN]
            done = max(done, end)
        text = "".join([*pieces, text[done:]])
    for pattern in _patterns(held):
        text = pattern.sub(rf"\1{HIDDEN}", text)
    return text


def _of_settings(text: str, held: set[str]) -> Iterator[tuple[int, int]]:
    """Where the value of a setting stands whose name is that of a credential: start and end."""
    if held.isdisjoint((*_WORDS, *_WORDS_MORE)):
        return
    for named in _SETTINGS:
        for found in named.name.finditer(text):
            if _is_secret(found[1]):
                value = (named.value or _quoted(found[2])).match(text, found.end())
                if value and value[0]:
                    yield value.span()


_is_secret = cache(is_secret)


@cache
def _quoted(quote: str) -> re.Pattern[str]:
    """What ends at a quote."""
    return re.compile(rf"{_OPEN}.{{1,{_LONGEST}}}?(?={re.escape(quote)})", _FLAGS)


def _held(text: str) -> set[str]:
    lower = text.lower()
    return {hint for hint in _HINTS if hint in lower}


def _patterns(held: set[str]) -> list[re.Pattern[str]]:
    """The patterns that a text which holds these hints may match."""
    return [shape.pattern for shape in _SHAPES if not held.isdisjoint(shape.hints)] if held else []
