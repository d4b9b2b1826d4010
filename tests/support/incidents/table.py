"""The incidents and their answers as a table."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from support.incidents.incident import CLASSES, Answer, Class, Incident, class_of, wrongs

HEAD = ("incident", "then", "now", "s", "lines", "said first", "cause")
_LONGEST = 150


def table(incidents: Sequence[Incident], answers: Mapping[str, Answer]) -> Iterator[str]:
    """A line for each incident that was played, the sums, and what is left to say of some."""
    played = [(incident, answers[incident.name]) for incident in incidents if incident.name in answers]
    yield row(HEAD)
    yield row(["---"] * len(HEAD))
    for incident, answer in played:
        yield row(_cells(incident, answer))
    yield ""
    yield from sums((incident.before, class_of(incident, answer)) for incident, answer in played)
    yield ""
    for incident, answer in played:
        wrong = wrongs(incident, answer)
        if wrong or (incident.why and class_of(incident, answer) != "named"):
            yield f"- {incident.name}: {'; '.join([*wrong, *filter(None, [incident.why])])}"
    for incident in incidents:
        if incident.name not in answers:
            yield f"- {incident.name}: not played"


def sums(classes: Iterable[tuple[Class, Class]]) -> Iterator[str]:
    """How many are in each class, then and now."""
    listed = list(classes)
    then, now = (Counter(pair[place] for pair in listed) for place in (0, 1))
    yield row(("class", "then", "now"))
    yield row(["---"] * 3)
    for kind, what in CLASSES.items():
        yield row((f"{kind}: {what}", str(then[kind]), str(now[kind])))
    yield row(("all", str(len(listed)), str(len(listed))))


def row(cells: Iterable[str]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


def _cells(incident: Incident, answer: Answer) -> Iterator[str]:
    yield incident.name
    yield incident.before
    yield class_of(incident, answer)
    yield f"{answer.seconds:.1f}"
    yield str(len(answer.lines))
    yield _short(answer.lines[:3])
    yield ", ".join(dict.fromkeys(answer.causes))


def _short(lines: Sequence[str]) -> str:
    text = " ".join(" ".join(lines).split()).replace("|", "/")
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
