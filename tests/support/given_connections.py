"""An environment of a lab that is given connections which the lab says are absent, or not observed."""

from typing import Any


def give(environment: dict[str, Any], **connections: Any) -> None:
    """Give connections, and take away what is said of there being none, or of nobody looking."""
    environment |= connections
    for word in ("absent", "unobserved"):
        if word in environment:
            environment[word] = {name: said for name, said in environment[word].items() if name not in connections}
