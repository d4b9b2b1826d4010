"""Which checks of security.md no real system of ours is seen to pass or to fail, and why."""

NEVER_PASS = {
    "data-is-encrypted-on-disk": "dm-crypt needs a device mapper, which the kernel of a test's machine need not have",
}
NEVER_FAIL = {
    # as the scenes anonymous-allowed and wildcard-super-user of the shape secure show
    "what-no-acl-names-is-refused": "where the setting is set, Kafka hides to what: it is unknown then",
    "super-users-are-those-declared": "where the setting is set, Kafka hides to what: it is unknown then",
}
