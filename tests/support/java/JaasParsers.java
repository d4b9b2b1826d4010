import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Scanner;
import javax.security.auth.login.Configuration;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.security.JaasContext;
import org.apache.kafka.common.security.JaasUtils;

/** Reads a way, a listener or "-", and a login in Base64, one each line, and says "ok", or why Kafka can't use it. */
public class JaasParsers {
    public static void main(String[] words) throws Exception {
        Path file = Files.createTempFile("logins", ".conf");
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String[] parts = lines.nextLine().split(" ", -1);
            String text = new String(Base64.getDecoder().decode(parts[2]), StandardCharsets.UTF_8);
            Map<String, Object> settings = new HashMap<>();
            if (parts[0].equals("file")) {
                Files.writeString(file, text);
                System.setProperty(JaasUtils.JAVA_LOGIN_CONFIG_PARAM, file.toString());
            } else {
                System.clearProperty(JaasUtils.JAVA_LOGIN_CONFIG_PARAM);
                settings.put(parts[1].equals("-") ? "sasl.jaas.config" : "plain.sasl.jaas.config", new Password(text));
            }
            Configuration.setConfiguration(null);
            String said = "ok";
            try {
                if (parts[1].equals("-")) JaasContext.loadClientContext(settings);
                else JaasContext.loadServerContext(new ListenerName(parts[1].toUpperCase()), "PLAIN", settings);
            } catch (Throwable e) {
                Throwable root = e;
                while (root.getCause() != null) root = root.getCause();
                said = (e.getMessage() + " / " + root.getMessage()).replaceAll("[\n\r]", " ");
            }
            System.out.println("said " + said);
        }
        Files.delete(file);
    }
}
