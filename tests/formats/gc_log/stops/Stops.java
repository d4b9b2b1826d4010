import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Makes a JVM stop its threads in one of several ways: see record.py. */
public class Stops {
    static volatile Object sink;
    static volatile long sum;

    public static void main(String[] words) throws Exception {
        switch (words[0]) {
            case "collect" -> collect(Integer.parseInt(words[1]));
            case "loop" -> loop(Double.parseDouble(words[1]));
            case "classes" -> classes(Integer.parseInt(words[1]));
            case "churn" -> churn(Double.parseDouble(words[1]));
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    /** Fill the heap with so many small objects, then collect all of it until somebody ends this. */
    static void collect(int thousands) throws Exception {
        List<Object[]> kept = new ArrayList<>();
        for (int i = 0; i < thousands; i++) {
            Object[] block = new Object[1000];
            for (int j = 0; j < block.length; j++) {
                block[j] = new long[] {i, j};
            }
            kept.add(block);
        }
        for (int i = 0; i < 200; i++) {
            churn(0.2);
            System.gc();
        }
        sink = kept;
    }

    /** Count for about so many seconds in a loop that holds no safepoint, while another thread wants a collection. */
    static void loop(double seconds) throws Exception {
        for (int i = 0; i < 20_000; i++) {
            sum += count(1000);
        }
        long began = System.nanoTime();
        sum += count(100_000_000);
        double each = (System.nanoTime() - began) / 1e9 / 100_000_000;
        int rounds = (int) Math.min(Integer.MAX_VALUE - 1, seconds / each);
        churn(1);
        Thread other = new Thread(() -> {
            try {
                Thread.sleep(500);
            } catch (InterruptedException e) {
                return;
            }
            System.gc();
        });
        other.start();
        sum += count(rounds);
        other.join();
        churn(1);
    }

    /** A counted loop: HotSpot's second compiler puts no poll into it where it is told not to. */
    static long count(int rounds) {
        long value = 1;
        for (int i = 0; i < rounds; i++) {
            value = value * 31 + (value >>> 7) + i;
            value ^= value / ((i & 7) + 3);
            value ^= value / ((i & 15) + 5);
        }
        return value;
    }

    /** Load so many classes and keep them, as far as there is room. */
    static void classes(int most) throws Exception {
        byte[] code;
        try (InputStream in = Stops.class.getResourceAsStream("Stops$Loaded.class")) {
            code = in.readAllBytes();
        }
        List<Class<?>> kept = new ArrayList<>();
        try {
            while (kept.size() < most) {
                kept.add(new ClassLoader() {
                    Class<?> define() {
                        return defineClass("Stops$Loaded", code, 0, code.length);
                    }
                }.define());
            }
            churn(1);
        } catch (OutOfMemoryError error) {
            kept.clear();
            System.err.println(error);
        }
    }

    /** Ask for memory and drop it, for so many seconds. */
    static void churn(double seconds) throws Exception {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        while (System.nanoTime() < end) {
            sink = new byte[100_000];
            Thread.sleep(0, 50_000);
        }
    }

    static class Loaded {
        long a, b, c;

        long f() {
            return a + b * c;
        }

        long g() {
            return a * b - c;
        }
    }
}
