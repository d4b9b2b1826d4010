"""What tests of the command line share: commands run in this process, in a folder of their own."""

from support.commands_here import command, here, knowledge
from support.hang_ups import hang_ups_end
from support.own_runbook import cases, first

__all__ = ["cases", "command", "first", "hang_ups_end", "here", "knowledge"]
