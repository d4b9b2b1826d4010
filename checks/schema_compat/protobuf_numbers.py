"""Numbers and names that a newer Protobuf file no longer has and does not reserve."""

from collections.abc import Iterator, Mapping

from schema_compat.protobuf_file import ProtoFile, Reserved


def given_up(new: ProtoFile, old: ProtoFile) -> list[str]:
    """What may be used again for something else, a sentence each; of messages and enums that both files have."""
    found = []
    for name, message in old.messages.items():
        now = new.messages.get(_moved(name, old, new))
        if now is not None:
            before = {member.name: member.number for member in message.members}
            after = {member.name: member.number for member in now.members}
            found += list(_free(name, before, after, message.reserved, now.reserved))
    for name, enum in old.enums.items():
        later = new.enums.get(_moved(name, old, new))
        if later is not None:
            found += list(_free(name, enum.values, later.values, enum.reserved, later.reserved))
    return found


def _moved(name: str, old: ProtoFile, new: ProtoFile) -> str:
    """The full name in the other file's package."""
    local = name.removeprefix(f"{old.package}.") if old.package else name
    return f"{new.package}.{local}" if new.package else local


def _free(
    place: str, before: Mapping[str, int], after: Mapping[str, int], was: Reserved, reserved: Reserved
) -> Iterator[str]:
    taken = {number: word for word, number in after.items()}
    for word, number in before.items():
        if word not in after and number in taken and taken[number] not in before:
            yield f"{place}.{word}: its number {number} now belongs to {taken[number]}"
        elif word not in after and number not in taken and not reserved.has(number):
            yield f"{place}.{word}: removed, and its number {number} is not reserved"
        if word not in after and word not in reserved.names:
            yield f"{place}.{word}: removed, and its name is not reserved"
    for first, last in was.spans:
        if not any(begin <= first and last <= end for begin, end in reserved.spans):
            yield (
                f"{place}: {first} to {last} was reserved and is no longer"
                if last > first
                else (f"{place}: {first} was reserved and is no longer")
            )
    for word in was.names:
        if word not in reserved.names:
            yield f"{place}: {word} was reserved and is no longer"
