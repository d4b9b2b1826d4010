import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Prints the settings that Kafka's own classes define, one a line, its parts between tabs: class, name, type, default,
 * importance, validator. A setting without a default, which is required, has "-" before its default's place, one whose default is null
 * "0", any other "=" and then the default. The validator is JSON.
 */
public class SettingFacts {
    public static void main(String[] classes) throws Exception {
        for (String name : classes) {
            Object definition = definition(Class.forName(name));
            Map<?, ?> keys = (Map<?, ?>) definition.getClass().getMethod("configKeys").invoke(definition);
            for (Map.Entry<?, ?> entry : new TreeMap<>(keys).entrySet()) {
                Object key = entry.getValue();
                Object type = get(key, "type");
                String[] parts = {name, String.valueOf(entry.getKey()), type.toString(), defaultOf(definition, key, type),
                    get(key, "importance").toString(), validator(get(key, "validator"))};
                System.out.println(String.join("\t", parts));
            }
        }
    }

    /** From a static method of that kind, else from a static field. */
    private static Object definition(Class<?> of) throws Exception {
        for (Method method : of.getDeclaredMethods()) {
            boolean named = method.getName().matches("configDef|configDefCopy|config");
            if (!Modifier.isStatic(method.getModifiers()) || !named || !isDefinition(method.getReturnType())) {
                continue;
            }
            Object[] given = new Object[method.getParameterCount()];
            if (given.length == 1) { // DistributedConfig: the provider of its cryptography
                given[0] = method.getParameterTypes()[0].getField("SYSTEM").get(null);
            }
            method.setAccessible(true);
            return method.invoke(null, given);
        }
        for (Class<?> one = of; one != null; one = one.getSuperclass()) {
            for (Field field : one.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && isDefinition(field.getType())) {
                    field.setAccessible(true);
                    return field.get(null);
                }
            }
        }
        return ofCompanion(Class.forName(of.getName() + "$"));
    }

    /** Scala's object of the same name holds it in releases before 3.0. */
    private static Object ofCompanion(Class<?> of) throws Exception {
        for (Field field : of.getDeclaredFields()) {
            if (isDefinition(field.getType())) {
                field.setAccessible(true);
                return field.get(of.getField("MODULE$").get(null));
            }
        }
        throw new IllegalArgumentException(of + " defines no settings");
    }

    private static boolean isDefinition(Class<?> kind) {
        for (Class<?> one = kind; one != null; one = one.getSuperclass()) {
            if (one.getSimpleName().equals("ConfigDef")) {
                return true;
            }
        }
        return false;
    }

    private static String defaultOf(Object definition, Object key, Object type) throws Exception {
        if (!(boolean) key.getClass().getMethod("hasDefault").invoke(key)) {
            return "-";
        }
        Object value = get(key, "defaultValue");
        Class<?> of = definition.getClass();
        while (!of.getSimpleName().equals("ConfigDef")) {
            of = of.getSuperclass();
        }
        Object text = of.getMethod("convertToString", Object.class, type.getClass()).invoke(null, value, type);
        return text == null ? "0" : "=" + text;
    }

    /** As JSON: its class, and what it holds by name; null for none. */
    private static String validator(Object validator) throws Exception {
        if (validator == null) {
            return "null";
        }
        String kind = validator.getClass().getName();
        List<String> parts = new ArrayList<>(List.of("\"is\":" + quoted(kind.substring(kind.lastIndexOf('.') + 1).replace("ConfigDef$", ""))));
        for (String name : new String[] {"min", "max", "isEmptyAllowed", "isNullAllowed", "maxSize", "validStrings", "validString", "validators"}) {
            Object held = held(validator, name);
            if (held != null) {
                parts.add(quoted(name) + ":" + json(name.equals("validString") ? held(held, "validStrings") : held));
            }
        }
        return "{" + String.join(",", parts) + "}";
    }

    private static String json(Object held) throws Exception {
        if (!(held instanceof Collection)) {
            return held.toString(); // a number, or true or false
        }
        List<String> parts = new ArrayList<>();
        for (Object one : (Collection<?>) held) {
            parts.add(one == null ? "null" : one instanceof String ? quoted((String) one) : validator(one));
        }
        return "[" + String.join(",", parts) + "]";
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static Object held(Object of, String name) throws Exception {
        try {
            return get(of, name);
        } catch (NoSuchFieldException e) {
            return null;
        }
    }

    private static Object get(Object of, String name) throws Exception {
        Field field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }
}
