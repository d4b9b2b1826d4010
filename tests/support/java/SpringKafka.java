import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Scanner;
import java.util.TreeMap;
import org.springframework.boot.autoconfigure.kafka.KafkaProperties;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Reads a name, a profile and an application file in Base64, one file a line, and says what Spring Boot hands on to each kind of client, in JSON. */
public class SpringKafka {
    public static void main(String[] words) throws Exception {
        Path folder = Files.createTempDirectory("spring");
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String[] parts = lines.nextLine().split(" ", -1);
            Path file = folder.resolve(parts[0]);
            Files.write(file, Base64.getDecoder().decode(parts[2]));
            String said;
            try {
                said = json(bound(folder, parts[1]));
            } catch (Exception | LinkageError e) {
                Throwable root = e;
                while (root.getCause() != null) root = root.getCause();
                said = quoted(e.getMessage() + ": " + root.getMessage());
            }
            Files.delete(file);
            System.out.println("said " + said);
        }
        Files.delete(folder);
    }

    private static Map<String, Map<String, Object>> bound(Path folder, String profile) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().remove(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
        Map<String, Object> told = new TreeMap<>();
        told.put("spring.config.location", folder.toUri().toString());
        if (!profile.equals("-")) told.put("spring.profiles.active", profile);
        environment.getPropertySources().addFirst(new MapPropertySource("told", told));
        ConfigDataEnvironmentPostProcessor.applyTo(environment);
        KafkaProperties kafka = Binder.get(environment).bindOrCreate("spring.kafka", KafkaProperties.class);
        Map<String, Map<String, Object>> found = new TreeMap<>();
        found.put("producer", kafka.buildProducerProperties(null));
        found.put("consumer", kafka.buildConsumerProperties(null));
        found.put("admin", kafka.buildAdminProperties(null));
        return found;
    }

    private static String json(Map<String, Map<String, Object>> found) {
        StringBuilder text = new StringBuilder("{");
        found.forEach((kind, settings) -> {
            text.append(text.length() > 1 ? "," : "").append(quoted(kind)).append(":{");
            int before = text.length();
            new TreeMap<>(settings).forEach((name, value) ->
                text.append(text.length() > before ? "," : "").append(quoted(name)).append(":").append(quoted(shown(value))));
            text.append("}");
        });
        return text.append("}").toString();
    }

    private static String shown(Object value) {
        if (value instanceof Class<?> type) return type.getName();
        if (value instanceof Iterable<?> many) {
            StringBuilder text = new StringBuilder();
            many.forEach(one -> text.append(text.length() > 0 ? "," : "").append(one));
            return text.toString();
        }
        return String.valueOf(value);
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') out.append('\\').append(c);
            else if (c < ' ') out.append(String.format("\\u%04x", (int) c));
            else out.append(c);
        }
        return out.append('"').toString();
    }
}
