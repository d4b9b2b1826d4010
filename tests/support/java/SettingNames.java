import java.lang.reflect.Method;
import java.util.Set;
import java.util.TreeSet;

/** Prints the names of settings that Kafka's own classes define: of each class named, one "CLASS NAME" a line. */
public class SettingNames {
    public static void main(String[] classes) throws Exception {
        for (String name : classes) {
            for (String setting : new TreeSet<>(names(Class.forName(name)))) {
                System.out.println(name + " " + setting);
            }
        }
    }

    private static Set<String> names(Class<?> of) throws Exception {
        for (Method method : of.getDeclaredMethods()) {
            String kind = method.getReturnType().getSimpleName();
            boolean taken = method.getName().matches("configNames|configDef|config") && kind.matches("Set|ConfigDef");
            if (!java.lang.reflect.Modifier.isStatic(method.getModifiers()) || !taken) {
                continue;
            }
            Object[] given = new Object[method.getParameterCount()];
            if (given.length == 1) { // DistributedConfig: the provider of its cryptography
                Class<?> wanted = method.getParameterTypes()[0];
                given[0] = wanted.getField("SYSTEM").get(null);
            } else if (given.length > 1) {
                continue;
            }
            method.setAccessible(true);
            Object said = method.invoke(null, given);
            return said instanceof Set ? cast(said) : cast(said.getClass().getMethod("names").invoke(said));
        }
        throw new IllegalArgumentException(of + " names no settings");
    }

    @SuppressWarnings("unchecked")
    private static Set<String> cast(Object names) {
        return (Set<String>) names;
    }
}
