"""What can be careless in Strimzi's resources, or drift from them: done to one object, and the checks that it fails."""

from typing import Final

from support.strimzi_declared import ENDING_AUTHORITY, listeners_with
from support.strimzi_fault import (
    APART_FROM_OTHERS,
    Fault,
    annotated,
    belongs,
    config,
    connector,
    fault,
    kafka,
    listener,
    mirror,
    pool,
    right,
    said,
    topic,
    volumes,
)
from support.strimzi_played import (
    BRIDGES,
    CLAIMS,
    CONNECTORS,
    CONNECTS,
    DEPLOYMENTS,
    KAFKAS,
    MIRRORS,
    PODS,
    POOLS,
    REBALANCES,
    SETS,
    TOPICS,
    USERS,
)

POD: Final = "orders-brokers-3"


ROLLED: Final = "no-roll-has-stopped-half-way"
PAUSED: Final = {"strimzi.io/pause-reconciliation": "true"}
FAULTS: Final[dict[str, Fault]] = {
    # the cluster
    "no default replication": config(
        "default.replication.factor",
        None,
        "declared-topics-get-three-copies",
        *("declared-minimum-keeps-two-copies", "declared-topics-have-three-copies", "declared-topics-outlive-a-broker"),
    ),
    "default replication of two": config(
        "default.replication.factor",
        "2",
        "declared-topics-get-three-copies",
        *("declared-minimum-keeps-two-copies", "declared-topics-have-three-copies", "declared-topics-outlive-a-broker"),
    ),
    "no minimum": config(
        "min.insync.replicas", None, "declared-minimum-keeps-two-copies", "declared-topics-have-three-copies"
    ),
    "a minimum of one": config(
        "min.insync.replicas", 1, "declared-minimum-keeps-two-copies", "declared-topics-have-three-copies"
    ),
    "a minimum of all": config(
        "min.insync.replicas", 3, "declared-minimum-keeps-two-copies", "declared-topics-outlive-a-broker"
    ),
    "offsets with one copy": config("offsets.topic.replication.factor", 1, "declared-inner-topics-get-three-copies"),
    "transactions with one copy": config(
        "transaction.state.log.replication.factor", 1, "declared-inner-topics-get-three-copies"
    ),
    "transactions with one in sync": config(
        "transaction.state.log.min.isr", 1, "declared-inner-topics-get-three-copies"
    ),
    "transactions with all in sync": config(
        "transaction.state.log.min.isr", 3, "declared-inner-topics-get-three-copies"
    ),
    "topics by typo": config("auto.create.topics.enable", "true", "production-topics-are-declared"),
    "no such value": config("compression.type", "zip", "the-operator-accepts-declared-clusters"),
    "unclean elections": config("unclean.leader.election.enable", "true", "declared-elections-are-clean"),
    "super users in config": config("super.users", "User:admin", "no-declared-setting-is-dropped"),
    "log directories in config": config("log.dirs", "/tmp/kafka", "no-declared-setting-is-dropped"),
    "the topic of Cruise Control in config": config(
        "cruise.control.metrics.topic", "x", "no-declared-setting-is-dropped"
    ),
    "no authorizer": kafka({"authorization": None}, "declared-clusters-authorize", "declared-rights-are-enforced"),
    "strangers are super users": kafka({"authorization": {"superUsers": ["ANONYMOUS"]}}, "anonymous-is-no-super-user"),
    "super users that no client is": kafka(
        {"authorization": {"superUsers": ["User:CN=platform"]}}, "declared-super-users-are-principals"
    ),
    "everyone where no ACL is": config(
        "allow.everyone.if.no.acl.found", "true", "declared-clusters-close-resources-without-an-acl"
    ),
    "no racks": kafka({"rack": None}, "strimzi-takes-racks-from-zones"),
    "each node a rack": kafka({"rack": {"topologyKey": "kubernetes.io/hostname"}}, "strimzi-takes-racks-from-zones"),
    "no metrics": kafka({"metricsConfig": None}, "declared-clusters-export-metrics"),
    "a budget of three": kafka(
        {"template": {"podDisruptionBudget": {"maxUnavailable": 3}}}, "declared-budget-lets-one-go"
    ),
    "a budget of none": kafka(
        {"template": {"podDisruptionBudget": {"maxUnavailable": 0}}}, "declared-budget-lets-one-go"
    ),
    "renewed three days before the end": fault(
        KAFKAS, "orders", {"spec": {"clusterCa": {"renewalDays": 3}}}, "authorities-are-renewed-in-time"
    ),
    "renewed all the time": fault(
        KAFKAS, "orders", {"spec": {"clientsCa": {"validityDays": 20}}}, "authorities-are-renewed-in-time"
    ),
    "no topic operator": fault(
        KAFKAS, "orders", {"spec": {"entityOperator": {"topicOperator": None}}}, "topic-resources-have-a-topic-operator"
    ),
    "no user operator": fault(
        KAFKAS, "orders", {"spec": {"entityOperator": {"userOperator": None}}}, "user-resources-have-a-user-operator"
    ),
    # its listeners
    "in the clear from outside": listener(1, {"tls": False}, "listeners-for-outside-are-encrypted"),
    "anybody from outside": listener(
        1, {"authentication": None}, "listeners-for-outside-are-guarded", "every-user-finds-a-listener"
    ),
    "in the clear inside": listener(
        0, {"tls": False}, "listeners-inside-are-guarded", "the-operator-accepts-declared-clusters"
    ),
    "a port that is taken": listener(0, {"port": 9404}, "the-operator-accepts-declared-clusters"),
    "an Ingress without hosts": listener(
        1, {"type": "ingress", "configuration": None}, "the-operator-accepts-declared-clusters"
    ),
    "a host for a load balancer": listener(
        1,
        {"type": "loadbalancer", "configuration": {"bootstrap": {"host": "orders.example.com"}}},
        "the-operator-accepts-declared-clusters",
    ),
    "metrics without rules": kafka({"metricsConfig": {"valueFrom": None}}, "the-operator-accepts-declared-clusters"),
    "any pod inside": listener(
        0, {"authentication": None}, "listeners-inside-are-guarded", "every-user-finds-a-listener"
    ),
    # its pools
    "more CPU than it may have": pool(
        {"resources": {"requests": {"cpu": "4"}, "limits": {"cpu": "2"}}}, "the-operator-accepts-declared-clusters"
    ),
    "a claim without a size": pool(
        volumes({"size": None}, {}), "the-operator-accepts-declared-clusters", "declared-volumes-are-equal"
    ),
    "too few brokers for the replicas": pool(
        {"replicas": 2},
        "declared-brokers-are-enough",
        "the-operator-accepts-declared-clusters",
        "pools-have-the-nodes-they-ask-for",
        "declared-topics-fit-on-their-brokers",
    ),
    "one broker left": pool(
        {"replicas": 1},
        "declared-brokers-are-enough",
        "the-operator-accepts-declared-clusters",
        "pools-have-the-nodes-they-ask-for",
        "declared-topics-fit-on-their-brokers",
    ),
    "four controllers": pool(
        {"replicas": 2},
        *("declared-controllers-are-odd", "pools-have-the-nodes-they-ask-for", "declared-nodes-keep-apart"),
        named="controllers-eu-1a",
    ),
    "two controllers": pool(
        {"replicas": 0}, "declared-controllers-are-odd", "pools-have-the-nodes-they-ask-for", named="controllers-eu-1a"
    ),
    "a Kafka without fixes": kafka(
        {"version": "4.0.0", "metadataVersion": "4.0-IV3"},
        "declared-kafka-is-maintained",
        "pods-run-the-declared-version",
    ),
    "ZooKeeper left in the resource": fault(
        KAFKAS, "orders", {"spec": {"zookeeper": {"replicas": 3}}}, "declared-clusters-run-kraft"
    ),
    "brokers that vote": pool(
        {"roles": ["broker", "controller"], "replicas": 12}, "production-controllers-are-dedicated"
    ),
    "brokers on ephemeral storage": pool(
        {"storage": {"type": "ephemeral", "volumes": None}}, "declared-volumes-are-claims"
    ),
    "one ephemeral volume of two": pool(volumes({}, {"type": "ephemeral"}), "declared-volumes-are-claims"),
    "a controller on ephemeral storage": pool(
        volumes({"type": "ephemeral"}), "declared-volumes-are-claims", named="controllers-eu-1a"
    ),
    "brokers that may share a node": pool({"template": {"pod": {"affinity": None}}}, "declared-nodes-keep-apart"),
    "brokers kept off other pods only": pool(
        {"template": {"pod": {"affinity": APART_FROM_OTHERS}}}, "declared-nodes-keep-apart"
    ),
    "claims deleted with the pool": pool(volumes({"deleteClaim": True}), "declared-claims-are-kept"),
    "volumes of two sizes": pool(
        volumes({}, {"size": "100Gi"}), "declared-volumes-are-equal", "volumes-have-the-declared-size"
    ),
    "no CPU asked for": pool(
        {"resources": {"requests": {"cpu": None}, "limits": {"cpu": None}}}, "declared-nodes-ask-for-what-they-use"
    ),
    "no memory asked for": pool(
        {"resources": {"requests": {"memory": None}, "limits": {"memory": None}}},
        "declared-nodes-ask-for-what-they-use",
    ),
    "no limit of memory": pool({"resources": {"limits": {"memory": None}}}, "declared-nodes-ask-for-what-they-use"),
    "a heap as large as the memory": pool(
        {"jvmOptions": {"-Xmx": "15g"}}, "declared-memory-leaves-room-beside-the-heap", "pods-have-the-declared-memory"
    ),
    # topics and users
    "a topic with two copies": topic(
        {"replicas": 2}, "declared-topics-outlive-a-broker", "declared-topics-have-three-copies"
    ),
    "a topic with one copy": topic(
        {"replicas": 1}, "declared-topics-outlive-a-broker", "declared-topics-have-three-copies"
    ),
    "a topic with more copies than brokers": topic({"replicas": 13}, "declared-topics-fit-on-their-brokers"),
    "a topic that needs one in sync": topic(
        {"config": {"min.insync.replicas": 1}}, "declared-topics-have-three-copies"
    ),
    "a topic that needs all in sync": topic(
        {"config": {"min.insync.replicas": "3"}}, "declared-topics-outlive-a-broker"
    ),
    "a topic that keeps everything": topic({"config": {"retention.ms": -1}}, "declared-topics-have-a-bound"),
    "a topic with a misspelt setting": topic({"config": {"retention.msec": 1}}, "declared-topic-settings-are-known"),
    "a topic that elects anybody": topic(
        {"config": {"unclean.leader.election.enable": "true"}}, "declared-topics-elect-cleanly"
    ),
    "two resources for one topic": topic({"topicName": "web.clicks"}, "no-topic-is-declared-twice"),
    "a topic that names no cluster": belongs(TOPICS, "orders", None, "declared-resources-name-their-cluster"),
    "a topic of a cluster that is not there": belongs(TOPICS, "orders", "order", "no-resource-is-an-orphan"),
    "a user who may write everything": right({"type": "topic", "name": "*"}, "Write"),
    "a user who may do everything to every group": right({"type": "group", "name": "*"}, "All"),
    "a user with every prefix": right({"type": "topic", "name": "", "patternType": "prefix"}, "Delete"),
    "a user who may change the cluster": right({"type": "cluster"}, "Alter"),
    "a user who may read every topic": right(
        {"type": "topic", "name": "*"}, "Read", "Describe", found_by="no-production-user-reads-everything"
    ),
    "a user no listener takes": fault(
        KAFKAS,
        "orders",
        {
            "spec": {
                "kafka": {
                    "listeners": [
                        {
                            "name": "tls",
                            "port": 9093,
                            "type": "internal",
                            "tls": True,
                            "authentication": {"type": "tls"},
                        }
                    ]
                }
            }
        },
        "every-user-finds-a-listener",
    ),
    # Connect and MirrorMaker 2
    "workers that ask for nothing": fault(
        CONNECTS, "connect", {"spec": {"resources": None}}, "declared-workers-ask-for-what-they-use"
    ),
    "a mirror nobody can measure": fault(
        MIRRORS, "from-paris", {"spec": {"metricsConfig": None}}, "declared-workers-export-metrics"
    ),
    "a bridge in the clear": fault(BRIDGES, "web", {"spec": {"http": {"tls": None}}}, "declared-bridges-are-encrypted"),
    "a mirror of groups alone": mirror(
        {"sourceConnector": None, "checkpointConnector": {"autoRestart": {"enabled": True}}},
        "declared-mirrors-copy-topics",
    ),
    "a connector of a file": fault(
        CONNECTORS,
        "warehouse",
        {"spec": {"class": "org.apache.kafka.connect.file.FileStreamSinkConnector"}},
        "production-connectors-are-no-demonstrations",
    ),
    "a listener that takes any host's tokens": kafka(
        {"config": {"strimzi.authorization.ssl.endpoint.identification.algorithm": ""}},
        "declared-host-names-are-verified",
    ),
    "an address that nobody filled in": fault(
        MIRRORS,
        "from-paris",
        {"spec": {"target": {"bootstrapServers": "${BOOTSTRAP}:9093"}}},
        "no-placeholder-is-left",
    ),
    "workers that may share a node": fault(
        CONNECTS, "connect", {"spec": {"template": {"pod": None}}}, "production-workers-keep-apart"
    ),
    "workers that leave two by two": fault(
        CONNECTS,
        "connect",
        {"spec": {"template": {"podDisruptionBudget": {"maxUnavailable": 2}}}},
        "production-workers-leave-one-at-a-time",
    ),
    "one worker": fault(CONNECTS, "connect", {"spec": {"replicas": 1}}, "declared-workers-are-several"),
    "one worker of a mirror": fault(MIRRORS, "from-paris", {"spec": {"replicas": 1}}, "declared-workers-are-several"),
    "workers in the clear": fault(  # a certificate is no login without TLS
        CONNECTS, "connect", {"spec": {"tls": None}}, "declared-workers-speak-tls", "declared-workers-log-in"
    ),
    "workers without their key": fault(
        CONNECTS,
        "connect",
        {"spec": {"authentication": {"certificateAndKey": None}}},
        "the-operator-accepts-declared-workers",
    ),
    "a mirror that may use less than it asks for": fault(
        MIRRORS,
        "from-paris",
        {"spec": {"resources": {"requests": {"cpu": "4"}, "limits": {"cpu": "2"}}}},
        "the-operator-accepts-declared-workers",
    ),
    "workers that log in nowhere": fault(
        CONNECTS, "connect", {"spec": {"authentication": None}}, "declared-workers-log-in"
    ),
    "a mirror that reads without a login": mirror({"source": {"authentication": None}}, "declared-workers-log-in"),
    "a mirror that reads in the clear": mirror(
        {"source": {"tls": None}}, "declared-workers-speak-tls", "declared-workers-log-in"
    ),
    "a mirror whose offsets have one copy": mirror(
        {"sourceConnector": {"config": {"offset-syncs.topic.replication.factor": 1}}},
        "declared-mirrors-keep-their-own-topics",
    ),
    "a mirror whose checkpoints have one copy": mirror(
        {"checkpointConnector": {"config": {"checkpoints.topic.replication.factor": "1"}}},
        "declared-mirrors-keep-their-own-topics",
    ),
    "a connector with its password": connector(
        {"connection.password": "changeit"}, "no-connector-resource-holds-a-password"
    ),
    "a connector with a login in an address": connector(
        {"connection.url": "https://sink:changeit@db.example"}, "no-connector-resource-holds-a-password"
    ),
    "a connector that makes topics of one copy": connector(
        {"topic.creation.default.replication.factor": 1}, "declared-connectors-create-three-copies"
    ),
    "a group of two": fault(
        CONNECTS, "connect", {"spec": {"groupId": "from-paris"}}, "no-two-groups-of-workers-are-one"
    ),
    "topics of two": fault(
        CONNECTS,
        "connect",
        {"spec": {f"{kind}StorageTopic": f"from-paris-{kind}" for kind in ("config", "offset", "status")}},
        "no-two-groups-of-workers-share-topics",
    ),
    "offsets of Connect with one copy": fault(
        CONNECTS,
        "connect",
        {"spec": {"config": {"offset.storage.replication.factor": 1}}},
        "declared-connect-topics-have-three-copies",
    ),
    "a connector that nobody restarts": fault(
        CONNECTORS, "warehouse", {"spec": {"autoRestart": None}}, "declared-connectors-restart"
    ),
    "a connector that drops records": fault(
        CONNECTORS,
        "warehouse",
        {"spec": {"config": {"errors.deadletterqueue.topic.name": None}}},
        "declared-connectors-drop-nothing-silently",
    ),
    "mirrors with MirrorMaker's two copies": mirror(
        {"sourceConnector": {"config": None}}, "declared-mirrors-get-three-copies"
    ),
    "a connector of no Connect": belongs(CONNECTORS, "warehouse", "orders", "no-resource-is-an-orphan"),
    # what became of it
    "a topic that is refused": said(TOPICS, "orders", "topics-and-users-are-as-declared"),
    "a user that is refused": said(USERS, "billing", "topics-and-users-are-as-declared"),
    "a Connect that is not ready": said(CONNECTS, "connect", "connects-and-mirrors-are-as-declared"),
    "a connector that is not ready": said(CONNECTORS, "warehouse", "connects-and-mirrors-are-as-declared"),
    "a mirror that is not ready": said(MIRRORS, "from-paris", "connects-and-mirrors-are-as-declared"),
    "a rebalance that failed": said(REBALANCES, "full", "connects-and-mirrors-are-as-declared"),
    "a pool with fields of old": said(POOLS, "brokers", "no-resource-is-warned-of", kind="Warning"),
    "a topic that nobody looked at": fault(TOPICS, "orders", {"metadata": {"generation": 2}}, "the-operator-acts"),
    "an authority that is not renewed": fault(
        KAFKAS,
        "orders",
        {"status": {"listeners": listeners_with(ENDING_AUTHORITY)}},
        "authorities-in-force-last",
    ),
    "a cluster that nobody looked at": fault(KAFKAS, "orders", {"metadata": {"generation": 2}}, "the-operator-acts"),
    "a connector left paused": annotated(CONNECTORS, "warehouse", PAUSED, "nothing-of-strimzi-is-paused"),
    "an entity operator that is down": fault(
        DEPLOYMENTS, "orders-entity-operator", {"status": {"readyReplicas": 0}}, "strimzis-parts-run"
    ),
    "Cruise Control under another name": fault(
        DEPLOYMENTS, "orders-cruise-control", {"metadata": {"name": "other"}}, "strimzis-parts-run"
    ),
    "one broker more asked for": pool({"replicas": 13}, "pools-have-the-nodes-they-ask-for"),
    "a pod of an old revision": annotated(PODS, POD, {"strimzi.io/revision": "0a1b2c3d"}, ROLLED),
    "a pod of an old version": annotated(
        PODS, POD, {"strimzi.io/kafka-version": "4.1.0"}, "pods-run-the-declared-version"
    ),
    "a version that nobody rolled out": kafka({"version": "4.3.0"}, "pods-run-the-declared-version"),
    "memory that nobody rolled out": pool(
        {"resources": {"requests": {"memory": "20Gi"}, "limits": {"memory": "20Gi"}}}, "pods-have-the-declared-memory"
    ),
    "a heap that nobody rolled out": pool({"jvmOptions": {"-Xmx": "4g"}}, "pods-have-the-declared-memory"),
    "volumes that did not grow": pool(volumes({"size": "1Ti"}), "volumes-have-the-declared-size"),
    "a volume that is smaller": fault(
        CLAIMS, f"data-0-{POD}", {"status": {"capacity": {"storage": "50Gi"}}}, "volumes-have-the-declared-size"
    ),
    "a pod that no set lists": fault(
        SETS, "orders-brokers", {"spec": {"pods": []}}, "pools-have-the-nodes-they-ask-for"
    ),
}
