"""The commands: the file's name is the command's.

A module holds `command`, a function whose docstring is its help, or `group`, a Typer application of several; and
`EXAMPLES`, which its reference page shows and a test tries.
"""
