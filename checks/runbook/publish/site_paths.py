"""Names of generated pages: safe as file names whatever a system calls itself."""

import hashlib
import re


def evidence_page(environment: str) -> str:
    """The page of an environment's evidence; names that are no plain words get a digest, so that none collide."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", environment).strip("-")
    if plain == environment and environment.lower() != "index":
        return f"evidence/{environment}.md"
    return f"evidence/{plain or 'x'}-{hashlib.sha256(environment.encode()).hexdigest()[:8]}.md"
