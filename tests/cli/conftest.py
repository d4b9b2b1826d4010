"""What tests of the command line share: commands run in this process, in a folder of their own."""

from support.commands_here import command, here, knowledge
from support.own_runbook import cases, first

__all__ = ["cases", "command", "first", "here", "knowledge"]
