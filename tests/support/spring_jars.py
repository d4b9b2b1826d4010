"""The jars of Spring Boot whose binder is asked."""

from typing import Final

from kafka_lab.jars import Jar, Wanted

RELEASE: Final = "3.4.1"
_SPRING: Final = "6.2.1"
_MICROMETER: Final = "1.14.2"

SPRING: Final = Wanted(
    f"Spring Boot {RELEASE}",
    f"spring-boot-{RELEASE}",
    "20 MB",
    (
        Jar("org.springframework.boot", "spring-boot-autoconfigure", RELEASE, transitive=False),
        Jar("org.springframework.boot", "spring-boot", RELEASE, transitive=False),
        *(
            Jar("org.springframework", f"spring-{part}", _SPRING, transitive=False)
            for part in ("aop", "beans", "context", "core", "expression", "jcl", "messaging", "tx")
        ),
        Jar("org.springframework.kafka", "spring-kafka", "3.3.1", transitive=False),
        Jar("io.micrometer", "micrometer-commons", _MICROMETER, transitive=False),
        Jar("io.micrometer", "micrometer-observation", _MICROMETER, transitive=False),
        Jar("org.apache.kafka", "kafka-clients", "3.8.1", transitive=False),
        Jar("org.slf4j", "slf4j-api", "1.7.36", transitive=False),
        Jar("org.yaml", "snakeyaml", "2.3", transitive=False),
    ),
)
