"""Releases as numbers: 4.10 comes after 4.9."""


def numbers(release: str) -> tuple[int, ...]:
    """A release, such as 4.3.0, as something that can be compared with others."""
    return tuple(int(part) for part in release.split("."))
