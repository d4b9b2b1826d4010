"""The checks of consumers.md that no live system shows to pass, or to fail; stored facts do. Check → why."""

from typing import Final

_OF_WALKS: Final = dict.fromkeys(
    (
        "nothing-is-written-to-the-topic",
        "the-group-has-members",
        "the-group-has-read-all",
        "the-group-is-empty",
        "the-group-keeps-up",
        "the-group-shares-out-by",
        "the-group-stands-where-it-was-put",
    ),
    "gates of walks alone judge it: seen open in tests/live/plain/test_walked_groups.py and tests/live/groups/"
    "test_walked.py, no scene is made for it yet",
)
_RESTS: Final = {
    "groups-outlast-a-member": "no lab declares groups that must survive a failure yet",
    "the-last-record-is-committed-too": "no lab declares topics without transactions yet",
}
_OF_CLIENTS: Final = {
    "commits-are-made-by-batches": "the labs whose applications show metrics are judged by other runbooks",
}
_OF_FILES: Final = {
    "consumers-rebootstrap": "no scene names libraries of consumers whose files set nothing for it",
    "streams-groups-set-what-their-files-cannot": "no scene has files of a Streams application; StreamsConfig 4.3 was "
    "seen to warn that it ignores num.standby.replicas",
}
_PLAYED: Final = dict.fromkeys(
    ("share-groups-are-switched-on", "share-groups-have-begun"),
    "seen to fail on a real cluster, tests/records/played/second-2.md; no fault of the lab does it",
)
NEVER_PASS: Final = {
    **_OF_CLIENTS,
    **_OF_FILES,
    **_OF_WALKS,
    **_RESTS,
    "new-groups-have-time-to-gather": "brokers of labs do not wait, so that groups of tests start at once; to change "
    "it takes a restart",
}
_PASSED: Final = ("members-commit-what-they-read", "no-group-is-ahead-of-its-log", "what-is-unread-is-kept")
NEVER_FAIL: Final = {
    "brokers-accept-the-default-session-timeout": "seen to fail on a real cluster, tests/records/played/second-4.md, 3",
    **_PLAYED,
    "offsets-outlive-a-pause": "seen to fail on a real cluster, tests/records/played/second-3.md, 2; no fault of the "
    "lab sets it",
    **_OF_CLIENTS,
    **_OF_FILES,
    "streams-groups-have-their-topics": "seen to fail on a real cluster, by a word count with replication.factor=5 on "
    "three brokers; no fault of the lab does it",
    **_OF_WALKS,
    **_RESTS,
    "polls-come-well-before-they-are-due": "no consumer of a lab is as slow as that and shows metrics yet",
    **dict.fromkeys(_PASSED, "no fault of a lab brings it about yet"),
    "every-partition-that-is-read-has-an-owner": "every assignor that clients come with gives each partition to "
    "somebody",
    "no-partition-has-two-members": "every assignor that clients come with gives each partition to one member",
    "consumers-bear-records-twice": "what nobody has signed off, or no longer, is unknown: it may be so all the same",
}
