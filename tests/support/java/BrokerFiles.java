import java.io.StringReader;
import java.util.Base64;
import java.util.Properties;
import java.util.Scanner;
import java.nio.charset.StandardCharsets;

/** Reads properties files in Base64, one a line, and says of each what Kafka's own KafkaConfig says: "ok", or why it refuses. */
public class BrokerFiles {
    public static void main(String[] words) throws Exception {
        Class<?> config = Class.forName("kafka.server.KafkaConfig");
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            Properties read = new Properties();
            read.load(new StringReader(new String(Base64.getDecoder().decode(lines.nextLine()), StandardCharsets.UTF_8)));
            String said = "ok";
            try {
                config.getMethod("fromProps", Properties.class).invoke(null, read);
            } catch (java.lang.reflect.InvocationTargetException e) {
                said = String.valueOf(e.getCause().getMessage()).replace("\n", " ");
            }
            System.out.println(said);
        }
    }
}
