"""What scenes of security share: a guarded lab and hosts, clients, rights and a broker of it, right and wrong.

What is wrong is real: listeners, certificates, classes, ACLs, users, quotas and files.
"""

from typing import Final

SECRET: Final = "hunter22-made-up"
"""Stands wherever a state has a credential where none belongs; no output may hold it."""
