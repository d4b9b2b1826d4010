"""JAAS files and inline logins, made by spoiling real ones, and what Java's and Kafka's own parsers say of them."""

import base64
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from runbook.formats.jaas_grammar import file_mistake, inline_mistake
from support.client_texts import java_says

COUNT: Final = 40
_PARSERS = Path(__file__).with_name("java") / "JaasParsers.java"


class JaasText(Struct, frozen=True):
    """A login.

    Attributes:
        way: "file" by Java's own parser, "inline" by Kafka's, as sasl.jaas.config of a client or of a listener.
        listener: whose login is wanted, as a broker asks for it; empty for that of a client.
        text: of the file or the setting.
    """

    way: str
    listener: str
    text: str


_SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule"
_PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule"
_FILES: Final = (
    f"""\
KafkaServer {{
    {_PLAIN} required
    username="admin"
    password="one-word"
    user_admin="one-word"
    user_alice="two-words";
}};

KafkaClient {{
    {_SCRAM} required
    username="broker"
    password="one-word";
}};
""",
    f"""\
// logins of brokers
sasl_ssl.KafkaServer {{
    {_SCRAM} required;
}};
KafkaServer {{
    /* for every other listener */
    com.sun.security.auth.module.Krb5LoginModule required
    useKeyTab=true
    storeKey=true
    keyTab="/etc/security/kafka.keytab"
    principal="kafka/k1.example@EXAMPLE";
}};
KafkaClient {{
    {_PLAIN} sufficient username="a" password="b";
    {_SCRAM} optional username="a" password="b";
}};
""",
)
_INLINE: Final = (
    f'{_SCRAM} required username="orders" password="one-word";',
    f"{_PLAIN} required username='orders' password='one-word';",
    f'{_PLAIN} required user_admin="one-word" username="admin" password="one-word" ;',
    "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required clientId=orders scope=kafka;",
)
_PIECES: Final = (
    ";",
    ";;",
    "}",
    "};",
    "{",
    '"',
    "'",
    "=",
    "==",
    "#",
    "# note",
    "// note",
    "/* note */",
    "/*",
    "\\",
    ",",
)
_WORDS: Final = ("required", "REQUIRED", "requisite", "optional", "mandatory", "debug=true", "debug", 'a="b c"', "a=-1")


def jaas_texts(seed: int = 1, count: int = COUNT) -> Iterator[JaasText]:
    """Texts of one or two changes each, half of them files; always the same for a seed."""
    for number in range(count):
        dice = random.Random(f"jaas {seed} {number}")
        way = "file" if number % 2 else "inline"
        text = dice.choice(_FILES if way == "file" else _INLINE)
        for _ in range(dice.choice([0, 1, 1, 1, 2])):
            text = _changed(dice, text)
        yield JaasText(way, dice.choice(["", "sasl_ssl", "internal"]), text)


def _changed(dice: random.Random, text: str) -> str:
    words = text.split(" ")
    place = dice.randrange(len(words))
    match dice.randrange(7):
        case 0:
            del words[place]
        case 1:
            words[place] = words[place].replace('"', dice.choice(["", "'"]))
        case 2:
            words.insert(place, dice.choice(_PIECES))
        case 3:
            words.insert(place, dice.choice(_WORDS))
        case 4:
            sign = dice.choice([";", "{", "}", "=", '"', "required"])
            return text.replace(sign, "", dice.choice([1, 9]))
        case 5:
            return text[: dice.randrange(len(text))]
        case _:
            words[place] = dice.choice([words[place].upper(), words[place] + dice.choice(_PIECES)])
    return " ".join(words)


def parsers_say(texts: Iterable[JaasText], jars: Path) -> list[str]:
    """What the real parser says of each: "ok", or why it refuses.

    Raises:
        JavaError: there is no Java that runs it.
        CalledProcessError: Java ended with an error.
    """
    asked = "".join(
        f"{one.way} {one.listener or '-'} {base64.b64encode(one.text.encode()).decode()}\n" for one in texts
    )
    return java_says(_PARSERS, asked, jars)


def differences(text: JaasText, said: str) -> list[str]:
    """Where our reading of a login and its parser's part."""
    if text.way == "inline":
        ours = inline_mistake(text.text)
    else:
        wanted = [f"{text.listener}.KafkaServer", "KafkaServer"] if text.listener else ["KafkaClient"]
        ours = file_mistake(text.text, wanted)
    return [] if (said == "ok") == (not ours) else [f"{text}: {said!r}, ours {ours!r}"]
