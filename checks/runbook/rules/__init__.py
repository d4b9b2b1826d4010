"""What Kafka decides by itself: who may lead a partition, who is in sync, what a majority is. Pure, and of no fact.

Views, recoveries and what-if judge by these rules. `tests/benchmarks/elections.py` compares them with Kafka's own code
over generated histories, and with real clusters.
"""
