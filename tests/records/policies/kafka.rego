# Policies such as platform teams write for conftest: a resource at a time, a rule for each thing that went wrong once.
package main

import rego.v1

production if not startswith(object.get(input.metadata, "namespace", ""), "kafka-dev")

named := sprintf("%s %s", [input.kind, input.metadata.name])

deny contains sprintf("%s: replicas below 3", [named]) if {
	input.kind == "KafkaTopic"
	production
	input.spec.replicas < 3
}

deny contains sprintf("%s: min.insync.replicas below 2", [named]) if {
	input.kind == "KafkaTopic"
	production
	to_number(input.spec.config["min.insync.replicas"]) < 2
}

deny contains sprintf("%s: %s below %d", [named, setting, least]) if {
	input.kind == "Kafka"
	production
	some setting, least in {
		"default.replication.factor": 3,
		"min.insync.replicas": 2,
		"offsets.topic.replication.factor": 3,
		"transaction.state.log.replication.factor": 3,
		"transaction.state.log.min.isr": 2,
	}
	to_number(object.get(input.spec.kafka.config, setting, 1)) < least
}

deny contains sprintf("%s: unclean leader election", [named]) if {
	input.kind == "Kafka"
	input.spec.kafka.config["unclean.leader.election.enable"] in [true, "true"]
}

deny contains sprintf("%s: topics are created automatically", [named]) if {
	input.kind == "Kafka"
	production
	input.spec.kafka.config["auto.create.topics.enable"] in [true, "true"]
}

deny contains sprintf("%s: listener %s without TLS", [named, listener.name]) if {
	input.kind == "Kafka"
	some listener in input.spec.kafka.listeners
	not listener.tls
}

deny contains sprintf("%s: listener %s without authentication", [named, listener.name]) if {
	input.kind == "Kafka"
	some listener in input.spec.kafka.listeners
	not listener.authentication
}

deny contains sprintf("%s: no authorization", [named]) if {
	input.kind == "Kafka"
	not input.spec.kafka.authorization
}

deny contains sprintf("%s: ephemeral storage", [named]) if {
	input.kind == "KafkaNodePool"
	walk(input.spec.storage, [_, value])
	is_object(value)
	value.type == "ephemeral"
}

deny contains sprintf("%s: no memory requested", [named]) if {
	input.kind in ["KafkaNodePool", "KafkaConnect", "KafkaMirrorMaker2", "KafkaBridge"]
	not input.spec.resources.requests.memory
}

deny contains sprintf("%s: %s on all of %s", [named, operation, rule.resource.type]) if {
	input.kind == "KafkaUser"
	some rule in input.spec.authorization.acls
	rule.resource.name == "*"
	some operation in rule.operations
	operation in ["All", "Write", "Delete", "Alter"]
}

deny contains sprintf("%s: %s in plain text", [named, key]) if {
	input.kind == "KafkaConnector"
	some key, value in input.spec.config
	regex.match(`(?i)password|secret`, key)
	not startswith(value, "${")
}

deny contains sprintf("%s: no label strimzi.io/cluster", [named]) if {
	input.kind in ["KafkaTopic", "KafkaUser", "KafkaConnector", "KafkaNodePool"]
	not input.metadata.labels["strimzi.io/cluster"]
}

deny contains sprintf("%s: one worker", [named]) if {
	input.kind in ["KafkaConnect", "KafkaMirrorMaker2"]
	production
	input.spec.replicas < 2
}
