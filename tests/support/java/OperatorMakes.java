import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.strimzi.api.kafka.model.bridge.KafkaBridge;
import io.strimzi.api.kafka.model.connect.KafkaConnect;
import io.strimzi.api.kafka.model.connector.KafkaConnector;
import io.strimzi.api.kafka.model.connector.KafkaConnectorSpec;
import io.strimzi.api.kafka.model.kafka.Kafka;
import io.strimzi.api.kafka.model.mirrormaker2.KafkaMirrorMaker2;
import io.strimzi.api.kafka.model.nodepool.KafkaNodePool;
import io.strimzi.api.kafka.model.podset.StrimziPodSet;
import io.strimzi.api.kafka.model.user.KafkaUser;
import io.strimzi.operator.cluster.ClusterOperatorConfig;
import io.strimzi.operator.cluster.model.EntityOperator;
import io.strimzi.operator.cluster.model.KafkaBridgeCluster;
import io.strimzi.operator.cluster.model.KafkaCluster;
import io.strimzi.operator.cluster.model.KafkaConnectCluster;
import io.strimzi.operator.cluster.model.KafkaConnectorConfiguration;
import io.strimzi.operator.cluster.model.KafkaExporter;
import io.strimzi.operator.cluster.model.KafkaMirrorMaker2Cluster;
import io.strimzi.operator.cluster.model.KafkaPool;
import io.strimzi.operator.cluster.model.KafkaVersion;
import io.strimzi.operator.cluster.model.KafkaVersionChange;
import io.strimzi.operator.cluster.model.MetricsAndLogging;
import io.strimzi.operator.cluster.model.NodeRef;
import io.strimzi.operator.cluster.model.SharedEnvironmentProvider;
import io.strimzi.operator.cluster.model.nodepools.NodePoolUtils;
import io.strimzi.operator.common.Reconciliation;
import io.strimzi.operator.user.model.KafkaUserModel;
import java.io.File;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.security.auth.KafkaPrincipal;

/**
 * Prints what Strimzi's operators of clusters and users make of custom resources, by their own classes.
 *
 * Argument: a file with a JSON object, name of a case to the list of its resources. Output: name to what is made of each
 * of KINDS, by KIND/NAME, or why the operator refuses it.
 */
