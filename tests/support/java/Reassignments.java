import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Scanner;

/** Reads reassignments, one a line, and says whether Kafka's own PartitionReassignmentReplicas ends each: true or false.
 *
 * A line has, with semicolons: removing; adding; all replicas; in sync. Lists have commas.
 */
public class Reassignments {
    public static void main(String[] words) throws ReflectiveOperationException {
        Class<?> kafka = Class.forName("org.apache.kafka.controller.PartitionReassignmentReplicas");
        Constructor<?> made = kafka.getDeclaredConstructor(List.class, List.class, List.class);
        Method ends = kafka.getDeclaredMethod("maybeCompleteReassignment", List.class);
        made.setAccessible(true);
        ends.setAccessible(true);
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String[] cells = lines.nextLine().split(";", -1);
            Object one = made.newInstance(list(cells[0]), list(cells[1]), list(cells[2]));
            System.out.println(((Optional<?>) ends.invoke(one, list(cells[3]))).isPresent());
        }
    }

    private static List<Integer> list(String cell) {
        List<Integer> found = new ArrayList<>();
        for (String word : cell.isEmpty() ? new String[0] : cell.split(",")) {
            found.add(Integer.parseInt(word));
        }
        return found;
    }
}
