"""What a file may say of a connection: an inventory names hosts and settings, and never code.

One file for each kind of connection that needs it, found by its name, with any of: `refused(settings)`, what nobody may
set, wherever it is written; `consents(settings)`, what only the person who runs this can allow; `remarks(settings)`,
what is taken, and is weaker than it could be. `runbook.parse.allowed` asks them.
"""
