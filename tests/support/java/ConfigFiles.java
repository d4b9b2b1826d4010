import java.io.StringReader;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Properties;
import java.util.Scanner;

/** Reads a class and a properties file in Base64, one pair a line, and says of each what Kafka's own class says: "ok", or why it refuses. */
public class ConfigFiles {
    public static void main(String[] words) throws Exception {
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String[] parts = lines.nextLine().split(" ", -1);
            Properties read = new Properties();
            read.load(new StringReader(new String(Base64.getDecoder().decode(parts[1]), StandardCharsets.UTF_8)));
            String said = "ok";
            try {
                make(Class.forName(parts[0]), read);
            } catch (InvocationTargetException e) {
                said = String.valueOf(e.getCause().getMessage()).replaceAll("[\n\r]", " ");
            }
            System.out.println("said " + said); // what logs to standard output has no such word before it
        }
    }

    private static void make(Class<?> of, Properties read) throws Exception {
        if (of.getSimpleName().equals("KafkaConfig")) {
            of.getMethod("fromProps", Properties.class).invoke(null, read);
            return;
        }
        Constructor<?> made;
        try {
            made = of.getConstructor(Properties.class);
        } catch (NoSuchMethodException e) {
            made = of.getConstructor(Map.class);
        }
        made.newInstance(read);
    }
}
