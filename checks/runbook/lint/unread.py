"""Files of a project that look like runbooks and that no command reads."""

from collections.abc import Iterator

from runbook.model.errors import FilePosition, Problem
from runbook.run.sources.project import find_project
from runbook.run.sources.runbooks import shown_path


def unread_runbooks() -> Iterator[Problem]:
    """Yield a problem for each of the project one is in."""
    project = find_project()
    for file, remedy in project.unread() if project else ():
        yield Problem(FilePosition(shown_path(file)), "not read, though it looks like a runbook", remedy)
