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

PLAIN_SECRET: Final = "|".join(
    [
        rf"^\s*[#!].*{_SKIP}",
        r"^\s*[\w.-]*sasl\.jaas\.config(?=\s*[=:].*\bpassword\s*=\s*\"?(?!\$\{)[^\s\";])",
        r"^\s*password(?=\s*=\s*\"(?!\$\{))",  # of an entry that goes on over lines
        r"^\s*[\w.-]*(\.password|\.keystore\.key)(?=\s*[=:]\s*(?!\$\{)\S)",
    ]
)
"""Names of settings of a properties file whose value is a credential rather than a reference to one."""

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
