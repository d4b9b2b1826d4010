from support.recorded_kubernetes import Played

SERVICES = "/api/v1/namespaces/kafka/services"


def test_a_headless_service_names_its_pods():
    row = Played("healthy").row("kubernetes_service", service="kafka-brokers")
    assert (row["type"], row["headless"], row["publishes_not_ready"]) == ("ClusterIP", True, True)
    assert (row["pods"], row["roles"]) == (["kafka-1", "kafka-2", "kafka-3"], ["broker", "controller"])
    assert (row["endpoints"], row["ready"], row["ports"]) == (3, 3, [9092, 9093])
    assert row["zones"] == ["rack-a", "rack-b", "rack-c"]


def test_a_service_over_all_has_an_address_of_its_own():
    row = Played("healthy").row("kubernetes_service", service="kafka-bootstrap")
    assert (row["headless"], row["publishes_not_ready"], row["external_traffic_policy"]) == (False, False, "")


def test_a_pod_that_is_not_ready_is_behind_it_and_takes_no_traffic():
    row = Played("crash-loop").row("kubernetes_service", service="kafka-bootstrap")
    assert (row["endpoints"], row["ready"]) == (3, 2)


def test_a_pod_that_is_published_and_not_ready_is_not_ready():
    played = Played("healthy")
    for part in played.items("/apis/discovery.k8s.io/v1/namespaces/kafka/endpointslices"):
        for endpoint in part["endpoints"][:1]:
            endpoint["conditions"] = {"ready": True, "serving": False, "terminating": False}
    assert played.row("kubernetes_service", service="kafka-brokers")["ready"] == 2


def test_a_way_in_from_outside_tells_addresses_ports_and_policy():
    played = Played("healthy")
    service = played.item(SERVICES, "kafka-bootstrap")
    service["spec"] |= {"type": "LoadBalancer", "externalTrafficPolicy": "Local"}
    service["spec"]["ports"][0]["nodePort"] = 31000
    service["status"] = {"loadBalancer": {"ingress": [{"ip": "203.0.113.7"}, {"hostname": "kafka.example"}]}}
    row = played.row("kubernetes_service", service="kafka-bootstrap")
    assert (row["node_ports"], row["external_traffic_policy"]) == ([31000], "Local")
    assert row["external"] == ["203.0.113.7", "kafka.example"]


def test_a_service_without_a_selector_selects_nothing():
    played = Played("healthy")
    played.item(SERVICES, "kafka-bootstrap")["spec"].pop("selector")
    assert played.row("kubernetes_service", service="kafka-bootstrap")["pods"] == []


def test_a_service_that_matches_no_pod_is_what_its_selector_says():
    played = Played("healthy", brokers="", controllers="")
    played.item(SERVICES, "kafka-bootstrap")["spec"]["selector"] = {"app": "kafka", "version": "v2"}
    row = played.row("kubernetes_service", service="kafka-bootstrap")
    assert (row["pods"], row["reachable"], row["roles"]) == ([], 0, ["broker"])


def test_a_pod_without_an_address_is_not_to_be_behind_a_service():
    played = Played("healthy")
    assert played.row("kubernetes_service", service="kafka-bootstrap")["reachable"] == 3
    played = Played("healthy")
    del played.item("/api/v1/namespaces/kafka/pods", "kafka-1")["status"]["podIP"]
    played.item("/api/v1/namespaces/kafka/pods", "kafka-2")["status"]["phase"] = "Failed"
    row = played.row("kubernetes_service", service="kafka-bootstrap")
    assert (len(row["pods"]), row["reachable"]) == (3, 1)
