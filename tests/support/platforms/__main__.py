"""How many checks fail on each platform that is well, by severity: a table in Markdown."""

import sys
from collections import Counter
from collections.abc import Iterator

from support.platforms import LEVELS, failing, names, platform, run_on


def table() -> Iterator[str]:
    """Its lines."""
    yield f"| platform | made by | {' | '.join(LEVELS)} | unknown | pass | causes |"
    yield f"|{'---|' * (len(LEVELS) + 5)}"
    for name in names():
        run = run_on(name)
        fails = Counter(str(result.severity) for result in failing(run))
        outcomes = Counter(str(result.outcome) for result in run.results)
        cells = [*(str(fails[level]) for level in LEVELS), str(outcomes["unknown"]), str(outcomes["pass"])]
        causes = sorted({cause_found.cause for said in run.diagnoses for cause_found in said.named})
        known = platform(name)
        yield f"| {known.what} | {known.made_by} | {' | '.join(cells)} | {', '.join(causes) or 'none'} |"


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in table())
