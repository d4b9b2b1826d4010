"""Which names an ACL is about, beside those of another one."""


def covers_names(resource: str, pattern: str, other_resource: str, other_pattern: str) -> bool:
    """Whether the names that the other ACL is about are all names of the first one, by their resources and patterns."""
    if pattern == "Prefixed":
        return other_resource.startswith(resource) and not (other_resource == "*" and resource)
    return resource == "*" or (resource == other_resource and other_pattern == "Literal")
