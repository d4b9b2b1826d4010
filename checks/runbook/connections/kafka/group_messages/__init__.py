"""What kafka-python lacks of Kafka's protocol: share groups and their offsets, and groups of Streams' own protocol.

Each file defines a message as Kafka's own definitions do (StreamsGroupDescribeRequest.json and the like in its clients'
jar, 4.3.0): names, types and their order are the protocol. kafka-python reads them as it reads its own.
"""
