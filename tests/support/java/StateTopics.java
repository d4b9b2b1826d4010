import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.JoinWindows;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.SessionWindows;
import org.apache.kafka.streams.kstream.SlidingWindows;
import org.apache.kafka.streams.kstream.StreamJoined;
import org.apache.kafka.streams.kstream.TimeWindows;

/**
 * Has Kafka Streams make a changelog for each kind of store that its DSL has, in memory, and ends.
 *
 * <p>Arguments: bootstrap servers, application id, and the two topics that it reads, which exist.
 */
public class StateTopics {
    private static final Duration HOUR = Duration.ofHours(1);

    public static void main(String[] given) throws Exception {
        StreamsBuilder builder = new StreamsBuilder();
        KStream<String, String> left = builder.stream(given[2]);
        KStream<String, String> right = builder.stream(given[3]);
        JoinWindows within = JoinWindows.ofTimeDifferenceWithNoGrace(HOUR);
        left.join(right, (one, other) -> one, within);
        left.leftJoin(right, (one, other) -> one, within);
        left.outerJoin(right, (one, other) -> one, within);
        left.join(right, (one, other) -> one, within, StreamJoined.as("named"));
        left.outerJoin(right, (one, other) -> one, within, StreamJoined.as("named-outer"));
        left.groupByKey().count(Materialized.as("counts"));
        left.groupByKey().windowedBy(TimeWindows.ofSizeWithNoGrace(HOUR)).count(Materialized.as("windows"));
        left.groupByKey().windowedBy(SlidingWindows.ofTimeDifferenceWithNoGrace(HOUR)).count(Materialized.as("slides"));
        left.groupByKey().windowedBy(SessionWindows.ofInactivityGapWithNoGrace(HOUR)).count(Materialized.as("sessions"));
        Properties settings = new Properties();
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, given[0]);
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, given[1]);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, System.getProperty("java.io.tmpdir"));
        settings.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
        settings.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
        settings.put("session.timeout.ms", "6000"); // Streams does not leave its group: that ends by itself
        settings.put("heartbeat.interval.ms", "2000");
        settings.put(
                StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG,
                "org.apache.kafka.streams.state.BuiltInDslStoreSuppliers$InMemoryDslStoreSuppliers");
        CountDownLatch running = new CountDownLatch(1);
        try (KafkaStreams streams = new KafkaStreams(builder.build(), settings)) {
            streams.setStateListener((now, before) -> {
                if (now == KafkaStreams.State.RUNNING) {
                    running.countDown();
                }
            });
            streams.start();
            if (!running.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("it does not run: " + streams.state());
            }
        }
        System.out.println("ran");
    }
}
