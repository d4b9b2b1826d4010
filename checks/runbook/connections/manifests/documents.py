"""Documents that can't be read: what they seem to declare, so that they cost no other resource its verdict."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from runbook.answers.manifests import UnreadManifest
from runbook.formats.statements import PARTS
from runbook.formats.terraform_plan import SMALLER, begins_as_plan
from runbook.formats.unread_declarations import is_template, of_template
from runbook.model.errors import FilePosition, Invalid
from runbook.parse.yaml_document import Document, read_yaml

_BREAK: Final = re.compile(r"^(?:---(?=[ \t\r]|$)|\.\.\.[ \t\r]*$)", re.MULTILINE)
"""Where one document ends: YAML allows these at the beginning of a line nowhere else."""
_WORD: Final = r"[ \t]{0,9}[\"']?([\w./-]{1,253})[\"']?[ \t\r]{0,9}(?:[,}#]|$)"
_SAID: Final = {
    "api": re.compile(rf"^apiVersion:{_WORD}"),
    "kind": re.compile(rf"^kind:{_WORD}"),
    "name": re.compile(rf"^metadata:.{{0,99}}?\bname:{_WORD}"),
    "cluster": re.compile(rf"^metadata:.{{0,99}}?\bstrimzi\.io/cluster:{_WORD}"),
}
"""What a line says, with the key at the left edge that it stands under before it."""
_KAFKA: Final = re.compile(r"kafka|strimzi|msk|redpanda|confluent|jikkou|aiven|terraform|tofu", re.IGNORECASE)
"""Some of this stands in everything that declares Kafka; in a plan also before its resources."""
_SAYS_KIND: Final = re.compile(r"\bkind\b[\"']?[ \t]*:")
_CONTROL: Final = re.compile(
    r"\{\{-?+\s*+(?:/\*.*?\*/|(?:[#/^!]|(?:if|else|end|with|range|define|block)\b|\$\w+\s*:?=)[^}]*)\s*-?\}\}",
    re.DOTALL,
)
"""Actions of a template that print nothing: control, comments and variables."""
_FILLED: Final = re.compile(r"^[ \t]*(?:-[ \t]+)?(?:\{\{|\{%-?\s*(?:include|extends|call)\b)", re.MULTILINE)
"""A line of a template that may print a whole resource, as it is not the value of a key."""
_LONGEST: Final = 500  # characters of a line that are looked at


def documents(whole: str, file: str) -> Iterator[Document | UnreadManifest]:
    """The YAML documents of a file, lines counted in the file."""
    start, line = 0, 1
    for mark in [*_BREAK.finditer(whole), None]:
        body = whole[start : mark.start() if mark else len(whole)]
        try:
            yield read_yaml(body, file, line=line, aliases=True)
        except Invalid as invalid:
            yield from _unread(invalid, body)
        if mark:
            line += whole.count("\n", start, mark.end())
            start = mark.end()


def never_kafka(body: str) -> bool:
    """Whether a text declares nothing of Kafka for certain, though it can't be read: it has none of its words."""
    printed = _CONTROL.sub("", body)
    return not (_KAFKA.search(printed) or _SAYS_KIND.search(printed) or _FILLED.search(printed))


def _unread(invalid: Invalid, body: str) -> Iterator[UnreadManifest]:
    if never_kafka(body):
        return
    problem = invalid.problems[0]
    if is_template(body):  # its tags are not those of YAML
        found = of_template(body)
        if found:
            yield UnreadManifest(problem.place, not_read(found[0]), parts=found[1])
        return
    why = f"{problem.message}: {problem.remedy or 'kubectl would refuse it too'}"
    template = False
    if "{{" in body or "{%" in body:
        why = "it holds a template that was not rendered: render it first, as by helm template or jikkou prepare"
        template = True
    elif problem.remedy.startswith("nothing is put in for"):
        why = "it has variables such as ${NAME}: put them in first, as envsubst or Flux does"
    elif problem.message.startswith("tags such as"):  # the tag may be a password
        why = "a value begins with !, which makes a tag of it: put it in quotes"
    yield replace(_of(problem.place, why, body), template=template)


def too_large(file: str, size: int, most: int, head: bytes) -> UnreadManifest:
    """A file of more bytes than are read; a plan of Terraform, known by its first bytes, hides nothing of Strimzi's."""
    says = f"it has {size:,} bytes, more than the {most:,} that are read"
    if begins_as_plan(head):
        return UnreadManifest(FilePosition(file), f"{says}: {SMALLER}", parts=PARTS)
    return UnreadManifest(FilePosition(file), f"{says}: split it, or leave it out by --exclude")


def undecoded(held: bytes, file: str, why: str) -> Iterator[UnreadManifest]:
    """What the documents of a file may declare that is no text in UTF-8: the words that count are ASCII."""
    text = held.replace(b"\0", b"").decode("latin-1")
    bodies = [body for body in _BREAK.split(text) if not never_kafka(body)]
    yield from (_of(FilePosition(file), why, body) for body in (bodies if held else [""]))


def _of(place: FilePosition, why: str, body: str) -> UnreadManifest:
    said = _said(body)
    return UnreadManifest(
        place, why, said.get("api", ""), said.get("kind", ""), said.get("name", ""), said.get("cluster", "")
    )


def not_read(what: str) -> str:
    """Why what a document declares is not judged."""
    return f"{what} declares Kafka in a way that is not read here: nothing of it is judged"


def _said(body: str) -> dict[str, str]:
    """What the lines of a document say of what it declares; nothing of what several lines say differently."""
    found: dict[str, set[str]] = {}
    under = ""
    for line in body.split("\n"):
        inside = line[:1] in (" ", "\t")
        under = under if inside else line.partition(":")[0]
        text = f"{under}:{line[:_LONGEST]}" if inside else line[:_LONGEST]
        for what, pattern in _SAID.items():
            if match := pattern.match(text):
                found.setdefault(what, set()).add(match[1])
    return {what: words.pop() for what, words in found.items() if len(words) == 1}
