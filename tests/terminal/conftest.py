"""What tests of this room share with those of the command line: a folder of their own."""

from support.commands_here import command, here, knowledge
from support.hang_ups import hang_ups_end

__all__ = ["command", "hang_ups_end", "here", "knowledge"]
