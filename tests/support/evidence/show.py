"""Print the questions and answers of a recording: `python -m support.evidence.show shape/scene/state [PART]`."""

import sys
from typing import Any, Final

from support.evidence import record

_MOST: Final = 400
"""Characters of an answer that are shown."""


def main(arguments: list[str]) -> int:
    """Print what was asked of each connection, and what came; with a part of a question's name, only those."""
    if not arguments or arguments[0].count("/") != 2:
        print(__doc__)
        return 2
    shape, scene, state = arguments[0].split("/")
    wanted = arguments[1] if len(arguments) > 1 else ""
    evidence = record.read(record.place_of(shape, scene, state))
    for recording in evidence.recordings:
        header = recording.header
        print(f"\n{header.environment} · {header.connection} · {len(recording.kept)} questions")
        for kept in recording.kept:
            if wanted in kept.name:
                print(f"  {kept.name} {_short(kept.arguments)}\n    -> {_short(kept.failure or kept.answer)}")
    return 0


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _MOST else f"{text[:_MOST]}... ({len(text)} characters)"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
