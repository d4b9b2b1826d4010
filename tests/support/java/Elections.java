import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.stream.Collectors;
import org.apache.kafka.common.DirectoryId;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.controller.PartitionChangeBuilder;
import org.apache.kafka.controller.PartitionChangeBuilder.Election;
import org.apache.kafka.metadata.LeaderRecoveryState;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.server.common.MetadataVersion;

/** Reads changes to partitions, one a line, and says what Kafka's own PartitionChangeBuilder makes of each.
 *
 * A line has, with semicolons: replicas; isr; elr; last known; leader; adding; removing; who serves; how many are needed; whether eligible
 * replicas are kept; election; target isr; who ended badly; target replicas; target adding; target removing. Lists have commas.
 */
public class Elections {
    public static void main(String[] words) {
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            System.out.println(decided(lines.nextLine().split(";", -1)));
        }
    }

    private static String decided(String[] cells) {
        int[] replicas = ids(cells[0]);
        Uuid[] directories = new Uuid[replicas.length];
        java.util.Arrays.fill(directories, DirectoryId.UNASSIGNED);
        PartitionRegistration before = new PartitionRegistration.Builder()
            .setReplicas(replicas).setDirectories(directories).setIsr(ids(cells[1])).setElr(ids(cells[2])).setLastKnownElr(ids(cells[3]))
            .setLeader(Integer.parseInt(cells[4])).setAddingReplicas(ids(cells[5])).setRemovingReplicas(ids(cells[6]))
            .setLeaderRecoveryState(LeaderRecoveryState.RECOVERED).setLeaderEpoch(0).setPartitionEpoch(0).build();
        List<Integer> serves = list(cells[7]);
        PartitionChangeBuilder builder = new PartitionChangeBuilder(before, Uuid.fromString("AAAAAAAAAAAAAAAAAAAACQ"), 0, serves::contains,
            MetadataVersion.latestProduction(), Integer.parseInt(cells[8]), Boolean.parseBoolean(cells[9]));
        builder.setElection(Election.valueOf(cells[10])).setTargetIsr(list(cells[11])).setDefaultDirProvider(broker -> DirectoryId.UNASSIGNED);
        builder.setUncleanShutdownReplicas(list(cells[12]));
        builder.setTargetReplicas(list(cells[13])).setTargetAdding(list(cells[14])).setTargetRemoving(list(cells[15]));
        PartitionRegistration after = builder.build().map(change -> before.merge((PartitionChangeRecord) change.message())).orElse(before);
        return String.join(";", text(after.replicas), text(after.isr), text(after.elr), text(after.lastKnownElr),
            String.valueOf(after.leader), text(after.addingReplicas), text(after.removingReplicas));
    }

    private static List<Integer> list(String cell) {
        List<Integer> found = new ArrayList<>();
        for (String word : cell.isEmpty() ? new String[0] : cell.split(",")) {
            found.add(Integer.parseInt(word));
        }
        return found;
    }

    private static int[] ids(String cell) {
        return list(cell).stream().mapToInt(Integer::intValue).toArray();
    }

    private static String text(int[] ids) {
        return java.util.Arrays.stream(ids).mapToObj(String::valueOf).collect(Collectors.joining(","));
    }
}
