"""Secrets that give themselves away by what stands around them: `password=…`, `https://user:…@host`, a key in PEM.

Facts hold what others wrote, so every pattern takes time in proportion to the text, whatever it is: what may repeat is
bounded, or consumed, and no two starts look at the same characters for long. A test tries the worst of each.
"""

import re
from typing import Final

from runbook.safety.secret import HIDDEN

_NAME = (
    r"(?:password|passwd|passphrase|user\.info|(?<![a-z0-9])pwd?"
    r"|(?:client|access|api|secret|private|shared)[._-]?(?:secret|key)|(?<![a-z])token)"
)
_QUOTE = r"\\{0,16}[\"']"  # also quoted several times over
_OPEN = rf"(?!{HIDDEN}|\\{{0,16}}[\"']?(?:null\b|\$\{{))"  # not what is hidden already, nothing, or itself a reference
_LONGEST = 2048  # characters in quotes; a longer one ends where its line does. Our judgement

_SHAPES: Final = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL | re.MULTILINE)
    for pattern in (
        rf"({_NAME}\\{{0,16}}[\"']?\s{{0,8}}[=:]\s{{0,8}}({_QUOTE})){_OPEN}(?:.{{1,{_LONGEST}}}?)(?=\2)",  # p = "…"
        rf"((?<![\w.-])user_[\w.-]{{1,128}}=({_QUOTE})){_OPEN}(?:.{{1,{_LONGEST}}}?)(?=\2)",  # user_alice="…" of JAAS
        rf"({_NAME}(?:[ \t]{{0,8}}=[ \t]{{0,8}}|:)){_OPEN}(?:[^\s\"'\\,;&]+)",  # password=…
        (
            rf"(^[ \t]{{0,64}}[#!]?[ \t]{{0,8}}[\w.-]{{0,128}}{_NAME}[ \t]{{0,8}}:[ \t]{{1,8}}){_OPEN}"
            r"(?:\S{1,4096})(?=[ \t]{0,64}$)"
        ),  # a line of YAML
        (
            rf"(^[ \t]{{0,64}}[\w-]{{1,64}}\.[\w.-]{{0,64}}{_NAME}[ \t]{{1,8}}){_OPEN}"
            r"(?:[^\s=:]\S{0,4096})(?=[ \t]{0,64}$)"
        ),  # a line of a properties file, whose separator may be a space
        rf"((?<![\w-])--?[\w.-]{{0,40}}{_NAME}[ \t]{{1,8}}){_OPEN}(?:[^\s-]\S*)",  # --password …
        rf"(\bauthorization\W{{1,6}}(?:basic|bearer)\s{{1,8}}){_OPEN}(?:[\w.~+/=-]{{8,}})",
        r"((?<![\w-])eyJ)(?:[\w-]{6,}\.[\w-]{6,}\.[\w-]*)",  # a token of JSON, signed
        rf"([?&](?:sig|signature|auth|code)=){_OPEN}(?:[^\s&\"'#,;]+)",  # of an address
        rf"(://[^/@\s:\"']{{0,256}}:){_OPEN}(?:[^/@\s\"']{{1,1024}})(?=@)",  # a login in an address
        # the same in the name of an image, which has no scheme
        rf"((?<![\w.@/:-])[\w.-]{{1,64}}:){_OPEN}(?:[^/@\s\"',]{{1,256}})(?=@[\w.-]{{1,253}}(?::[0-9]{{1,5}})?/)",
        rf"(-----BEGIN [A-Z ]{{0,40}}PRIVATE KEY-----){_OPEN}(?:.*?)(?=-----END|\Z)",
    )
)
_HINTS: Final = (
    *("passw", "passphr", "secret", "key=", "key:", "key-----", "authorization", "user_", "user.info", "token", "eyj"),
    *(
        "sig=",
        "signature=",
        "auth=",
        "code=",
        "pw:",
        "pw=",
        "pwd",
        "pw ",
        'pw"',
        "pw'",
        "pw\\",
        "pw\t",
        "_key",
        "-key",
        ".key",
    ),
    "@",
)


def has_shape(text: str) -> bool:
    """Whether something in a text gives itself away."""
    # Patterns read megabytes of facts slowly; nearly all facts hold none of these words.
    return _hinted(text) and any(shape.search(text) for shape in _SHAPES)


def without_shapes(text: str) -> str:
    """The text without it."""
    if _hinted(text):
        for shape in _SHAPES:
            text = shape.sub(rf"\1{HIDDEN}", text)
    return text


def _hinted(text: str) -> bool:
    lower = text.lower()
    return any(hint in lower for hint in _HINTS)
