"""The files of dedicated MirrorMakers, read."""

from typing import TYPE_CHECKING

from runbook.formats.mirror_maker import Dedicated, read_dedicated
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap
from runbook.plugins.guard import attempt

if TYPE_CHECKING:
    from runbook.connections.files import Files


def described_in(files: "Files") -> tuple[list[tuple[str, Dedicated]], list[Gap]]:
    """What each file describes, by its path; one that can't be read or understood is a gap."""
    described, gaps = files.mirror_maker()
    found: list[tuple[str, Dedicated]] = []
    for file in described:
        made = attempt(lambda file=file: read_dedicated(file.text, file.path))  # type: ignore[misc]
        if isinstance(made, CannotLook):
            gaps.append(Gap.of(made))
        else:
            found.append((file.path, made))
    return found, gaps
