"""Names of generated pages and files: safe as file names whatever a system calls itself."""

import hashlib
import re

from runbook.publish.page import anchor

CHANGES_PAGE = "scorecard/changes.md"
"""The page of what changed since the week before."""

LONGEST = 150  # characters; file systems take 255 bytes


def file_name(name: str) -> str:
    """A name as that of a file, without its ending; one that is no plain word gets a digest, so that none collide."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")
    if plain == name and name.lower() != "index" and len(name) <= LONGEST:
        return name
    return f"{plain[:LONGEST] or 'x'}-{_digest(name)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def evidence_folder(environment: str) -> str:
    """The page of all that an environment was last checked with."""
    return f"evidence/{file_name(environment)}/index.md"


def evidence_page(environment: str, runbook: str) -> str:
    """The page of an environment's evidence for the checks of a runbook."""
    return f"evidence/{file_name(environment)}/{file_name(runbook)}.md"


def result_anchor(check: str, subject: str) -> str:
    """The id of a result in its page of evidence; names that are no plain words get a digest, so that none collide."""
    text = f"{check}-{subject}"
    plain = anchor(text)
    return plain if plain == text.replace("/", "-") else f"{plain}-{_digest(text)}"


def environment_page(environment: str) -> str:
    """The page of what the scorecard says of an environment."""
    return f"scorecard/environments/{file_name(environment)}.md"


def checks_page(runbook: str) -> str:
    """The page of what the scorecard says of the checks of a runbook."""
    return f"scorecard/checks/{file_name(runbook)}.md"


def badge_file(environment: str) -> str:
    """The picture of an environment's score, for pages elsewhere."""
    return f"scorecard/badges/{file_name(environment)}.svg"


def trend_file(environment: str, palette: str) -> str:
    """The picture of an environment's weeks, for a light or a dark ground."""
    return f"scorecard/trends/{file_name(environment)}-{palette}.svg"


def data_file(table: str) -> str:
    """A table of the scorecard as a file to load elsewhere."""
    return f"scorecard/data/{table}.csv"


def week_file(week: str) -> str:
    """The page of a week, at an address that stays."""
    return f"scorecard/weeks/{file_name(week)}.md"


def built(page: str) -> str:
    """The file that the site makes of a page."""
    return page.removesuffix(".md") + ".html" if page.endswith(".md") else page


def number_anchor(runbook: str) -> str:
    """The id of a runbook's number in an environment's page; `*` is the number over all runbooks."""
    return "all-runbooks" if runbook == "*" else f"runbook-{file_name(runbook)}"


def block_page(name: str) -> str:
    """The page of a block, by its name RUNBOOK/ID."""
    return f"runbooks/{name}.html"


def beside(name: str) -> str:
    """The page of a block, seen from that of another; `name` may be the bare id of one of the same runbook."""
    return f"../{name}.html" if "/" in name else f"{name}.html"


def alert_page(name: str) -> str:
    """The page of an alert: at an address that stays, and that a server shows for the folder alone."""
    return f"alerts/{file_name(name)}/index.md"
