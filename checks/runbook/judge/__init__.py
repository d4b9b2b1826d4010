"""Judge checks over facts: compiled once, pure, the same live and from a bundle."""
