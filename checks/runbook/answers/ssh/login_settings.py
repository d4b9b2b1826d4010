"""What is read of logins on hosts: what their entries are called and which file they use, and no value that is secret.

The patterns are those of `grep -P`. What stands in quotes, or after the name of an option, is passed over by
(*SKIP)(*F) unless the option is one of a fixed list, so that only names leave the host.
"""

from typing import Final

_SKIP = "(*SKIP)(*F)"
_QUOTED = r'"(\\.|[^"\\])*\\?("|$)'  # also one that is never closed
_TOLD = "keyTab|principal|serviceName|storeKey|useKeyTab|useTicketCache|username"
_KNOWN_SECTIONS = r"([\w-]+\.)?(KafkaServer|KafkaClient|Client|Server|QuorumServer|QuorumLearner)"
_OPTION = rf"\b({_TOLD})\s*=\s*(\"[^\"]*\"|[^\s;\"]+)"
_VALUE = rf"[=:]\s*({_QUOTED}|[^\s;\"]*){_SKIP}"
_NAME = r"\b[A-Za-z_][\w.-]*(?=\s*=)"
_MODULE = r"[A-Za-z_$][\w$]*(\.[\w$]+)*\s+(required|requisite|sufficient|optional)\b|[\w$.]+LoginModule\b"
_ENTRY = [_QUOTED + _SKIP, _OPTION, _VALUE, _NAME, _MODULE]

JAAS_FILE: Final = "|".join(
    [
        rf"//.*{_SKIP}",
        *_ENTRY,
        r"[A-Za-z_][\w.-]*\s*\{",
        rf"^\s*{_KNOWN_SECTIONS}\s*$",  # its brace is on the next line
        r"\}\s*;?|^\s*;|/\*|\*/",  # Java wants a semicolon after the brace, maybe on the next line
    ]
)
"""Sections, login modules and names of options of a JAAS file; the value of an option of a fixed list."""

LOGIN_ENTRY: Final = "|".join(
    [
        rf"^\s*[#!].*{_SKIP}",
        r"^\s*[\w.-]*sasl\.jaas\.config\s*[=:]",
        rf"^\s*(?!{_TOLD}|password|user_)[\w.-]+\s*[=:].*{_SKIP}",  # any other setting
        *_ENTRY,
    ]
)
"""The same of the entries `sasl.jaas.config` in a properties file, also where they go on over lines."""

_HIDDEN_OPTION = r"password|user_[^\s=\"]+|clientSecret|oauth\.client\.secret|oauth\.(access|refresh)\.token"
_HIDDEN_SETTING = (
    r"\.password|\.keystore\.key|\.client\.secret|\.key\.passphrase"
    r"|password\.encoder\.(old\.)?secret|delegation\.token\.(secret|master)\.key"
)
PLAIN_SECRET: Final = "|".join(
    [
        rf"^\s*[#!].*{_SKIP}",
        rf"^\s*[\w.-]*sasl\.jaas\.config(?=\s*[=:].*\b({_HIDDEN_OPTION})\s*=\s*\"?(?!\$\{{)[^\s\";])",
        rf"^\s*({_HIDDEN_OPTION})(?=\s*=\s*\"(?!\$\{{))",  # of an entry that goes on over lines
        rf"^\s*[\w.-]*({_HIDDEN_SETTING})(?=\s*[=:]\s*(?!\$\{{)\S)",
    ]
)
"""Names of settings of a properties file whose value is a credential rather than a reference to one.

Those that Kafka declares as passwords, and options of login modules: of PLAIN (user_NAME), OAUTHBEARER, Strimzi's.
"""

SECURITY_SETTINGS: Final = (
    "advertised.listeners",
    "allow.everyone.if.no.acl.found",
    "authorizer.class.name",
    "control.plane.listener.name",
    "controller.listener.names",
    "inter.broker.listener.name",
    "listener.security.protocol.map",
    "listeners",
    "sasl.enabled.mechanisms",
    "sasl.kerberos.service.name",
    "sasl.mechanism.controller.protocol",
    "sasl.mechanism.inter.broker.protocol",
    "security.inter.broker.protocol",
    "ssl.client.auth",
    "ssl.enabled.protocols",
    "ssl.endpoint.identification.algorithm",
    "ssl.keystore.location",
    "ssl.keystore.type",
    "ssl.truststore.location",
    "ssl.truststore.type",
    "super.users",
    "zookeeper.clientCnxnSocket",
    "zookeeper.set.acl",
    "zookeeper.ssl.client.enable",
)
"""Settings of a broker about who may do what; none can hold a credential."""

SECURITY: Final = (
    r"^[[:space:]]*(listener\.name\.[A-Za-z0-9_.-]+\.)?("
    + "|".join(name.replace(".", "[.]") for name in SECURITY_SETTINGS)
    + ")[[:space:]]*[=:]"
)
"""A line of a properties file that gives one of them a value, for all listeners or for one."""
