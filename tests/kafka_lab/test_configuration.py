from pathlib import Path

from kafka_lab.configuration import RACKS, new_id, planned, properties_file, write_configuration
from kafka_lab.state import LabState


def test_brokers_are_spread_over_the_racks_and_share_no_port() -> None:
    brokers = planned(6)
    assert [broker.rack for broker in brokers] == [*RACKS, *RACKS]
    ports = [port for broker in brokers for port in (broker.port, broker.controller_port)]
    assert len(set(ports)) == len(ports)


def test_an_id_is_what_kafka_takes_for_one() -> None:
    made = {new_id() for _ in range(200)}
    assert len(made) == 200
    assert {len(id_) for id_ in made} == {22}
    assert not any(id_.startswith("-") for id_ in made)


def test_each_broker_gets_its_own_properties(tmp_path: Path) -> None:
    lab = LabState("one", str(tmp_path), new_id(), "4.0.0", "/nowhere", planned(3))
    for broker in lab.brokers:
        write_configuration(lab, broker)
    second = lab.broker(2)
    written = dict(line.split("=", 1) for line in properties_file(lab, second).read_text().splitlines())
    assert written["node.id"] == "2"
    assert written["broker.rack"] == "az-b"
    assert written["advertised.listeners"] == f"PLAINTEXT://{second.address}"
    assert written["min.insync.replicas"] == "2"
    assert written["controller.quorum.bootstrap.servers"].count(",") == 2
