import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Properties;
import java.util.Scanner;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;

/** Reads a kind and a properties file in Base64, one pair a line, makes that client, and says "ok", or why it can't be made. */
public class MadeClients {
    public static void main(String[] words) throws Exception {
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String[] parts = lines.nextLine().split(" ", -1);
            Properties read = new Properties();
            read.load(new StringReader(new String(Base64.getDecoder().decode(parts[1]), StandardCharsets.UTF_8)));
            String said = "ok";
            try {
                if (parts[0].equals("producer")) new KafkaProducer<String, String>(read).close(Duration.ZERO);
                else new KafkaConsumer<String, String>(read).close(Duration.ZERO);
            } catch (Exception | LinkageError e) {
                Throwable root = e;
                while (root.getCause() != null) root = root.getCause();
                said = (e.getMessage() + " / " + root.getMessage()).replaceAll("[\n\r]", " ");
            }
            System.out.println("said " + said);
        }
    }
}
