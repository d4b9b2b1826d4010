"""Which checks of security.md no real system of ours is seen to pass or to fail, and why."""

_WALKED = "a walk sees it, not a state that is kept: tests/live/secure leaves out the step, and does it"
_IN_FILES = "it is of files in a repository, not of a system; tests/cli/test_lint_clients.py sees it"
_BY_NAME = "no quota of a lab is for one user or client; tests/benchmarks/incidents.py sets one"
_BY_TEXT = "only a line of a log asks it: seen on a real cluster, tests/records/played/second-4.md, 12"
_BY_ADDRESS = "no quota of a lab is for an address; seen by hand on a real cluster, whose clients timed out"
_OF_EVERYONE = "no Deny of a lab is for every user; seen by hand on a real cluster, where it shut a user out"
NEVER_PASS = {
    "no-deny-for-everyone-overrides-an-allow": _OF_EVERYONE,
    "address-quotas-let-clients-connect": _BY_ADDRESS,
    "the-denied-principal-has-acls": _BY_TEXT,
    "repositories-hold-no-client-passwords": _IN_FILES,
    "no-deny-shuts-it-out": _WALKED,
    "quotas-by-name-let-clients-work": _BY_NAME,
    "data-is-encrypted-on-disk": "dm-crypt needs a device mapper, which the kernel of a test's machine need not have",
}
NEVER_FAIL = {
    "no-deny-for-everyone-overrides-an-allow": _OF_EVERYONE,
    "address-quotas-let-clients-connect": _BY_ADDRESS,
    "the-denied-principal-has-acls": _BY_TEXT,
    "stars-in-acls-are-meant": "seen to fail on a real cluster, tests/records/played/second-3.md, 11",
    "users-have-a-password-that-opens": "seen to fail on a real cluster, tests/records/played/second-3.md, 12",
    "repositories-hold-no-client-passwords": _IN_FILES,
    "an-authorizer-decides-on-every-broker": "no kept state lacks one; tests/live/plain/test_authorizer.py sees it",
    "clients-can-come-encrypted": _WALKED,
    "default-quotas-let-clients-work": "no fault of a lab sets such a quota yet; tests/benchmarks/incidents.py does",
    "no-deny-shuts-it-out": _WALKED,
    "quotas-by-name-let-clients-work": _BY_NAME,
    # as the scenes anonymous-allowed and wildcard-super-user of the shape secure show
    "resources-without-an-acl-are-closed": "where the setting is set, Kafka hides to what: it is unknown then",
    "super-users-are-those-declared": "where the setting is set, Kafka hides to what: it is unknown then",
}
