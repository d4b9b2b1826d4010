import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupSubscription;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** Members that come, go and know different topics: each partition that somebody wants has one owner, who wants it. */
public class AssignorTried {
    private static final int ROUNDS = 5000;
    private static final int TOPICS = 5;

    public static void main(String[] arguments) {
        Random random = new Random(17);
        for (int round = 0; round < ROUNDS; round++) {
            Cluster cluster = cluster(random);
            Map<String, Integer> priorities = new HashMap<>();
            Map<String, Subscription> members = new HashMap<>();
            for (int member = random.nextInt(5); member >= 0; member--) {
                Set<String> topics = new HashSet<>(cluster.topics());
                topics.removeIf(topic -> random.nextInt(3) == 0);
                int priority = random.nextInt(3);
                ByPriority assignor = new ByPriority();
                assignor.configure(Map.of("assignor.priority", String.valueOf(priority)));
                priorities.put("m" + member, priority);
                members.put("m" + member, new Subscription(new ArrayList<>(topics), assignor.subscriptionUserData(topics)));
            }
            ConsumerPartitionAssignor assignor = new ByPriority();
            check(cluster, members, priorities, assignor.assign(cluster, new GroupSubscription(members)).groupAssignment());
        }
        System.out.println(ROUNDS + " groups: every partition that is wanted has one owner, of the highest priority");
    }

    private static Cluster cluster(Random random) {
        Node node = new Node(1, "localhost", 9092);
        List<PartitionInfo> partitions = new ArrayList<>();
        for (int topic = 0; topic < TOPICS; topic++) {
            for (int number = random.nextInt(4); number >= 0; number--) {
                partitions.add(new PartitionInfo("t" + topic, number, node, new Node[] {node}, new Node[] {node}));
            }
        }
        return new Cluster("tried", List.of(node), partitions, Set.of(), Set.of());
    }

    private static void check(
        Cluster cluster, Map<String, Subscription> members, Map<String, Integer> priorities, Map<String, Assignment> found) {
        if (!found.keySet().equals(members.keySet())) {
            throw new AssertionError("of " + members.keySet() + " these were told: " + found.keySet());
        }
        Map<TopicPartition, String> owners = new HashMap<>();
        found.forEach((member, assignment) -> assignment.partitions().forEach(partition -> {
            if (owners.put(partition, member) != null) {
                throw new AssertionError(partition + " has two owners");
            }
        }));
        for (String topic : cluster.topics()) {
            int highest = members.entrySet().stream().filter(member -> member.getValue().topics().contains(topic))
                .mapToInt(member -> priorities.get(member.getKey())).max().orElse(-1);
            for (PartitionInfo info : cluster.partitionsForTopic(topic)) {
                String owner = owners.remove(new TopicPartition(topic, info.partition()));
                boolean right = owner == null
                    ? highest == -1
                    : members.get(owner).topics().contains(topic) && priorities.get(owner) == highest;
                if (!right) {
                    throw new AssertionError(topic + "-" + info.partition() + " belongs to " + owner);
                }
            }
        }
        if (!owners.isEmpty()) {
            throw new AssertionError("there are no such partitions: " + owners);
        }
    }
}