public class OperatorMakes {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> KINDS = List.of("Kafka", "KafkaConnect", "KafkaMirrorMaker2", "KafkaBridge", "KafkaConnector", "KafkaUser");
    private static final Map<String, String> IMAGES = Map.of("4.2.0", "kafka:4.2.0", "4.2.1", "kafka:4.2.1", "4.3.0", "kafka:4.3.0", "4.3.1", "kafka:4.3.1");
    private static final KafkaVersion.Lookup VERSIONS = new KafkaVersion.Lookup(IMAGES, IMAGES, IMAGES);
    private static final ClusterOperatorConfig CONFIG = ClusterOperatorConfig.buildFromMap(Map.of(), VERSIONS);
    private static final SharedEnvironmentProvider ENVIRONMENT = new NothingShared();
    private final List<JsonNode> resources = new ArrayList<>();

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> made = new TreeMap<>();
        JsonNode cases = JSON.readTree(new File(arguments[0]));
        cases.fieldNames().forEachRemaining(name -> made.put(name, new OperatorMakes(cases.get(name)).made()));
        System.out.println(JSON.writeValueAsString(made));
    }

    private OperatorMakes(JsonNode listed) {
        for (JsonNode resource : listed) { // an API server adds the namespace
            ObjectNode metadata = (ObjectNode) resource.path("metadata");
            metadata.put("namespace", metadata.path("namespace").asText("kafka"));
            resources.add(resource);
        }
    }

    private Map<String, Object> made() {
        Map<String, Object> made = new TreeMap<>();
        for (JsonNode resource : resources) {
            String kind = resource.path("kind").asText();
            if (KINDS.contains(kind)) {
                String name = resource.path("metadata").path("name").asText();
                made.put(kind + "/" + name, madeOf(kind, name, resource));
            }
        }
        return made;
    }

    private Object madeOf(String kind, String name, JsonNode resource) {
        String namespace = resource.path("metadata").path("namespace").asText();
        Reconciliation reconciliation = new Reconciliation("made", kind, namespace, name);
        try {
            return switch (kind) {
                case "Kafka" -> cluster(reconciliation, read(resource, Kafka.class));
                case "KafkaConnect" -> workers(KafkaConnectCluster.fromCrd(reconciliation, read(resource, KafkaConnect.class), VERSIONS, ENVIRONMENT));
                case "KafkaBridge" -> bridge(KafkaBridgeCluster.fromCrd(reconciliation, read(resource, KafkaBridge.class), ENVIRONMENT));
                case "KafkaConnector" -> connector(reconciliation, read(resource, KafkaConnector.class).getSpec());
                case "KafkaUser" -> user(KafkaUserModel.fromCrd(read(resource, KafkaUser.class), "", true));
                default -> mirrors(reconciliation, read(resource, KafkaMirrorMaker2.class));
            };
        } catch (RuntimeException refused) {
            return Map.of("refused", refused.getClass().getSimpleName() + ": " + refused.getMessage());
        }
    }

    private Map<String, Object> cluster(Reconciliation reconciliation, Kafka kafka) {
        KafkaVersion version = VERSIONS.supportedVersion(kafka.getSpec().getKafka().getVersion());
        String level = kafka.getSpec().getKafka().getMetadataVersion();
        KafkaVersionChange change = new KafkaVersionChange(version, version, null, null, level == null ? version.metadataVersion() : level);
        List<KafkaPool> pools = NodePoolUtils.createKafkaPools(reconciliation, kafka, poolsOf(kafka), Map.of(), change, ENVIRONMENT);
        KafkaCluster cluster = KafkaCluster.fromCrd(reconciliation, kafka, pools, VERSIONS, change, "made", ENVIRONMENT);
        List<Object> sets = new ArrayList<>();
        for (StrimziPodSet set : cluster.generatePodSets(null, null, node -> Map.of())) {
            sets.add(podSet(set));
        }
        Map<String, Object> nodes = new TreeMap<>();
        for (NodeRef node : cluster.nodes()) {
            Map<Integer, Map<String, String>> names = Map.of(node.nodeId(), new Same("advertised"));
            Map<Integer, Map<String, String>> ports = Map.of(node.nodeId(), new Same("9999"));
            nodes.put(node.podName(), Map.of("broker", node.broker(), "controller", node.controller(), "pool", node.poolName(),
                    "config", lines(cluster.generatePerBrokerConfiguration(node.nodeId(), names, ports, false))));
        }
        Map<String, Object> made = new LinkedHashMap<>();
        made.put("sets", sets);
        made.put("nodes", nodes);
        made.put("claims", cluster.generatePersistentVolumeClaims().stream().map(OperatorMakes::claim).toList());
        made.put("budget", cluster.generatePodDisruptionBudget().getSpec());
        made.put("services", services(cluster));
        made.put("lets in", letsIn(cluster.generateNetworkPolicy("kafka", null).getSpec().getIngress()));
        made.put("exporter", KafkaExporter.fromCrd(reconciliation, kafka, VERSIONS, ENVIRONMENT) != null);
        made.put("warnings", cluster.getWarningConditions().stream().map(each -> each.getReason()).toList());
        EntityOperator entity = EntityOperator.fromCrd(reconciliation, kafka, ENVIRONMENT, CONFIG);
        if (entity != null) {
            made.put("entityOperator", Map.of("replicas", entity.generateDeployment(Map.of(), false, null, null).getSpec().getReplicas(),
                    "topic", entity.topicOperator() != null, "user", entity.userOperator() != null));
        }
        return made;
    }

    /** Type of each Service, Route, Ingress and TLSRoute by which clients come to a listener, and its ports. */
    private static Map<String, Object> services(KafkaCluster cluster) {
        List<HasMetadata> found = new ArrayList<>();
        found.add(cluster.generateService());
        found.addAll(cluster.generateExternalBootstrapServices());
        found.addAll(cluster.generatePerPodServices());
        found.addAll(cluster.generateExternalBootstrapRoutes());
        found.addAll(cluster.generateExternalBootstrapIngresses());
        found.addAll(cluster.generateExternalBootstrapTlsRoutes());
        Map<String, Object> made = new TreeMap<>();
        for (HasMetadata each : found) {
            boolean service = each instanceof Service;
            String type = service ? ((Service) each).getSpec().getType() : each.getKind();
            List<String> ports = service ? ((Service) each).getSpec().getPorts().stream().map(port -> port.getTargetPort().getValue().toString()).toList() : List.of();
            made.put(each.getKind() + "/" + each.getMetadata().getName(), Map.of("type", type, "ports", ports));
        }
        return made;
    }

    /** Port to the number of peers that a network policy lets in; none where it lets in everybody. */
    private static Map<String, Object> letsIn(List<NetworkPolicyIngressRule> rules) {
        Map<String, Object> made = new TreeMap<>();
        for (NetworkPolicyIngressRule rule : rules) {
            rule.getPorts().forEach(port -> made.put(port.getPort().getValue().toString(), rule.getFrom() == null ? 0 : rule.getFrom().size()));
        }
        return made;
    }

    private Map<String, Object> bridge(KafkaBridgeCluster bridge) {
        Map<String, Object> made = new LinkedHashMap<>();
        Deployment deployment = bridge.generateDeployment(Map.of(), false, null, null);
        Map<String, Object> pod = JSON.convertValue(deployment.getSpec().getTemplate(), Map.class);
        made.put("sets", List.of(Map.of("name", deployment.getMetadata().getName(), "pods", deployment.getSpec().getReplicas(), "first", pod)));
        ConfigMap files = bridge.generateBridgeConfigMap(new MetricsAndLogging(metrics(), null));
        made.put("config", lines(files.getData().get(KafkaBridgeCluster.BRIDGE_CONFIGURATION_FILENAME)));
        made.put("budget", bridge.generatePodDisruptionBudget().getSpec());
        return made;
    }

    /** What is sent to Connect's REST API; what has a field of its own is left out of `config`. */
    private static Map<String, Object> connector(Reconciliation reconciliation, KafkaConnectorSpec spec) {
        Map<String, Object> made = JSON.convertValue(spec, Map.class);
        made.put("config", new KafkaConnectorConfiguration(reconciliation, spec.getConfig().entrySet()).asOrderedProperties().asMap());
        return made;
    }

    private static Map<String, Object> user(KafkaUserModel user) {
        Map<String, Object> made = new LinkedHashMap<>();
        made.put("certificate", user.isTlsUser() || user.isTlsExternalUser());
        made.put("password", user.isScramUser());
        made.put("quotas", user.getQuotas());
        made.put("rules", user.getSimpleAclRules() == null ? List.of() : user.getSimpleAclRules().stream().map(rule -> Map.of(
                "type", rule.getType().toValue(), "kind", rule.getResource().getType().name(), "name", String.valueOf(rule.getResource().getName()),
                "pattern", String.valueOf(rule.toKafkaAclBinding(new KafkaPrincipal("User", "u")).pattern().patternType()),
                "host", rule.getHost(), "operation", rule.getOperation().toValue())).toList());
        return made;
    }

    private Map<String, Object> workers(KafkaConnectCluster connect) {
        Map<String, Object> made = new LinkedHashMap<>();
        made.put("sets", List.of(podSet(connect.generatePodSet(connect.getReplicas(), new HashMap<>(), Map.of(), null, null, null))));
        ConfigMap files = connect.generateConnectConfigMap(new MetricsAndLogging(metrics(), null));
        made.put("config", lines(files.getData().get(KafkaConnectCluster.KAFKA_CONNECT_CONFIGURATION_FILENAME)));
        made.put("budget", connect.generatePodDisruptionBudget().getSpec());
        return made;
    }

    private Map<String, Object> mirrors(Reconciliation reconciliation, KafkaMirrorMaker2 resource) {
        KafkaMirrorMaker2Cluster mirror = KafkaMirrorMaker2Cluster.fromCrd(reconciliation, resource, VERSIONS, ENVIRONMENT);
        Map<String, Object> made = workers(mirror);
        Map<String, Object> connectors = new TreeMap<>();
        mirror.connectors().generateConnectorDefinitions().forEach(each -> connectors.put(each.getMetadata().getName(), each.getSpec()));
        made.put("connectors", connectors);
        return made;
    }

    private List<KafkaNodePool> poolsOf(Kafka kafka) {
        List<KafkaNodePool> pools = new ArrayList<>();
        for (JsonNode resource : resources) {
            JsonNode owner = resource.path("metadata").path("labels").path("strimzi.io/cluster");
            if (resource.path("kind").asText().equals("KafkaNodePool") && owner.asText().equals(kafka.getMetadata().getName())) {
                pools.add(read(resource, KafkaNodePool.class));
            }
        }
        return pools;
    }

    /** A ConfigMap that has something under each key that a metricsConfig may name. */
    private ConfigMap metrics() {
        Map<String, String> data = new HashMap<>();
        for (JsonNode resource : resources) {
            resource.findValues("configMapKeyRef").forEach(each -> data.put(each.path("key").asText(), "{}"));
        }
        return new ConfigMapBuilder().withNewMetadata().withName("metrics").endMetadata().withData(data).build();
    }

    /** The first pod of a set, as all are alike but for their name. */
    private static Map<String, Object> podSet(StrimziPodSet set) {
        List<Map<String, Object>> pods = set.getSpec().getPods();
        return Map.of("name", set.getMetadata().getName(), "pods", pods.size(), "first", pods.isEmpty() ? Map.of() : pods.get(0));
    }

    private static Map<String, Object> claim(PersistentVolumeClaim claim) {
        Map<String, Object> made = new LinkedHashMap<>();
        made.put("name", claim.getMetadata().getName());
        made.put("annotations", claim.getMetadata().getAnnotations());
        made.put("owned", !claim.getMetadata().getOwnerReferences().isEmpty());
        made.put("class", claim.getSpec().getStorageClassName());
        made.put("size", claim.getSpec().getResources().getRequests().get("storage"));
        return made;
    }

    private static List<String> lines(String file) {
        return file.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    }

    private static <T> T read(JsonNode resource, Class<T> type) {
        return Serialization.unmarshal(resource.toString(), type);
    }

    /** One text under every key: the address of each listener. */
    private static final class Same extends HashMap<String, String> {
        private final transient String text;

        Same(String text) {
            this.text = text;
        }

        @Override
        public String get(Object key) {
            return text;
        }
    }

    private static final class NothingShared implements SharedEnvironmentProvider {
        @Override
        public List<String> names() {
            return List.of();
        }

        @Override
        public Collection<EnvVar> variables() {
            return List.of();
        }

        @Override
        public String value(String name) {
            return null;
        }
    }
}
