"""Every parser that reads what others wrote. A new one joins by standing in one of the four modules."""

from typing import Final

from support.fuzz import answers, files, formats, systems
from support.fuzz.executing import Target

TARGETS: Final[dict[str, Target]] = {
    target.name: target for target in (*files.TARGETS, *formats.TARGETS, *systems.TARGETS, *answers.TARGETS)
}
