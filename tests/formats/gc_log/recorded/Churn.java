import java.util.ArrayDeque;
import java.util.Random;

/** Allocates for some seconds and keeps a part of it alive. */
public class Churn {
    public static void main(String[] arguments) throws Exception {
        double seconds = Double.parseDouble(arguments[0]);
        int keep = Integer.parseInt(arguments[1]);      // KiB that stay alive
        long rest = Long.parseLong(arguments[2]);       // microseconds of rest after 256 KiB
        int big = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 0; // KiB of a humongous array now and then
        Random random = new Random(7);
        ArrayDeque<byte[]> kept = new ArrayDeque<>();
        long held = 0, count = 0;
        long end = System.nanoTime() + (long) (seconds * 1e9);
        while (System.nanoTime() < end) {
            byte[] block = new byte[256 + random.nextInt(4096)];
            if (random.nextInt(4) == 0) { kept.add(block); held += block.length; }
            while (held > keep * 1024L) held -= kept.poll().length;
            if (++count % 100 == 0 && rest > 0) Thread.sleep(rest / 1000, (int) (rest % 1000) * 1000);
            if (big > 0 && count % 5000 == 0) kept.add(new byte[big * 1024]);
            if (big > 0 && count % 5000 == 0) held += big * 1024L;
        }
        System.gc();
        System.out.println(count);
    }
}
